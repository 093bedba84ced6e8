import { type Fault, slip } from './fault.ts';

const errors = 'base/status-error.ts';
const discovery = 'request/discovery.ts';
const answer = 'request/list-answer.ts';

export const wordingSlips: readonly Fault[] = [
  slip(
    'words that mean something stand bare in YAML',
    ['content'],
    'schema/yaml-writer.ts',
    'plain.test(text) && !words.test(text)',
    'plain.test(text)',
  ),
  slip(
    'a list of metadata alone has whole objects',
    ['content'],
    answer,
    'shown: ({ value }) => partial(value, transform.version) });',
    'shown: ({ value }) => value });',
  ),
  slip(
    'a Table without objects has their metadata',
    ['content'],
    'registry/table.ts',
    "options.include === 'None' ? null : partial(",
    'partial(',
  ),
  slip(
    'protobuf knows no fractions of a second',
    ['content', 'event'],
    'schema/protobuf-encode.ts',
    "    .int32(Number(fraction.padEnd(9, '0')));",
    "    .int32(0 * Number(fraction.padEnd(9, '0')));",
  ),
  slip(
    'a page of metadata alone has no token',
    ['content', 'lists'],
    answer,
    'metadata: listMetadata(false, page) };',
    'metadata: { resourceVersion: String(page.revision) } };',
  ),
  slip(
    'a body without a type is refused',
    ['content'],
    'request/body.ts',
    "if (header === 'application/json' || !header?.trim()) return",
    "if (header === 'application/json') return",
  ),
  slip(
    'who is not found is not named in the details',
    ['responses', 'errors'],
    errors,
    ' not found`,\n    details: named(subject, name),',
    ' not found`,\n    details: {},',
  ),
  slip(
    'a name that is taken is not in the details',
    ['responses', 'errors'],
    errors,
    ' already exists`,\n    details: named(subject, name),',
    ' already exists`,\n    details: {},',
  ),
  slip(
    'a refusal tells the first cause alone',
    ['responses', 'component'],
    errors,
    '.slice(0, most.causes)',
    '.slice(0, 1)',
  ),
  slip(
    'discovery does not tell of what group a Scale is',
    ['versioning', 'paths', 'service'],
    discovery,
    '? { group: sub.group, version: sub.version }',
    '? {}',
  ),
  slip(
    'discovery has no singular names',
    ['versioning', 'service', 'kinds'],
    discovery,
    'singularName: singular,',
    "singularName: '',",
  ),
  slip(
    'the audit id that a client gives is not taken over',
    ['audit'],
    'request/exchange.ts',
    "this.header('audit-id')?.slice(0, 64) || randomUUID()",
    'randomUUID()',
  ),
  slip(
    'a list in YAML has its items without their metadata',
    ['content'],
    'request/list-answer.ts',
    'const { kind: _kind, apiVersion: _apiVersion, ...bare } = value;',
    'const { kind: _kind, apiVersion: _apiVersion, status: _status, ...bare } = value;',
  ),
];
