import type { Json } from '../../verbs/client.ts';

/** What may stand in a map of texts: values and keys in each manner that YAML knows, and in some that it does not. */
const notes: readonly string[] = [
  'one: &x some\n two: *x',
  'one: *none',
  'one: &x a\n &x two: b\n three: *x',
  '<<: {three: "3"}\n one: "1"',
  '<<: [{three: "3"}, {three: "4", four: "4"}]',
  '<<: text',
  'base: &b {a: b}\n <<: *b',
  'one: !!str 5',
  'one: !!str yes',
  'one: !!int "5"',
  'one: !!binary YQ==',
  'one: !!null x',
  'one: !other a',
  '!!str one: a',
  ...[
    'yes',
    'y',
    'On',
    '~',
    '',
    '5',
    '0x1f',
    '0o14',
    '014',
    '1_000',
    '12:30',
    '1e3',
    '.inf',
    '2001-02-03',
    '-',
    '[]',
  ].map((bare) => `one: ${bare}`),
  ...['"a\\x41\\u00e4\\e"', '"a\\\n   b"', "'it''s'", '"a\n\n   b"', '"\\q"', '"open', '@a', '`a', '%a', '| a'].map(
    (quoted) => `one: ${quoted}`,
  ),
  ...['|', '|-', '|+', '>', '>-', '|2', '|9'].map((style) => `one: ${style}\n    a\n    b\n\n`),
  'one: a\n   b\n   c',
  'one: a # said\n # more\n two: b',
  'one: a: b',
  '? one\n : a',
  '? [a, b]\n : c',
  '? |\n   long\n : c',
  'one: a\n one: b',
  '5: five\n true: yes\n ~: none',
  '"one": a\n \'two\': b',
  '{one: a, two: b}',
  '{one: a, two: b,}',
  '{one, two: b}',
  '{one: a',
  '\tone: a',
  'one: a\n  two: b',
  'one:a',
];

/** Around a whole document. */
const frames: readonly ((text: string) => string)[] = [
  (text) => `---\n${text}`,
  (text) => `--- # said\n${text}...\n`,
  (text) => `%YAML 1.1\n---\n${text}`,
  (text) => `%YAML 1.2\n---\n${text}`,
  (text) => `%TAG ! tag:example.com,2000:\n---\n${text}`,
  (text) => `# said\n\n${text}\n# more`,
  (text) => `${text}---\n${text}`,
  (text) => `---\n---\n${text}`,
  (text) => `${text}---\n`,
  (text) => `${text}...\nmore: 1\n`,
  (text) => `\ufeff${text}`,
  (text) => text.replaceAll('\n', '\r\n'),
  (text) => `&all ${text}`,
  (text) => `- ${text.trimEnd().replaceAll('\n', '\n  ')}\n`,
  (text) => text.trimEnd(),
  () => '# nothing\n',
  () => '---\n',
  () => '~\n',
];

/** A line for each member, what it holds as JSON. */
const linesOf = (object: Json, indent = ''): string =>
  Object.entries(object)
    .map(([name, value]) => `${indent}${name}: ${JSON.stringify(value)}\n`)
    .join('');

/** The same object in all these texts, as long as they can be read. */
export function yamlTextsOf({ metadata, ...parts }: Json): readonly string[] {
  const { annotations: _, ...rest } = metadata;
  const head = `${linesOf(parts)}metadata:\n${linesOf(rest, '  ')}`;
  const noted = notes.map((note) => `${head}  annotations:\n    ${note.replaceAll('\n ', '\n    ')}\n`);
  const flow = `${JSON.stringify({ ...parts, metadata: rest }).slice(0, -1)}, # said\n}`;
  return [...noted, ...frames.map((frame) => frame(head)), flow];
}
