import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { worked } from '../../../fixtures/worked.fixture.ts';
import { StatusError } from '../status-error.ts';
import { expectBadRequest } from './bad-request.fixture.ts';
import { compileLabelSelector, type LabelSelectorObject, parseLabelSelector } from './label-selector.ts';

const objects: Record<string, Record<string, string> | undefined> = {
  c1: { n: '1', env: 'prod', tier: 'web' },
  c2: { n: '2', env: 'prod' },
  c3: { n: '30', env: 'dev' },
  c4: { n: 'x', 'example.com/team': 'A' },
  c5: { empty: '' },
  c6: undefined,
};
const selected = (text: string) => {
  const selector = parseLabelSelector(text);
  return Object.keys(objects)
    .filter((name) => selector.matches(objects[name]))
    .join(' ');
};
const everything = 'c1 c2 c3 c4 c5 c6';

describe('label selectors as text', () => {
  it.each([
    ['', everything],
    [' \t\n', everything],
    ['env=prod', 'c1 c2'],
    ['env==prod', 'c1 c2'],
    ['env!=prod', 'c3 c4 c5 c6'],
    ['env=prod,tier=web', 'c1'],
    ['env=prod,n!=1', 'c2'],
    ['env=prod,env=dev', ''],
    [' env = prod ,\tn\n= 2 ', 'c2'],
    ['env=PROD', ''],
    ['example.com/team=A', 'c4'],
    ['empty=', 'c5'],
    ['empty==', 'c5'],
    ['n=', ''],
    ['n!=', everything],
    ['empty!=', 'c1 c2 c3 c4 c6'],
    ['empty=,!env', 'c5'],
    ['env in (prod)', 'c1 c2'],
    ['env in(prod,dev)', 'c1 c2 c3'],
    ['env in ( prod , dev ),n in (1,30)', 'c1 c3'],
    ['env notin (prod)', 'c3 c4 c5 c6'],
    ['env notin (prod,dev)', 'c4 c5 c6'],
    ['empty in ()', 'c5'],
    ['env in (,)', ''],
    ['empty notin ()', 'c1 c2 c3 c4 c6'],
    ['empty in (a,,b)', 'c5'],
    ['n in (1,)', 'c1'],
    ['n', 'c1 c2 c3 c4'],
    ['!n', 'c5 c6'],
    ['! n', 'c5 c6'],
    ['n,!tier', 'c2 c3 c4'],
    ['!example.com/team,n', 'c1 c2 c3'],
    ['n>1', 'c2 c3'],
    ['n > 1,n<30', 'c2'],
    ['n<3', 'c1 c2'],
    ['n>007', 'c3'],
    ['n<9223372036854775807', 'c1 c2 c3'],
  ])('%j selects %s', (text, names) => {
    expect(selected(text)).toBe(names);
  });

  it.each([
    ['in', { in: 'x' }],
    ['notin', { notin: 'x' }],
    ['exists', { exists: 'x' }],
    ['in in (in,notin)', { in: 'notin' }],
    ['notin notin (in)', { notin: 'notin' }],
    ['in=in', { in: 'in' }],
    ['!in', {}],
    ['n=007', { n: '007' }],
    ['n<8,n>6', { n: '007' }],
  ])('%j takes words of the language for names, and numbers for text', (text, labels: Record<string, string>) => {
    expect(parseLabelSelector(text).matches(labels)).toBe(true);
  });

  it.each([
    ['n>1', '9223372036854775808'],
    ['n>1', '2.5'],
    ['n>1', ''],
    ['n>1', '0x10'],
    ['n=7', '007'],
  ])('%j does not match the value %j', (text, value) => {
    expect(parseLabelSelector(text).matches({ n: value })).toBe(false);
  });

  it.each([
    ',',
    'n=1,',
    'n=1,,env',
    ',n',
    '=1',
    '==',
    '!',
    '!!n',
    '!=1',
    'n===1',
    'n=a b',
    'n!1',
    'n exists',
    'n>=1',
    'n=>1',
    'n<>1',
    'n><1',
    'env in (prod',
    'env in prod',
    'env in prod)',
    'env notin',
    'env in',
    'env IN (prod)',
    'env in ()x',
    'env in ((a))',
    'n in (a b)',
    '!n=1',
    '!n in (a)',
    '-bad=1',
    'UPPER/x=1',
    'a/b/c=1',
    'n=-x',
    'n=x-',
    'n=é',
    'é',
    '(',
    ')',
    '()',
    '/x=1',
    'x/=1',
    'n>-1',
    'n<a',
    'n>1.5',
    'n>',
    'n>9223372036854775808',
    'n=a=b',
    'n in (a,-)',
    'n=\u0000',
    'n\u00a0=1',
    `n=${'v'.repeat(64)}`,
    `${'k'.repeat(64)}=1`,
    `${'p'.repeat(254)}/k`,
  ])('refuses %j with 400', (text) => {
    expectBadRequest(() => parseLabelSelector(text));
  });

  it('accepts the longest names and values', () => {
    const [name, value] = ['k'.repeat(63), 'v'.repeat(63)];
    const prefix = `${'p'.repeat(63)}.example.com`;
    expect(parseLabelSelector(`${prefix}/${name}=${value}`).matches({ [`${prefix}/${name}`]: value })).toBe(true);
  });

  it('finds only labels, not what every JavaScript object has', () => {
    expect(parseLabelSelector('constructor').matches({})).toBe(false);
    expect(parseLabelSelector('!toString').matches({})).toBe(true);
    expect(parseLabelSelector('constructor=a').matches(JSON.parse('{"constructor":"a"}'))).toBe(true);
  });

  it('says what it consists of', () => {
    expect(parseLabelSelector('a=1,b!=2,c in (x,y),d,!e,f>3').requirements).toEqual([
      { key: 'a', operator: 'In', values: ['1'] },
      { key: 'b', operator: 'NotIn', values: ['2'] },
      { key: 'c', operator: 'In', values: ['x', 'y'] },
      { key: 'd', operator: 'Exists', values: [] },
      { key: 'e', operator: 'DoesNotExist', values: [] },
      { key: 'f', operator: 'Gt', values: ['3'] },
    ]);
    expect(parseLabelSelector('').isEmpty).toBe(true);
    expect(parseLabelSelector('a').isEmpty).toBe(false);
  });

  it('answers any text with a selector or a 400', () => {
    const piece = fc.constantFrom(
      'a',
      'in',
      'notin',
      '!',
      '=',
      '==',
      '!=',
      '(',
      ')',
      ',',
      '<',
      '>',
      ' ',
      '1',
      '\t',
      'é',
      '\u0000',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(piece).map((all) => all.join('')),
          fc.string(),
        ),
        (text) => {
          try {
            parseLabelSelector(text).matches({ a: '1' });
          } catch (error) {
            expect(error).toBeInstanceOf(StatusError);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it.each([
    ['commas', ','.repeat(1_000_000)],
    ['blanks', ' '.repeat(1_000_000)],
    ['one endless word', 'a'.repeat(1_000_000)],
    ['values', `a in (${'b,'.repeat(300_000)})`],
    ['open parentheses', `a in ${'('.repeat(1_000_000)}`],
    ['requirements', Array.from({ length: 50_000 }, (_, n) => `k${n}!=v`).join()],
  ])('takes time in proportion to the text: %s', (_, text) => {
    const start = worked();
    try {
      parseLabelSelector(text).matches({});
    } catch {}
    expect(worked() - start).toBeLessThan(2000);
  });
});

describe('label selectors of very many requirements', () => {
  const key = fc.constantFrom('a', 'b', 'c', 'toString');
  const value = fc.constantFrom('', '1', '2', '30', 'x');
  const requirement = fc.oneof(
    fc.tuple(key, fc.constantFrom('=', '!='), value).map((all) => all.join('')),
    fc.tuple(key, fc.constantFrom('<', '>'), fc.constantFrom('1', '2', '31', '0')).map((all) => all.join('')),
    fc
      .tuple(key, fc.constantFrom('in', 'notin'), fc.array(value, { minLength: 1 }))
      .map(([of, how, all]) => `${of} ${how} (${all})`),
    key,
    key.map((name) => `!${name}`),
  );
  const labels = fc.option(fc.dictionary(key, value), { nil: undefined });

  it('select what each of them selects', () => {
    fc.assert(
      fc.property(fc.array(requirement, { minLength: 1, maxLength: 4 }), labels, (some, of) => {
        const alone = some.every((text) => parseLabelSelector(text).matches(of));
        const again = Array.from({ length: 20 }, () => some).flat();
        expect(parseLabelSelector(some.join()).matches(of)).toBe(alone);
        expect(parseLabelSelector(again.join()).matches(of), again.join()).toBe(alone);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['other labels', (n: number) => `z${n} notin (a,b)`],
    ['one label', (n: number) => `env!=v${n}`],
    ['numbers', (n: number) => `n<${n + 2}`],
  ])('look at what an object has, and not at all that they say: %s', (_, requirementOf) => {
    const selector = parseLabelSelector(Array.from({ length: 2000 }, (_, n) => requirementOf(n)).join());
    const began = worked();
    for (let time = 0; time < 20_000; time++) expect(selector.matches(objects['c1'])).toBe(true);
    expect(worked() - began).toBeLessThan(1500);
  });
});

describe('label selectors as objects', () => {
  it.each<[string, LabelSelectorObject | undefined, string]>([
    ['none', undefined, ''],
    ['an empty one', {}, everything],
    ['one with empty parts', { matchLabels: {}, matchExpressions: [] }, everything],
    ['one with null parts', { matchLabels: null, matchExpressions: null }, everything],
    ['labels', { matchLabels: { env: 'prod', n: '2' } }, 'c2'],
    ['In', { matchExpressions: [{ key: 'env', operator: 'In', values: ['prod', 'dev'] }] }, 'c1 c2 c3'],
    ['NotIn', { matchExpressions: [{ key: 'env', operator: 'NotIn', values: ['prod'] }] }, 'c3 c4 c5 c6'],
    ['Exists', { matchExpressions: [{ key: 'tier', operator: 'Exists' }] }, 'c1'],
    ['DoesNotExist', { matchExpressions: [{ key: 'env', operator: 'DoesNotExist', values: [] }] }, 'c4 c5 c6'],
    ['both', { matchLabels: { env: 'prod' }, matchExpressions: [{ key: 'tier', operator: 'DoesNotExist' }] }, 'c2'],
  ])('%s', (_, object, names) => {
    const selector = compileLabelSelector(object);
    expect(
      Object.keys(objects)
        .filter((name) => selector.matches(objects[name]))
        .join(' '),
    ).toBe(names);
  });

  it.each<[string, LabelSelectorObject]>([
    ['an operator it does not know', { matchExpressions: [{ key: 'a', operator: 'Gt', values: ['1'] }] }],
    ['no operator', { matchExpressions: [{ key: 'a' }] }],
    ['In without values', { matchExpressions: [{ key: 'a', operator: 'In', values: [] }] }],
    ['NotIn without values', { matchExpressions: [{ key: 'a', operator: 'NotIn' }] }],
    ['Exists with values', { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['b'] }] }],
    ['no key', { matchExpressions: [{ operator: 'Exists' }] }],
    ['a key that is none', { matchLabels: { 'a b': 'c' } }],
    ['a value that is none', { matchLabels: { a: '-' } }],
  ])('refuses %s', (_, object) => {
    expect(() => compileLabelSelector(object)).toThrow(StatusError);
  });
});
