import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addQuantities,
  canonicalAmount,
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  subtractQuantities,
} from './quantity.ts';

const read = (text: string): Quantity => {
  const quantity = parseQuantity(text);
  if (!quantity) throw new Error(`no quantity: ${text}`);
  return quantity;
};

describe('the canonical text of a quantity', () => {
  test.each([
    ['0', '0'],
    ['0Gi', '0'],
    ['-0', '0'],
    ['1', '1'],
    // What says as many of the same stays as it is said.
    ['+5', '+5'],
    ['5.', '5.'],
    ['01', '01'],
    ['+1.Gi', '+1.Gi'],
    ['1e0', '1e0'],
    ['1e+3', '1e+3'],
    ['5.0', '5'],
    ['+1000', '1k'],
    ['1E+2', '100'],
    ['00', '0'],
    ['.', '0'],
    ['1e30', '1e30'],
    ['1e29', '100e27'],
    ['1.1e30', '1100e27'],
    ['.5', '500m'],
    ['0.5', '500m'],
    ['1000m', '1'],
    ['1500m', '1500m'],
    ['-1500m', '-1500m'],
    ['1000', '1k'],
    ['1500', '1500'],
    ['100000', '100k'],
    ['1000k', '1M'],
    ['999', '999'],
    ['1Gi', '1Gi'],
    ['1024Mi', '1Gi'],
    ['1000Ki', '1000Ki'],
    ['1.5Gi', '1536Mi'],
    ['.001Ki', '1024m'],
    ['.000000000001Ki', '2n'],
    ['1.1Gi', '1181116006400m'],
    ['1e3', '1e3'],
    ['123e4', '1230e3'],
    ['1E5', '100e3'],
    ['1E', '1E'],
    ['0.0000000001', '1n'],
    ['-0.0000000001', '-1n'],
    ['12E', '12E'],
    ['9223372036854775808', '9223372036854775808'],
    ['9Ei', '9223372036854775807'],
    ['1e-4000', '1e-9'],
    [' 2 ', '2'],
  ])('%s is written %s', (text, canonical) => {
    expect(canonicalQuantity(text)).toBe(canonical);
  });

  test.each(['', '-', 'x', '1ki', '1K', '1Kib', '1 Gi', '1e', 'e3', '--1', '1.2.3', '0x10', 'NaN', '1'.repeat(300)])(
    '%s is no quantity',
    (text) => {
      expect(canonicalQuantity(text)).toBeUndefined();
    },
  );
});

describe('arithmetic', () => {
  test('compares across notations', () => {
    expect(compareQuantities(read('1Gi'), read('1024Mi'))).toBe(0);
    expect(compareQuantities(read('1G'), read('1Gi'))).toBe(-1);
    expect(compareQuantities(read('1'), read('999m'))).toBe(1);
  });

  test('keeps the notation of the left side', () => {
    expect(formatQuantity(addQuantities(read('1Gi'), read('1024Mi')))).toBe('2Gi');
    expect(formatQuantity(addQuantities(read('0'), read('1Mi')))).toBe('1Mi');
    expect(formatQuantity(subtractQuantities(read('1'), read('100m')))).toBe('900m');
  });

  test('what is canonical stays as it is, and means the same', () => {
    const suffix = fc.constantFrom('', 'n', 'u', 'm', 'k', 'M', 'G', 'Ki', 'Mi', 'Gi', 'e3', 'E-2');
    fc.assert(
      fc.property(fc.integer({ min: -1e6, max: 1e6 }), fc.nat(999), suffix, (whole, fraction, unit) => {
        const text = `${whole}.${fraction}${unit}`;
        const canonical = canonicalQuantity(text) ?? '';
        expect(canonicalQuantity(canonical)).toBe(canonical);
        expect(compareQuantities(read(canonical), read(text))).toBe(0);
      }),
    );
  });

  test('any text is read or refused without an exception', () => {
    fc.assert(fc.property(fc.string({ maxLength: 400 }), (text) => void canonicalQuantity(text)));
  });
});

test.each([
  ['0.0001', '1m'],
  ['-100u', '-1m'],
  ['1500m', '1500m'],
  ['1Gi', '1Gi'],
  ['x', undefined],
])('as an amount of a resource, %s is %s', (text, amount) => {
  expect(canonicalAmount(text)).toBe(amount);
});
