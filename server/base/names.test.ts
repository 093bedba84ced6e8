import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { worked } from '../../fixtures/worked.fixture.ts';
import * as names from './names.ts';

const long = (length: number) => 'a'.repeat(length);

type Check = (text: string) => readonly string[];

/** Each text with the number of problems it has. */
const tables: readonly [string, Check, Readonly<Record<string, number>>][] = [
  [
    'dnsSubdomain',
    names.dnsSubdomain,
    {
      'a.b-c.d': 0,
      a1: 0,
      '': 1,
      'A.b': 1,
      'a..b': 1,
      'a.-b': 1,
      'a.': 1,
      [long(253)]: 0,
      [long(254)]: 1,
      [`${long(254)}_`]: 2,
    },
  ],
  ['dnsLabel', names.dnsLabel, { 'a-b': 0, '1': 0, '-a': 1, 'a.b': 1, '': 1, [long(63)]: 0, [long(64)]: 1 }],
  ['dns1035Label', names.dns1035Label, { 'a-1': 0, '1a': 1, 'a-': 1 }],
  ['wildcardSubdomain', names.wildcardSubdomain, { '*.a.b': 0, '*': 1, 'a.*': 1, '*.*.b': 1, '*a.b': 1 }],
  ['fullyQualifiedDomain', names.fullyQualifiedDomain, { 'a.b': 0, 'a.b.': 0, a: 1, 'A.b': 1, '*.a.b': 1 }],
  [
    'qualifiedName',
    names.qualifiedName,
    { A_b: 0, 'example.com/Name': 0, 'a/b/c': 1, '/a': 1, 'a/': 2, '': 2, 'A b/c': 1, 'A b': 1, [`x/${long(64)}`]: 1 },
  ],
  ['labelValue', names.labelValue, { '': 0, 'A_b.c': 0, '-a': 1, 'a b': 1, [long(63)]: 0, [long(64)]: 1 }],
  ['pathSegment', names.pathSegment, { 'Any thing:é': 0, '.': 1, '..': 1, 'a/b': 1, 'a%b': 1, 'a/%': 2, '...': 0 }],
  [
    'portName',
    names.portName,
    { http: 0, 'a-1': 0, HTTP: 2, '80': 1, 'a--b': 1, '-a': 1, [long(15)]: 0, [long(16)]: 1 },
  ],
  [
    'configMapKey',
    names.configMapKey,
    { 'a.B_c-d': 0, '.': 1, '..': 1, '..a': 1, '.a': 0, 'a/b': 1, '': 1, [long(254)]: 1 },
  ],
  ['environmentName', names.environmentName, { 'A.b-c_1': 0, '1a': 1, '.': 1, '': 1 }],
  ['httpHeaderName', names.httpHeaderName, { 'X-Y-1': 0, 'X Y': 1, '': 1 }],
  [
    'domainPrefixedPath',
    names.domainPrefixedPath,
    { 'acme.io/foo/bar': 0, nginx: 1, 'acme.io/': 1, '/x': 1, 'acme.io/a b': 1, 'A/b': 1 },
  ],
];

describe.each(tables)('%s counts the problems of', (_, check, table) => {
  test.each(Object.entries(table))('%j: %d', (text, problems) => {
    expect(check(text)).toHaveLength(problems);
  });
});

describe('the beginning of a generated name', () => {
  test.each([
    ['may end with a hyphen', names.subdomainName, 'a-', 0],
    ['may not end with a dot', names.subdomainName, 'a.', 1],
    ['may not be a hyphen alone', names.subdomainName, '-', 1],
    ['may be a dot for path segments', names.pathSegmentName, '.', 0],
    ['obeys the rule of the kind', names.serviceName, '1a-', 1],
  ] as const)('%s', (_, rule, prefix, problems) => {
    expect(rule(prefix, true)).toHaveLength(problems);
  });
});

test('checks of hostile text take linear time', () => {
  const checks = tables.map(([, check]) => check);
  const texts = ['a-', 'a.', '-', '.', 'a/', '*.', 'A_'].map((part) => part.repeat(500_000));
  const start = worked();
  for (const check of checks) for (const text of texts) check(text);
  expect(worked() - start).toBeLessThan(5000);
});

test('a subdomain is labels with dots between them', () => {
  const label = fc.stringMatching(/^[a-z0-9-]{1,8}$/);
  fc.assert(
    fc.property(fc.array(label, { minLength: 1, maxLength: 8 }), (labels) => {
      const fine = labels.every((each) => names.dnsLabel(each).length === 0);
      expect(names.dnsSubdomain(labels.join('.')).length === 0).toBe(fine);
    }),
  );
});
