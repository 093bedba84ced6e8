import type { Answer } from '../../verbs/client.ts';

/** Whether JSON is written for people: each member on a line of its own, indented. */
export const isIndented = ({ text }: Answer): boolean => /^\{\r?\n[ \t]+"/.test(text);

/** A text that looks like JSON itself: what is within quotes is not laid out. */
export const quoted = {
  metadata: { annotations: { 'example.com/quoted': '{"a":["b, \\"c\\": {d}",{}],"e":"\\\\"}' } },
};
