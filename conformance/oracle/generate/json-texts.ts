import type { Json } from '../../verbs/client.ts';

/** What may stand where a text is meant: texts in each spelling, and what is none. */
const values: readonly string[] = [
  ...[
    '"\\u0041\\u00e4"',
    '"\\ud83d\\ude00"',
    '"\\ud800"',
    '"\\udc00\\ud800"',
    '"\\u12G4"',
    '"\\u12"',
    '"\\x41"',
    '"\\a"',
  ],
  ...[
    '"\\/\\b\\f\\n\\r\\t\\""',
    '"a\nb"',
    '"a\tb"',
    '"\u0007"',
    '"\u007f"',
    '"\u2028"',
    '"<&>"',
    "'a'",
    '"open',
    'a',
    '""',
  ],
  ...['5', '-0', '1.5', '1e400', '-', '01', '1.', '.5', '+1', '1e', '0x1', 'NaN', 'Infinity', '12345678901234567890'],
  ...['true', 'True', 'null', 'nul', '[]', '{}', '["a"]', '{"a":"b"}', '', '/* said */ "a"', '"a" // said'],
];

/** Whole texts around an object. */
const frames: readonly ((text: string) => string)[] = [
  (text) => ` \n\t\r${text} \n`,
  (text) => `${text}${text}`,
  (text) => `${text},`,
  (text) => `${text}\0`,
  (text) => `[${text}]`,
  (text) => text.slice(0, -1),
  (text) => text.replace('{', '{,'),
  (text) => text.replace(',', ',,'),
  (text) => text.replace(':', ' '),
  (text) => text.replace(':', '='),
  (text) => text.replaceAll('"metadata"', '"metadat\\u0061"'),
  (text) => text.replaceAll('"metadata"', '"Metadata"'),
  (text) => text.replace('{', '{"metadata":null,'),
  (text) => text.replace('{', '{"":1,'),
  (text) => text.replace('{', '{"__proto__":{"a":1},"constructor":1,'),
  (text) => text.replaceAll('"', "'"),
];

/** An object with a note in each of these spellings, and its text otherwise framed. */
export function jsonTextsOf({ metadata, ...parts }: Json): readonly string[] {
  const whole = JSON.stringify({ ...parts, metadata });
  const noted = { ...parts, metadata: { ...metadata, annotations: { one: '<one>' } } };
  const [before = '', after = ''] = JSON.stringify(noted).split('"<one>"');
  return [...values.map((value) => `${before}${value}${after}`), ...frames.map((frame) => frame(whole))];
}
