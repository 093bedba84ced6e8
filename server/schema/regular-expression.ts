import { createRequire } from 'node:module';
import type * as Re2 from 're2js';
import { lazily, perKey } from '../base/caches/memo.ts';
import type { Work } from '../base/turns/work.ts';
import { type Program, search } from './pattern-search.ts';

/** Loaded when the first pattern turns up. */
const library = lazily(() => createRequire(import.meta.url)('re2js') as typeof Re2);

/** A compiled pattern. Matching takes time linear in the text, whatever the pattern. */
export interface Pattern {
  /** Whether the pattern matches anywhere in the text. */
  found(text: string): boolean;
  /** The same as work, where the text and the pattern are long together; otherwise undefined. */
  foundInTurns(text: string): Work<boolean> | undefined;
  /** The first match, undefined for none. */
  first(text: string): string | undefined;
  /** Matches from the left, at most `limit` of them. `far` is told of each that it took long to come to, and may throw. */
  all(text: string, limit: number, far: () => void): string[];
}

/** Milliseconds to a match. Each may be looked for up to the end of the text. */
const long = 0.1;

/** Longer patterns are refused, as they stand or with repetitions written out: to compile one takes that much time and memory. */
const longest = 10_000;

/** Characters times steps of the pattern that are looked at in a moment. */
const atOnce = 50_000;

const cacheSize = 1_000;
/**
 * Compiles an RE2 expression; the newest thousand are kept.
 *
 * @throws Error the text is no RE2 expression, or too long
 */
export const compilePattern = perKey((source: string): Pattern => {
  if (source.length > longest) throw new Error(`the expression is longer than ${longest} characters`);
  if (writtenOut(source) > longest)
    throw new Error(`the expression is longer than ${longest} characters with its repetitions written out`);
  if (/(?<!\\)\(\?<[A-Za-z_]/.test(source)) throw new Error('a group is named as in (?P<name>re)');
  return wrap(library().RE2JS.compile(source));
}, cacheSize);

/** A quotation or a class that does not end reaches to the end: the library says what is wrong with it. */
const token = /\\Q.*?(?:\\E|$)|\\.|\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*(?:\]|$)|\{(\d+)(?:,(\d*))?\}|./gs;

/** About how many steps a pattern has: each character or class is one, and each repetition that is counted stands by itself. */
function writtenOut(source: string): number {
  const open: number[] = [];
  let [sum, last] = [0, 0];
  for (const [text, least, most] of source.matchAll(token)) {
    if (least !== undefined) {
      const more = last * (Math.max(Number(least), Number(most ?? 0), 1) - 1);
      sum += more;
      last += more;
    } else if (text === '(') {
      open.push(sum);
      sum = 0;
    } else if (text === ')') {
      last = sum;
      sum += open.pop() ?? 0;
    } else {
      last = 1;
      sum++;
    }
  }
  return sum;
}

const programOf = (expression: Re2.RE2JS): Program => (expression.re2() as unknown as { prog: Program }).prog;

const wrap = (expression: Re2.RE2JS): Pattern => ({
  // Asked without where, the library answers a hundred times faster.
  found: (text) => expression.test(text),
  foundInTurns: (text) =>
    text.length * expression.programSize() > atOnce ? search(programOf(expression), text) : undefined,
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
