import { createRequire } from 'node:module';
import type * as Re2 from 're2js';
import { lazily, perKey } from '../base/caches/memo.ts';

/** Loaded when the first pattern turns up. */
const library = lazily(() => createRequire(import.meta.url)('re2js') as typeof Re2);

/** A compiled pattern. Matching takes time linear in the text, whatever the pattern. */
export interface Pattern {
  /** Whether the pattern matches anywhere in the text. */
  found(text: string): boolean;
  /** The first match, undefined for none. */
  first(text: string): string | undefined;
  /** Matches from the left, at most `limit` of them. `far` is told of each that it took long to come to, and may throw. */
  all(text: string, limit: number, far: () => void): string[];
}

/** Milliseconds to a match. Each may be looked for up to the end of the text. */
const long = 0.1;

/** Longer patterns are refused: compiling one takes time and memory in proportion to it. */
const longest = 10_000;

const cacheSize = 1_000;
/**
 * Compiles an RE2 expression; the newest thousand are kept.
 *
 * @throws Error the text is no RE2 expression, or too long
 */
export const compilePattern = perKey((source: string): Pattern => {
  if (source.length > longest) throw new Error(`the expression is longer than ${longest} characters`);
  if (/(?<!\\)\(\?<[A-Za-z_]/.test(source)) throw new Error('a group is named as in (?P<name>re)');
  return wrap(library().RE2JS.compile(source));
}, cacheSize);

const wrap = (expression: Re2.RE2JS): Pattern => ({
  // Asked without where, the library answers a hundred times faster.
  found: (text) => expression.test(text),
  first: (text) => {
    if (!expression.test(text)) return undefined;
    const matcher = expression.matcher(text);
    return matcher.find() ? (matcher.group() ?? undefined) : undefined;
  },
  all: (text, limit, far) => {
    const matcher = expression.matcher(text);
    const matches: string[] = [];
    let before = performance.now();
    while (matches.length < limit && matcher.find()) {
      matches.push(matcher.group() ?? '');
      const now = performance.now();
      if (now - before > long) far();
      before = now;
    }
    return matches;
  },
});
