import type { Json } from '../../../verbs/client.ts';
import type { Scenario } from '../../play/scenario.ts';
import { dryBeside } from '../story.ts';
import { following, placed } from './demands.ts';
import { TypeStory, version } from './type-story.ts';

/** What a field has to be, and values of it, good and bad: each is tried on all fields of its type at once. */
interface Constructs {
  readonly schema: Json;
  readonly rules: readonly string[];
  readonly values: readonly Json[];
}

const texts: Constructs = {
  schema: { type: 'string', maxLength: 60 },
  rules: [
    "self.startsWith('a')",
    "self.endsWith('c')",
    "self.contains('b')",
    "!self.contains('b')",
    "self.matches('^[a-c]+$')",
    'size(self) == 3',
    'self.size() > 2',
    "self.lowerAscii() == 'abc'",
    "self.upperAscii() == 'ABC'",
    "self.indexOf('b') == 1",
    "self.indexOf('b', 2) == -1",
    "self.lastIndexOf('a') > 0",
    "self.replace('a', 'b') == 'bbc'",
    "self.replace('a', 'b', 1) == 'bbca'",
    "self.split('-').size() == 2",
    "size(self) < 2 || self.substring(1) == 'bc'",
    "size(self) < 2 || self.substring(1, 2) == 'b'",
    "self.trim() == 'abc'",
    "self.charAt(0) == 'a'",
    "self.find('[0-9]+') == '12'",
    "self.findAll('[0-9]').size() == 2",
    "self.findAll('[0-9]', 1).size() == 1",
    'isURL(self)',
    "isURL(self) && url(self).getScheme() == 'https'",
    "isURL(self) && url(self).getHost() == 'example.com:80'",
    "isURL(self) && url(self).getHostname() == 'example.com'",
    "isURL(self) && url(self).getPort() == '80'",
    "isURL(self) && url(self).getEscapedPath() == '/a%20b'",
    "isURL(self) && url(self).getQuery() == {'a': ['b', 'c']}",
    "self in ['abc', 'x']",
    "self < 'b'",
    "self >= 'abc'",
    "self == 'abc' ? true : self.size() > 5",
    'int(self) > 5',
    'double(self) > 1.2',
    "duration(self) > duration('1h')",
    'duration(self).getMinutes() == 90',
    'duration(self).getMilliseconds() > 5400',
    "string(duration(self)) == '5400s'",
    "string(timestamp(self)) == '2024-05-06T07:08:09Z'",
    'int(timestamp(self)) > 1700000000',
    "timestamp(self).getHours('Europe/Berlin') == 9",
    "timestamp(self) - duration('1h') < timestamp('2024-05-06T06:30:00Z')",
    'timestamp(self) - timestamp(self) == duration(self)',
    "self == 'abc' || bool(self)",
    'uint(self) == 12u',
    "string(double(self)) == '1.5'",
    "bytes(self) < b'b'",
    "bytes(self) == b'abc'",
    "self.findAll('.').size() > 2",
    "timestamp(self) > timestamp('2024-01-01T00:00:00Z')",
    'timestamp(self).getFullYear() == 2024 && timestamp(self).getMonth() == 4',
    'timestamp(self).getDayOfWeek() == 1 && timestamp(self).getHours() == 7',
    'bytes(self).size() == 3',
    'type(self) == string',
    "string(size(self)) == '3'",
    "self + 'd' == 'abcd'",
    "['a', 'b', 'c'].exists(x, self == x)",
    "self == '' || self.startsWith('a') && self.endsWith('c')",
  ],
  values: [
    ...['abc', 'ABC', 'a1b2', 'b', '12', '1.5', '1h30m', '2024-05-06T07:08:09Z', ' abc ', 'x-y', '', 'abca', 'ä😀'],
    ...['https://example.com:80/a%20b?a=b&a=c', 'http://a', '/path/alone'],
  ],
};

