import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { StatusError } from '../base/status-error.ts';
import { decodeJson, decodeJsonText } from './json.ts';

const mistakeOf = (body: string | Uint8Array): string => {
  try {
    decodeJson(typeof body === 'string' ? Buffer.from(body) : body);
  } catch (error) {
    if (error instanceof StatusError && error.status.code === 400) return error.message;
    throw error;
  }
  return 'none';
};

describe('values', () => {
  test.each(['null', '{}', '[]', '"x"', '1', '-0.5', ' \n {"a" : [1, true, null, "é😀\\n"]} \t'])(
    '%s is read as the engine does',
    (text) => {
      expect(decodeJsonText(text).value).toEqual(JSON.parse(text));
    },
  );

  test('integers beyond a double keep their digits', () => {
    expect(decodeJsonText('[9007199254740993, -9223372036854775808, 9007199254740991]').value).toEqual([
      9007199254740993n,
      -9223372036854775808n,
      9007199254740991,
    ]);
  });

  test('half a surrogate pair becomes a replacement character, in keys as well', () => {
    expect(decodeJsonText('{"a\\udc00":"\\ud800x","b":"\\ud83d\\ude00"}').value).toEqual({
      'a\ufffd': '\ufffdx',
      b: '😀',
    });
  });

  test('bytes that are not UTF-8 become replacement characters', () => {
    expect(decodeJson(Uint8Array.of(0x22, 0x61, 0xff, 0x22)).value).toBe('a\ufffd');
  });

  test('a key named __proto__ is a key like any other', () => {
    for (const text of ['{"__proto__":{"x":1}}', '{"__proto__":{"x":1.0}}']) {
      const { value } = decodeJsonText(text);
      expect(Object.keys(value as object)).toEqual(['__proto__']);
      expect((value as { x?: unknown }).x).toBeUndefined();
    }
  });

  test('numbers written with a fraction or exponent are remembered by their holder', () => {
    const { value, oddNumbers } = decodeJsonText('{"a":5.0,"b":[1,1e2],"c":7}');
    const { b } = value as { b: number[] };
    expect(oddNumbers.get(value as object)).toEqual(new Set(['a']));
    expect(oddNumbers.get(b)).toEqual(new Set(['1']));
  });
});

describe('mistakes', () => {
  test.each([
    ['', 'unexpected end of JSON input'],
    ['{"metadata":', 'unexpected end of JSON input'],
    ['"open', 'unexpected end of JSON input'],
    ['{"a":1} x', 'invalid character "x" after top-level value (offset 8)'],
    ['{"a":1,}', 'invalid character "}" looking for beginning of object key string (offset 7)'],
    ['[1,]', 'invalid character "]" looking for beginning of value (offset 3)'],
    ['{"a" 1}', 'invalid character "1" after object key (offset 5)'],
    ['{"a":1 "b":2}', 'invalid character "\\"" after object key:value pair (offset 7)'],
    ['[1 2]', 'invalid character "2" after array element (offset 3)'],
    ['[01]', 'invalid character "1" after array element (offset 2)'],
    ['nul', 'invalid character "n" looking for beginning of value (offset 0)'],
    ['"\\q"', 'invalid character "q" in string escape code (offset 2)'],
    ['"\\u12g4"', 'invalid character "u" in \\u hexadecimal character escape (offset 2)'],
    ['"a\nb"', 'invalid character "\\n" in string literal (offset 2)'],
    ['\ufeff{}', 'looking for beginning of value (offset 0)'],
    ['[1e999]', 'number 1e999 is out of range'],
  ])('%j is refused: %s', (text, message) => {
    expect(mistakeOf(text)).toContain(message);
  });

  test('nesting is bounded, however long the body', () => {
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    expect(mistakeOf(nested(1000))).toBe('none');
    expect(mistakeOf(nested(1001))).toContain('nested more than 1000 levels');
    expect(mistakeOf('['.repeat(3_000_000))).toContain('nested more than 1000 levels');
    expect(mistakeOf('{"a":'.repeat(500_000))).toContain('nested more than 1000 levels');
  });
});

describe('duplicate keys', () => {
  const duplicates = (text: string) => decodeJsonText(text).duplicates;

  test('the last one wins, and each is reported once with its path, in the order of the text', () => {
    const decoded = decodeJsonText(
      '{"data":{"a":"1","a":"2","a":"3"},"spec":{"x":[{"n":1},{"n":1,"n":2}]},"data":{"k":"4"}}',
    );
    expect(decoded.value).toEqual({ data: { k: '4' }, spec: { x: [{ n: 1 }, { n: 2 }] } });
    expect(decoded.duplicates).toEqual([
      'duplicate field "data.a"',
      'duplicate field "spec.x[1].n"',
      'duplicate field "data"',
    ]);
  });

  test('escapes spell the same key', () => {
    expect(duplicates('{"a":1,"\\u0061":2}')).toEqual(['duplicate field "a"']);
  });

  test('colons and braces inside strings are no keys', () => {
    expect(duplicates('{"a:":"{\\":\\"}","b\\\\":":"}')).toEqual([]);
  });

  test('they stand among the unknown fields in the order of the text, and inside an unknown field they do not count', () => {
    const decoded = decodeJsonText(
      '{"metadata":{"x":1,"labels":{"a":"1","a":"2"}},"bad":{"q":1,"q":2},"kind":"","kind":""}',
    );
    const root = decoded.value as { metadata: object };
    const unknown = [
      { path: 'metadata.x', holder: root.metadata, key: 'x' },
      { path: 'bad', holder: root, key: 'bad' },
    ];
    expect(decoded.faults(unknown)).toEqual([
      'unknown field "metadata.x"',
      'duplicate field "metadata.labels.a"',
      'unknown field "bad"',
      'duplicate field "kind"',
    ]);
  });

  test('so many are listed and no more', () => {
    const keys = Array.from({ length: 5000 }, (_, index) => `"k${index}":1,"k${index}":2`);
    expect(duplicates(`{${keys.join()}}`)).toHaveLength(1000);
  });
});

describe('any input', () => {
  test('the careful way agrees with the engine', () => {
    // Larger integers differ on purpose.
    const values = fc.json().filter((text) => !/\d{16}/.test(text));
    fc.assert(
      fc.property(values, (text) => {
        // A number with a fraction sends the text the careful way.
        expect(decodeJsonText(`[0.5,${text}]`).value).toEqual(JSON.parse(`[0.5,${text}]`));
        expect(decodeJsonText(text).value).toEqual(JSON.parse(text));
      }),
    );
  });

  test('nothing but a Status comes out of bytes at random', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void mistakeOf(bytes)));
  });

  test('nothing but a Status comes out of texts that are nearly JSON', () => {
    const part = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ':',
      ',',
      '"',
      '"a"',
      '1.5',
      '\\',
      '\\u',
      'd800',
      'true',
      'null',
      ' ',
      '-',
      'e5',
    );
    fc.assert(fc.property(fc.array(part, { maxLength: 40 }), (parts) => void mistakeOf(parts.join(''))));
  });
});
