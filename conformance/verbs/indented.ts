import type { Answer } from './client.ts';

/** Whether JSON is written for people: each member on a line of its own, indented. */
export const isIndented = ({ text }: Answer): boolean => /^\{\r?\n[ \t]+"/.test(text);