const numbers: Constructs = {
  schema: { type: 'integer' },
  rules: [
    'self % 2 == 0',
    'self / 2 == 3',
    'self * 2 > 10',
    'self - 1 < 0',
    '-self > 0',
    'self >= 1 && self <= 5 || self == 9',
    'self in [1, 2]',
    'double(self) / 2.0 == 2.5',
    'self < 0 || uint(self) == 3u',
    'self != 3',
    '10 / self > 2',
    'self + 9223372036854775807 > 0',
    'type(self) == int',
    "string(self) == '5'",
    'dyn(self) == 5.0',
    'dyn(self) < 2.5',
    'self * 1000000000000000000 > 0',
    "timestamp(self) == timestamp('1970-01-01T00:00:05Z')",
    '[1, 2, 3][self] == 2',
    "{1: 'a', 2: 'b'}[self] == 'a'",
    'double(self) * 0.1 == 0.5',
    'self % 3 == -1',
  ],
  values: [0, 1, 2, 3, 5, 6, 7, 9, -1],
};

const lists: Constructs = {
  schema: { type: 'array', maxItems: 6, items: { type: 'integer' } },
  rules: [
    'self.all(x, x > 0)',
    'self.exists(x, x == 3)',
    'self.exists_one(x, x > 2)',
    'self.map(x, x * 2) == [2, 4, 6]',
    'self.map(x, x > 1, x).size() == 2',
    'self.filter(x, x > 1).size() == 2',
    'self.isSorted()',
    'size(self) == 0 || self.max() == 3',
    'size(self) == 0 || self.min() == 1',
    'self.sum() == 6',
    'self.indexOf(2) == 1',
    'self.lastIndexOf(2) == 2',
    'self[0] == 1',
    'self + [4] == [1, 2, 3, 4]',
    '3 in self',
    'self == [1, 2, 3]',
    'size(self) > 2 && self[2] == 3',
    'self.sum() / size(self) >= 1',
    "self.map(x, string(x)) == ['1', '2', '3']",
    'self.exists(x, 10 / x > 4)',
    'self.all(x, x in self)',
    'self.filter(x, x > 5) == []',
    'self != self.map(x, x)',
  ],
  values: [[1, 2, 3], [3, 2, 1], [], [1], [2, 2, 2], [1, 3, 2], [0, -1, 5, 3]],
};

const maps: Constructs = {
  schema: { type: 'object', maxProperties: 5, additionalProperties: { type: 'integer' } },
  rules: [
    "self.all(k, k.startsWith('o'))",
    "'one' in self",
    "self['one'] == 1",
    'has(self.one)',
    'size(self) == 2',
    'self.exists(k, self[k] > 1)',
    "self == {'one': 1}",
    'self.exists_one(k, self[k] == 1)',
  ],
  values: [{}, { one: 1 }, { one: 2, other: 1 }, { two: 2 }, { one: 1, two: 1, of: 9 }],
};

const objects: Constructs = {
  schema: {
    type: 'object',
    properties: {
      a: { type: 'string', maxLength: 9 },
      b: { type: 'integer', default: 3 },
      'a-b': { type: 'string' },
      namespace: { type: 'string' },
      n: { type: 'string', nullable: true },
      s: { type: 'array', maxItems: 4, 'x-kubernetes-list-type': 'set', items: { type: 'string', maxLength: 4 } },
      p: { 'x-kubernetes-int-or-string': true },
    },
  },
  rules: [
    'has(self.a)',
    "has(self.a) && self.a == 'x'",
    '!has(self.a) || self.b > 3',
    'self.b == 3',
    "!has(self.a__dash__b) || self.a__dash__b == 'x'",
    "!has(self.__namespace__) || self.__namespace__ == 'x'",
    'has(self.n)',
    "!has(self.s) || self.s == ['b', 'a']",
    "!has(self.s) || self.s + ['a'] == ['a', 'b']",
    '!has(self.p) || type(self.p) == int',
    "!has(self.p) || (type(self.p) == string ? self.p == '5%' : self.p > 4)",
  ],
  values: [
    {},
    { a: 'x', b: 4 },
    { a: 'y', b: 3, 'a-b': 'y', namespace: 'x' },
    { 'a-b': 'x', namespace: 'y', n: null },
    { n: 'told', s: ['a', 'b'], p: 5 },
    { s: ['a'], p: '5%' },
    { s: [], p: 3 },
  ],
};

