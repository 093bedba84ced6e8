/** Whether a rule waits more than it works. */
export type Pace = 'waiting' | 'working';

/**
 * That of a rule, or of all in a file, by its id. What waits, for bookmarks, for the end of a watch, for a version that
 * never comes, is run besides from the beginning, as many again: else others would wait for nothing but their places.
 */
export const paceOf = (id: string): Pace => (/^(?:watch|rv)\b/.test(id) ? 'waiting' : 'working');
