import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Work } from '../base/turns/work.ts';
import { compilePattern } from './regular-expression.ts';

const atom = fc.constantFrom(
  'a',
  'b',
  '.',
  '[ab]',
  '[^a]',
  '\\w',
  '\\b',
  '\\B',
  '^',
  '$',
  '(?i:A)',
  'é',
  '\\x{1F600}',
  '(?m:^)',
  '(?m:$)',
  '\\n',
);
const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'pattern' },
    atom,
    fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => one + other),
    fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `(?:${one}|${other})`),
    fc
      .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{2}', '{0,3}', '*?'))
      .map(([one, times]) => `(${one})${times}`),
  ),
}));
const texts = fc.string({ unit: fc.constantFrom('a', 'b', 'A', ' ', '\n', 'é', '😀', '\ud83d'), maxLength: 12 });
/** So long that it is work for any pattern, and nothing in it that a piece of the pattern would stop at. */
const filler = ' '.repeat(50_001);

/** What work comes to, and how often others had their turn. */
function done(work: Work<boolean> | undefined) {
  let step = work?.next();
  let turns = 0;
  for (; step?.done === false; step = work?.next()) turns++;
  return { found: step?.value, turns };
}

it('finds what the library finds, whatever the pattern', () => {
  fc.assert(
    fc.property(pattern, texts, (source, text) => {
      const compiled = compilePattern(source);
      for (const long of [text + filler, filler + text, text + filler + text])
        expect(done(compiled.foundInTurns(long)).found, JSON.stringify([source, text])).toBe(compiled.found(long));
    }),
    { numRuns: 150 },
  );
});

it('lets others have their turn, the more often the longer the pattern is', () => {
  const text = 'ab'.repeat(5_000);
  const [short, long] = ['[ab]{10}c', '[ab]{500}c'].map((source) => done(compilePattern(source).foundInTurns(text)));
  expect([short?.found, long?.found]).toEqual([false, false]);
  expect(short?.turns).toBeGreaterThan(2);
  expect(long?.turns).toBeGreaterThan(100);
});

it('does what takes no time at once', () => {
  expect(compilePattern('^[a-z]{1,63}$').foundInTurns('abc')).toBeUndefined();
});
