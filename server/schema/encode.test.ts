import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeJson } from './encode.ts';
import { decodeJsonText } from './json.ts';

test('plain values are written compactly', () => {
  expect(encodeJson({ a: [1, 'x', null], b: undefined, c: {} })).toBe('{"a":[1,"x",null],"c":{}}');
});

test('large integers keep their digits wherever they stand', () => {
  const text = '{"a":[9007199254740993,{"b":-12345678901234567890,"c":"x"}],"__proto__":1}';
  expect(encodeJson(decodeJsonText(text).value)).toBe(text);
});

test('the slow way leaves out what the fast way leaves out', () => {
  expect(encodeJson({ a: 1n, b: undefined, c: [undefined, 1n] })).toBe('{"a":1,"c":[null,1]}');
});

test('what was written reads back the same', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.bigInt(), (value, large) => {
      const text = encodeJson([value, large]);
      expect(encodeJson(decodeJsonText(text).value)).toBe(text);
    }),
  );
});
