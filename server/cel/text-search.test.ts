import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { worked } from '../../fixtures/worked.fixture.ts';
import { firstPlace, lastPlace, piecesOf } from './text-search.ts';

describe('a text in another', () => {
  const few = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 6 });
  const long = fc.tuple(few, fc.integer({ min: 20, max: 80 })).map(([text, times]) => text.repeat(times));

  it('is found where the language finds it', () => {
    const parts = fc.array(fc.oneof(few, long), { maxLength: 5 });
    fc.assert(
      fc.property(long, parts, fc.nat(600), (wanted, around, most) => {
        const text = around.join(wanted);
        expect(firstPlace(text, wanted)).toBe(text.indexOf(wanted));
        expect(lastPlace(text, wanted)).toBe(text.lastIndexOf(wanted));
        expect(lastPlace(text, wanted, most)).toBe(text.lastIndexOf(wanted, most));
        expect(piecesOf(text, wanted)).toEqual(text.split(wanted));
      }),
    );
  });

  it('is found soon, however alike they are', () => {
    const text = 'a'.repeat(400_000);
    const wanted = `${'a'.repeat(100_000)}b${'a'.repeat(100_000)}`;
    const started = worked();
    expect([firstPlace(text, wanted), lastPlace(text, wanted)]).toEqual([-1, -1]);
    expect(piecesOf(text, wanted)).toEqual([text]);
    expect(worked() - started).toBeLessThan(500);
  });
});