/** A field for each rule, all of one type. */
const fieldsOf = ({ schema, rules }: Constructs): Json =>
  Object.fromEntries(
    rules.map((rule, at) => [`r${at}`, { ...schema, 'x-kubernetes-validations': [{ rule, message: `r${at}` }] }]),
  );

/** The same value in all of them. */
const filled = (rules: readonly string[], value: Json): Json =>
  Object.fromEntries(rules.map((_, at) => [`r${at}`, value]));

/** A type of such fields, and new objects of it with one value after the other. */
function tried(at: TypeStory, properties: Json, specs: readonly Json[]): void {
  at.define([version('v1', { storage: true, properties })]);
  at.await('v1');
  for (const spec of specs) at.create('v1', 'some', spec, dryBeside);
}

const expressions =
  (constructs: Constructs) =>
  (at: TypeStory): void => {
    const specs = constructs.values.map((value) => filled(constructs.rules, value));
    tried(at, fieldsOf(constructs), specs);
  };

const formats = [
  ...['date', 'date-time', 'datetime', 'duration', 'ipv4', 'ipv6', 'cidr', 'uri', 'email', 'hostname', 'mac'],
  ...['uuid', 'uuid3', 'uuid4', 'uuid5', 'isbn', 'isbn10', 'isbn13', 'creditcard', 'ssn', 'hexcolor', 'rgbcolor'],
  ...['byte', 'password', 'bsonobjectid', 'unknown'],
];

const formed: readonly string[] = [
  ...['', 'some', '2024-05-06', '2024-13-06', '2024-05-06T07:08:09Z', '2024-05-06T07:08:09.123+02:00'],
  ...['1h30m', '5 days', '10.1.2.3', '10.1.2.300', 'fd00::1', '::ffff:10.1.2.3', '10.0.0.0/8', 'fd00::/8'],
  ...['https://example.com/a', '/a b', 'a@example.com', 'A <a@example.com>', 'a.example.com', '-a'],
  ...['00:11:22:33:44:55', '0011.2233.4455', '6ba7b810-9dad-11d1-80b4-00c04fd430c8'],
  ...['6ba7b810-9dad-41d1-80b4-00c04fd430c8', '6BA7B8109DAD51D180B400C04FD430C8', '0-306-40615-2'],
  ...['978-0-306-40615-7', '4111 1111 1111 1111', '111-22-3333', '#fff', '#12345', 'rgb(1,2,300)', 'rgb(1,2,3)'],
  ...['YQ==', 'YQ', '507f1f77bcf86cd799439011'],
];

/** Every format by its name, with what may be of one or another. */
function ofFormats(at: TypeStory): void {
  const properties = Object.fromEntries(formats.map((format, one) => [`r${one}`, { type: 'string', format }]));
  const specs = formed.map((value) => filled(formats, value));
  tried(at, properties, specs);
}

/** Types of every sort of rule, and of every format. */
export const constructScenarios: readonly Scenario[] = Object.entries({
  'expressions on texts': expressions(texts),
  formats: ofFormats,
  'expressions on lists': expressions(lists),
  'expressions on numbers': expressions(numbers),
  'expressions on objects': expressions(objects),
  'expressions on maps': expressions(maps),
  'demands at every place': placed,
  'changes at every place': following,
}).map(([name, tell]) => {
  const at = new TypeStory();
  tell(at);
  return at.story.scenario(`a type of ${name}`, 'sequences', 1);
});
