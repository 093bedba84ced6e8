import type { Answer } from './client.ts';

/** What an answer says in words: its message, or how it begins, as one that somebody in front of the server gave. */
export const said = ({ body, text }: Pick<Answer, 'body' | 'text'>): string => body?.message ?? text.slice(0, 200);
