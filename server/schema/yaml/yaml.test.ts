import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { StatusError } from '../../base/status-error.ts';
import { decodeYaml, encodeYaml } from './yaml.ts';

const readBytes = async (bytes: Buffer) => decodeYaml(bytes);
const read = (text: string) => readBytes(Buffer.from(text));
const valueIn = async (text: string) => (await read(text)).value;

const mistakeOf = async (text: string): Promise<string> => {
  try {
    await read(text);
  } catch (error) {
    if (error instanceof StatusError && error.status.code === 400) return error.message;
    throw error;
  }
  return 'none';
};

describe('plain scalars follow YAML 1.1', () => {
  test.each([
    ['yes', true],
    ['y', true],
    ['On', true],
    ['TRUE', true],
    ['no', false],
    ['off', false],
    ['null', null],
    ['~', null],
    ['', null],
    ['1', 1],
    ['-7', -7],
    ['+7', 7],
    ['1_000', 1000],
    ['0x1F', 31],
    ['0b101', 5],
    ['0777', 511],
    ['08', 8],
    ['1e3', 1000],
    ['5.0', 5],
    ['.5', 0.5],
    ['18446744073709551616', 2 ** 64],
    ['2022-01-01', '2022-01-01'],
    ['2022-01-01T00:00:00Z', '2022-01-01T00:00:00Z'],
    ['1:30', '1:30'],
    ['yep', 'yep'],
    ['0x', '0x'],
    ['1__', '1__'],
    ['"yes"', 'yes'],
    ["'1'", '1'],
    ['!!str 5', '5'],
    ['!!int "7"', 7],
    ['!!binary aGk=', 'hi'],
    ['!mine x', 'x'],
  ])('%s', async (text, value) => {
    expect(await valueIn(`a: ${text}\n`)).toEqual({ a: value });
  });

  test('integers beyond a double keep their digits', async () => {
    expect(await valueIn('a: 9007199254740993')).toEqual({ a: 9007199254740993n });
  });

  test.each(['.inf', '-.INF', '.nan', '!!int x', '1e999'])('%s has no form in JSON', async (text) => {
    expect(await mistakeOf(`a: ${text}`)).toContain('cannot decode');
  });

  test('a version directive does not change that', async () => {
    expect(await valueIn('%YAML 1.2\n---\na: yes\nb: 2022-01-01\n')).toEqual({ a: true, b: '2022-01-01' });
  });
});

describe('documents', () => {
  test('the first one counts', async () => {
    expect(await valueIn('# a comment\n---\na: 1\n---\na: [broken\n')).toEqual({ a: 1 });
  });

  test('nothing at all is null', async () => {
    expect(await valueIn('')).toBeNull();
    expect(await valueIn('# only a comment\n')).toBeNull();
  });

  test('block scalars, flow style, explicit keys', async () => {
    expect(await valueIn('a: |\n  x\n  y\nb: >-\n  folded\n  text\nc: {d: [1, e]}\n? f\n: g\n')).toEqual({
      a: 'x\ny\n',
      b: 'folded text',
      c: { d: [1, 'e'] },
      f: 'g',
    });
  });

  test.each([
    ['a: |\n  x', 'x'],
    ['a: |\n  x\n', 'x\n'],
    ['a: |\n  x\n  ', 'x\n'],
    ['a: |\n  x\n# end', 'x\n'],
    ['a: |+\n  x', 'x'],
    ['a: |-\n  x', 'x'],
    ['a: >\n  x\n  y', 'x y'],
    ['a: |\n  x\n\n  y', 'x\n\ny'],
    ['a: |', ''],
  ])('the last line of the block in %j ends as it was written', async (text, value) => {
    expect(await valueIn(text)).toEqual({ a: value });
  });

  test('keys become text, and __proto__ is a key like any other', async () => {
    const value = await valueIn('1: a\ntrue: b\n__proto__: {x: 1}\n');
    expect(Object.keys(value as object)).toEqual(['1', 'true', '__proto__']);
    expect((value as { x?: unknown }).x).toBeUndefined();
  });

  test('JSON is YAML, but its numbers have no written form', async () => {
    const decoded = await read(' {"a": 5.0}');
    expect(decoded.value).toEqual({ a: 5 });
    expect(decoded.oddNumbers.size).toBe(0);
  });
});

