import type { Json } from '../../verbs/json.ts';
import type { Shape } from './shape.ts';

type Texts = readonly string[];

/** What is of a format, and what is not. */
const texts: Readonly<Record<string, readonly [kept: Texts, refused: Texts]>> = {
  'date-time': [
    ['2020-01-02T03:04:05Z', '2020-01-02T03:04:05.123456+01:00', '2020-01-02t03:04:05z', '2024-12-31T23:59:59Z'],
    ['', '2020-01-02', '2020-13-02T03:04:05Z', '2020-02-30T00:00:00Z', '2020-01-02T24:00:00Z', '2020-01-02 03:04:05Z'],
  ],
  date: [
    ['2020-01-02', '2020-02-29', '2024-12-31', '0000-01-01'],
    ['x', '2020-1-2', '2020-02-30', '2021-02-29', '2020-04-31'],
  ],
  duration: [
    ['1s', '1h30m', '1.5h', '1ms', '2 weeks', '1 day'],
    ['', '1', 'x'],
  ],
  ipv4: [['1.2.3.4'], ['', '256.1.1.1', '1.2.3', '::1']],
  ipv6: [
    ['::1', '::ffff:1.2.3.4', '2001:db8::1'],
    ['x', '1.2.3.4', ':::', 'fe80::1%eth0'],
  ],
  cidr: [
    ['10.0.0.0/8', '10.0.0.1/8', '::/0'],
    ['x', '10.0.0.0', '10.0.0.0/33'],
  ],
  mac: [
    ['01:23:45:67:89:ab', '01-23-45-67-89-ab', '0123.4567.89ab'],
    ['x', '01:23:45:67:89'],
  ],
  uri: [
    ['http://a', '/a', 'mailto:a@b', 'urn:x:y'],
    ['', 'a', 'http://a b', '://x'],
  ],
  email: [['a@example.com'], ['', 'a', 'a b@example.com']],
  hostname: [
    ['example.com', 'a.b.example'],
    ['', 'a b'],
  ],
  uuid: [
    [
      '00000000-0000-0000-0000-000000000000',
      '00000000000000000000000000000000',
      'ABCDEF00-0000-4000-8000-000000000000',
    ],
    ['', 'x'],
  ],
  uuid3: [['00000000-0000-3000-8000-000000000000'], ['00000000-0000-4000-8000-000000000000', 'x']],
  uuid4: [['00000000-0000-4000-8000-000000000000'], ['00000000-0000-3000-8000-000000000000', 'x']],
  uuid5: [['00000000-0000-5000-8000-000000000000'], ['00000000-0000-4000-8000-000000000000', 'x']],
  bsonobjectid: [['507f1f77bcf86cd799439011'], ['507f1f77bcf86cd79943901', 'x']],
  ssn: [['111-22-3333'], ['111223333', 'x']],
  isbn10: [['0306406152'], ['030640615X', '9780306406157']],
  isbn13: [['9780306406157'], ['9780306406158', '0306406152']],
  hexcolor: [
    ['#fff', 'fff', '#FFFFFF'],
    ['#ffff', '#12345g'],
  ],
  rgbcolor: [
    ['rgb(0,0,0)', 'rgb(1, 2, 3)'],
    ['rgb(256,0,0)', 'x'],
  ],
  byte: [
    ['YQ==', 'YWI='],
    ['', 'YQ', 'YQ=', 'Y Q==', '-_-_'],
  ],
  binary: [['', 'a'], []],
  password: [['', 'a'], []],
  /** Of which nothing is known. */
  other: [['', 'a'], []],
};

const ofTexts = Object.entries(texts).map(
  ([format, [kept, refused]]): Shape => ({ schema: { type: 'string', format } as Json, kept, refused }),
);

/** Formats of texts, be they said of a value itself or of one of its branches. */
export const formats: readonly Shape[] = [
  ...ofTexts,
  { schema: { type: 'string', allOf: [{ format: 'date' }] }, kept: ['2020-01-01'], refused: ['x'] },
  { schema: { type: 'array', items: { type: 'string', format: 'date' } }, kept: [['2020-01-01']], refused: [['x']] },
];
