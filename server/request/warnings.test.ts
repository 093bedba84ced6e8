import { describe, expect, it } from 'vitest';
import { Warnings } from './warnings.ts';

function after(...texts: readonly string[]): readonly string[] {
  const warnings = new Warnings();
  for (const text of texts) warnings.add(text);
  return warnings.texts;
}

describe('the warnings of an answer', () => {
  it.each([
    ['come once each, in order', ['b', 'a', 'b'], ['b', 'a']],
    ['are no empty texts', ['', 'a'], ['a']],
    ['hold no control characters', ['line\nbreak', 'tab\t', '\u007f', 'fine – größer'], ['fine – größer']],
  ])('%s', (_, given, kept) => expect(after(...given)).toEqual(kept));

  it('may be long, as long as they are few', () => {
    const long = 'x'.repeat(4096);
    expect(after(long)).toEqual([long]);
  });

  it('end with the one that makes them too long together, if cutting them makes no room', () => {
    const texts = Array.from({ length: 30 }, (_, i) => `w${i} `.padEnd(200, 'y'));
    expect(after(...texts)).toEqual(texts.slice(0, 21));
  });

  it('are cut once they are too long together, by characters and not by halves of them', () => {
    const cut = after('𝒙'.repeat(300), 'y'.repeat(4000), 'late');
    expect(cut).toEqual(['𝒙'.repeat(256), 'y'.repeat(256), 'late']);
    expect(after('z'.repeat(5000))).toEqual(['z'.repeat(256)]);
  });
});