describe('duplicate keys', () => {
  test('are reported by line, ahead of unknown fields', async () => {
    const decoded = await read('metadata:\n  name: x\ndata:\n  a: "1"\n  a: "2"\nnosuch: 1\n');
    expect(decoded.value).toMatchObject({ data: { a: '2' } });
    expect(decoded.faults([{ path: 'nosuch', holder: decoded.value as object, key: 'nosuch' }])).toEqual([
      'line 5: key "a" already set in map',
      'unknown field "nosuch"',
    ]);
  });

  test('also in JSON sent as YAML', async () => {
    expect((await read('{"a":1,"a":2}')).duplicates).toEqual(['line 1: key "a" already set in map']);
  });
});

describe('anchors', () => {
  test('an alias is a copy of its own', async () => {
    const { a, b } = (await valueIn('a: &x {k: [v]}\nb: *x\n')) as { a: object; b: object };
    expect(b).toEqual(a);
    expect(b).not.toBe(a);
  });

  test('merge keys fill in what is not there', async () => {
    expect(
      await valueIn('a: &x {k: 1, l: 2}\nb: &y {k: 3}\nc: {<<: [*y, *x], m: 4}\nd:\n  l: 9\n  <<: *x\n'),
    ).toMatchObject({
      c: { k: 3, l: 2, m: 4 },
      d: { k: 1, l: 9 },
    });
  });

  test('merging what was merged does not go off either', async () => {
    const keys = Array.from({ length: 2000 }, (_, n) => `k${n}: 1`).join(', ');
    expect(await mistakeOf(`${'{<<: '.repeat(200)}{${keys}}${'}'.repeat(200)}`)).toContain('excessive aliasing');
    expect(await valueIn(`${'{<<: '.repeat(20)}{a: 1}${'}'.repeat(20)}`)).toEqual({ a: 1 });
  });

  test('a bomb does not go off', async () => {
    const lines = Array.from({ length: 9 }, (_, index) => {
      const items = index === 0 ? Array(9).fill('"lol"') : Array(9).fill(`*a${index - 1}`);
      return `k${index}: &a${index} [${items.join(', ')}]`;
    });
    expect(await mistakeOf(lines.join('\n'))).toContain('excessive aliasing');
  });

  test.each([
    ['a: *nope', "unknown anchor 'nope'"],
    ['a: &x [*x]', 'contains itself'],
    ['a: {<<: 1}', 'map merge requires'],
  ])('%s is refused', async (text, message) => {
    expect(await mistakeOf(text)).toContain(message);
  });
});

describe('mistakes', () => {
  test.each([
    ['metadata: [\n', 'yaml: line 2'],
    ['a: b: c', 'yaml: line 1'],
    ['a:\n\tb: 1\n', 'yaml: line 2: Tabs'],
    ['? [a]\n: b', 'cannot be a key'],
    ['a: { ~: b }', 'cannot be a key'],
    [': b', 'cannot be a key'],
    ['"open', 'yaml: line 1'],
    ['a: @x', 'yaml: line 1'],
  ])('%j is refused: %s', async (text, message) => {
    expect(await mistakeOf(text)).toContain(message);
  });

  test.each(['[', '{a: ', '- ', '? '])('nesting by %j is bounded', async (opening) => {
    expect(await mistakeOf(opening.repeat(100_000))).toContain('nested more than 500 levels');
  });

  test('a body of too many small parts is refused early', async () => {
    expect(await mistakeOf('k: v\n'.repeat(600_000))).toContain('too complex');
    expect(await mistakeOf(`a: |\n${'  x\n'.repeat(400_000)}`)).toContain('too complex');
  });

  test('nothing but a Status comes out of texts that are nearly YAML', async () => {
    const part = fc.constantFrom(
      'a',
      ': ',
      '- ',
      '\n',
      '  ',
      '[',
      ']',
      '{',
      '}',
      ', ',
      '"',
      "'",
      '|',
      '>',
      '&x ',
      '*x',
      '<<: ',
      '? ',
      '#',
      '---\n',
      '!!int ',
      '\t',
      '%',
      '~',
      '1',
      '=',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 30 }), async (parts) => void (await mistakeOf(parts.join('')))),
      { numRuns: 1000 },
    );
  });

  test('nothing but a Status comes out of text at random', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 60 }), async (text) => void (await mistakeOf(text))),
    );
  });
});

