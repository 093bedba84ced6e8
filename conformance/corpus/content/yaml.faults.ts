import { answerHeader, answerStatus, requestHeader } from '../../sabotage/transforms.ts';
import { fault, slip } from '../fault.ts';

const yamlScalar = 'schema/yaml/scalar.ts';

const inYaml = { accept: /^application\/yaml/ };

/** YAML, read and written. */
export default [
  fault('YAML is said to be JSON', ['content'], answerHeader('content-type', 'application/json', { header: inYaml })),
  slip(
    'texts of digits stand bare in YAML',
    ['content'],
    'schema/yaml/writer.ts',
    'if (isDigits(value)) return `"${value}"`;',
    'if (isDigits(value)) return value;',
  ),
  slip(
    'words that mean something stand bare in YAML',
    ['content'],
    'schema/yaml/writer.ts',
    'plain.test(text) && !words.test(text)',
    'plain.test(text)',
  ),
  slip(
    'a whole number in YAML loses its first digit and is read as octal',
    ['content', 'fields'],
    yamlScalar,
    'const magnitude = BigInt(/^0[0-7]+$/.test(text) ? `0o${text.slice(1)}` : text);',
    'const magnitude = BigInt(!(/^0[0-7]+$/.test(text)) ? `0o${text.slice(1)}` : text);',
  ),
  slip(
    'whole numbers below zero lose their sign in YAML',
    ['content', 'fields'],
    yamlScalar,
    "const value = sign === '-' ? -magnitude : magnitude;",
    'const value = (magnitude);',
  ),
  slip(
    'a number without an end in YAML is null',
    ['content', 'fields'],
    yamlScalar,
    "return typeof number === 'number' && !Number.isFinite(number) ? undefined : number;",
    'return (number);',
  ),
  slip(
    'YAML in one line is too complex',
    ['content', 'apply'],
    'schema/yaml/document.ts',
    'if (at < 0) return false;',
    'if (!(at < 0)) return false;',
  ),
  slip(
    'a list in YAML has its items without their metadata',
    ['content'],
    'request/answer/list-answer.ts',
    'const { kind: _kind, apiVersion: _apiVersion, ...bare } = value;',
    'const { kind: _kind, apiVersion: _apiVersion, status: _status, ...bare } = value;',
  ),
  slip(
    'a yes in YAML is not quoted',
    ['content'],
    'schema/yaml/writer.ts',
    'const words = /^(?:y|n|yes|no|on|off|true|false|null)$/i;',
    'const words = /^(?:true|false|null)$/i;',
  ),
  slip(
    'keys that mean something stand bare in YAML',
    ['content'],
    'schema/yaml/writer.ts',
    'key: (name) => (isPlain(name)',
    'key: (name) => (plain.test(name)',
  ),
  slip(
    'empty lines within a text are lost in YAML',
    ['content'],
    'schema/yaml/writer.ts',
    'text.replace(/\\n(?=[^\\n])/g,',
    'text.replace(/\\n+(?=[^\\n])/g,',
  ),
  slip(
    'what is beyond the basic plane is lost in YAML',
    ['content', 'meta', 'params'],
    'schema/yaml/writer.ts',
    'if (isPlain(value)) return value;',
    "value = value.replace(/[\\u{10000}-\\u{10ffff}]/gu, '\\ufffd');\n        if (isPlain(value)) return value;",
  ),
  slip(
    'a carriage return is a new line in YAML',
    ['content', 'meta', 'params'],
    'schema/yaml/writer.ts',
    'if (isPlain(value)) return value;',
    "value = value.replace(/\\r\\n?/g, '\\n');\n        if (isPlain(value)) return value;",
  ),
  slip(
    'of two blanks in a long text one is lost in YAML',
    ['content', 'meta', 'params'],
    'schema/yaml/fold.ts',
    "if (!breaks || written[i - 1] === ' ' || written[i + 1] === ' ') continue;",
    'if (!breaks) continue;',
  ),
  slip(
    'integers beyond 53 bits are rounded in YAML',
    ['content', 'kinds', 'fields'],
    'schema/yaml/writer.ts',
    'return Number.isSafeInteger(value)',
    "if (typeof value === 'bigint') return String(BigInt(Number(value)));\n      return Number.isSafeInteger(value)",
  ),
  fault(
    'YAML that begins as a file does is refused',
    ['verbs', 'content'],
    answerStatus(400, { header: { 'content-type': /yaml/ }, body: /^---/ }),
  ),
  slip(
    'a text of digits in quotes is a number where YAML is read',
    ['apply', 'content', 'verbs'],
    'schema/yaml/scalar.ts',
    'if (tag === `${core}str` || (!plain && !tag)) return text;',
    'if (!plain && /^[1-9][0-9]*$/.test(text)) return Number(text);\n  if (tag === `${core}str` || (!plain && !tag)) return text;',
  ),
  slip(
    'a list in YAML has no kind and no metadata',
    ['lists', 'content'],
    'request/answer/list-form.ts',
    'tail: part((name) => name > member),',
    "tail: '',",
  ),
  slip(
    'an alias of YAML is nothing',
    ['verbs'],
    'schema/yaml/yaml.ts',
    'const built = this.value(target, depth + 1);',
    'const built = null;',
  ),
  slip(
    'a block of text in YAML loses its last line break',
    ['verbs'],
    'schema/yaml/yaml.ts',
    'return endsOpen ? text.slice(0, -1) : text;',
    "return endsOpen || (type?.startsWith('BLOCK_') && text.endsWith('\\n')) ? text.slice(0, -1) : text;",
  ),
  fault(
    'who sends YAML is answered in YAML, whatever he takes',
    ['content'],
    requestHeader('accept', 'application/yaml', { header: { 'content-type': /^application\/yaml/ } }),
  ),
];
