/**
 * Whether a rule, or all of a file, waits more than it works: for bookmarks, for the end of a watch, for a version that
 * never comes. As many of these are run besides, from the beginning: else others would wait for nothing but their places.
 */
export const waits = (id: string): boolean => /^(?:watch|rv)\b/.test(id);