describe('characters', () => {
  test.each([
    ['no UTF-8', Buffer.from([0x61, 0x3a, 0x20, 0xff])],
    ['no UTF-8 in what is JSON otherwise', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['a control character', Buffer.from('a: "\u0001"')],
    ['a control character in what is JSON otherwise', Buffer.from('{"a":"\u007f"}')],
    ['half of a pair', Buffer.from('{"a":"\\ud800"}')],
    ['halves that would be a pair in JSON', Buffer.from('{"a":"\\ud83d\\ude00"}')],
  ])('%s is refused', async (_title, body) => {
    await expect(readBytes(body)).rejects.toThrow(StatusError);
  });

  test.each([
    ['{"a":"\\\\ud800"}', { a: '\\ud800' }],
    ['a: "\u0085\t\u00a0😀"', { a: '\u0085\t\u00a0😀' }],
  ])('%j is text', async (text, value) => {
    expect(await valueIn(text)).toEqual(value);
  });
});

test.each(['{"a":', '{"a":{}', '["a"', '{"a":"1"'])('%j, which has no end, is refused', async (text) => {
  await expect(valueIn(text)).rejects.toThrow(StatusError);
});

test.each([
  ...['{"a":"1"}x', '{a: "1"} ]', '{"a":"1"}\n---\n{"a":"2"}'],
  ...['{"a":"1"}{"a":"2"}', '# x\n--- !!map {"a":"1"} [2]', '{"a":"1"}\n{"a":"2"}'],
])('what follows the brackets of %j is not looked at', async (text) => {
  expect(await valueIn(text)).toEqual({ a: '1' });
});

describe('writing', () => {
  test('keys are sorted, and text that looks like something else is quoted', () => {
    expect(
      encodeYaml({
        b: ['yes', '1', '2020-01-01'],
        a: { c: 'x: y', s: '*', d: undefined, e: null },
        f: 12345678901234567890n,
      }),
    ).toBe(`a:\n  c: 'x: y'\n  e: null\n  s: '*'\nb:\n- "yes"\n- "1"\n- "2020-01-01"\nf: 12345678901234567890\n`);
  });

  test.each([1, 'x', null, [{ a: 1 }], { a: '<<' }])('a key that would fill in maps is quoted (%j)', async (value) => {
    const text = encodeYaml({ '<<': value, b: 0 });
    expect(text).toMatch(/^"<<":/);
    expect(await valueIn(text)).toEqual({ '<<': value, b: 0 });
  });

  test('long text goes on in the next line at its first space behind the width', () => {
    const text = `${'word '.repeat(30)}end`;
    const head = (length: number) => 'word '.repeat(30).slice(0, length).trimEnd();
    expect(encodeYaml({ a: { key: text }, b: [text], c: `# ${text}` })).toBe(
      [
        'a:',
        `  key: ${head(75)}`,
        `    ${text.slice(75, 155)}`,
        'b:',
        `- ${head(80)}`,
        `  ${text.slice(80)}`,
        `c: '# ${head(80)}`,
        `  ${text.slice(80)}'`,
        '',
      ].join('\n'),
    );
    const unbroken = 'x'.repeat(200);
    expect(encodeYaml({ a: unbroken, b: 'two  spaces'.repeat(20) })).toBe(
      `a: ${unbroken}\nb: ${'two  spaces'.repeat(20)}\n`,
    );
  });

  test('long text of any words reads back the same', async () => {
    const words = fc.array(fc.string({ maxLength: 12 }), { minLength: 5, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(fc.record({ a: words, b: fc.record({ c: words }) }), async ({ a, b }) => {
        const value = { a: a.join(' '), b: { c: b.c.join(' ') }, d: [a.join(' ')] };
        expect(await valueIn(encodeYaml(value))).toEqual(value);
      }),
    );
  });

  test.each([
    '0o7',
    '-0o17',
    '0o7777777777777777777777',
    '0b101',
    '0x1f',
    '017',
    '1_000',
    '1e5',
    '.5',
    '+.inf',
    '~',
    'y',
  ])('text that reads like %s is quoted', async (text) => {
    const value = { [text]: text, all: [text] };
    expect(await valueIn(encodeYaml(value))).toEqual(value);
  });

  test('what was written reads back the same', async () => {
    const numeric = fc.stringMatching(/^[-+0-9a-fxoXOB_.eE:]{1,9}$/);
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(
          fc.oneof(fc.string(), numeric, fc.constant('<<')),
          fc.oneof(fc.string(), numeric, fc.integer(), fc.boolean(), fc.array(fc.string()), fc.constant({ a: '<<' })),
        ),
        async (value) => {
          expect(await valueIn(encodeYaml(value))).toEqual(value);
        },
      ),
    );
  });
});
