import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ContinueTokens, InvalidTokenError } from './continue-token.ts';

describe('continue tokens', () => {
  const tokens = new ContinueTokens();

  it.each([
    { revision: 12, after: 'default/a' },
    { revision: Number.MAX_SAFE_INTEGER, after: '' },
    { revision: 1, after: 'ключ/"\\\u0000🔑' },
    { after: 'a' },
  ])('give back what they were made of: %j', (position) => {
    const token = tokens.encode(position);
    expect(token).toMatch(/^[-\w]+$/);
    expect(tokens.decode(token)).toEqual(position);
  });

  it('go on at the newest state when no revision is given', () => {
    expect(tokens.decode(tokens.encode({ revision: undefined, after: 'a' }))).toEqual({ after: 'a' });
  });

  it.each([
    ['nothing', ''],
    ['no base64url', 'a b'],
    ['too short', 'AAAA'],
    ['JSON of somebody else', Buffer.from('{"v":1,"rv":5,"after":"a"}').toString('base64url')],
    ['a MAC and nothing more', 'A'.repeat(43)],
    ['endless', 'A'.repeat(1_000_000)],
  ])('are refused: %s', (_, text) => {
    expect(() => tokens.decode(text)).toThrow(InvalidTokenError);
  });

  it('of another server are refused, unless it has the same key', () => {
    const key = Buffer.alloc(32, 7);
    const token = new ContinueTokens(key).encode({ revision: 5, after: 'a' });
    expect(() => tokens.decode(token)).toThrow(InvalidTokenError);
    expect(new ContinueTokens(key).decode(token)).toEqual({ revision: 5, after: 'a' });
  });

  it('are refused when a single bit was changed', () => {
    const bytes = Buffer.from(tokens.encode({ revision: 5, after: 'default/a' }), 'base64url');
    fc.assert(
      fc.property(fc.nat(bytes.length * 8 - 1), (bit) => {
        const changed = Buffer.from(bytes);
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        expect(() => tokens.decode(changed.toString('base64url'))).toThrow(InvalidTokenError);
      }),
    );
  });

  it('of any text are refused, never a crash', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(() => tokens.decode(text)).toThrow(InvalidTokenError);
      }),
    );
  });
});
