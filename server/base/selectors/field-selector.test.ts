import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { worked } from '../../../fixtures/worked.fixture.ts';
import { StatusError } from '../status-error.ts';
import { expectBadRequest } from './bad-request.fixture.ts';
import { parseFieldSelector } from './field-selector.ts';

const written = (text: string) =>
  parseFieldSelector(text).requirements.map(({ field, operator, value }) => [field, operator, value]);

describe('field selectors', () => {
  it.each([
    ['', []],
    [',', []],
    [',,', []],
    ['=', []],
    ['==', []],
    ['!=', []],
    ['=,a=b', [['a', '=', 'b']]],
    ['metadata.name=c1', [['metadata.name', '=', 'c1']]],
    ['metadata.name==c1', [['metadata.name', '=', 'c1']]],
    ['metadata.name!=c1', [['metadata.name', '!=', 'c1']]],
    ['metadata.name=', [['metadata.name', '=', '']]],
    ['metadata.name= c1 ', [['metadata.name', '=', ' c1 ']]],
    [' metadata.name =c1', [[' metadata.name ', '=', 'c1']]],
    ['=x', [['', '=', 'x']]],
    [
      'a=b,,c!=d,',
      [
        ['a', '=', 'b'],
        ['c', '!=', 'd'],
      ],
    ],
    ['a=b!c', [['a', '=', 'b!c']]],
    ['a!b=c', [['a!b', '=', 'c']]],
    ['a=x\\,y', [['a', '=', 'x,y']]],
    ['a=x\\=y\\\\', [['a', '=', 'x=y\\']]],
    [
      'a=\\\\,b=c',
      [
        ['a', '=', '\\'],
        ['b', '=', 'c'],
      ],
    ],
    ['a=x\ny', [['a', '=', 'x\ny']]],
  ])('reads %j', (text, requirements) => {
    expect(written(text)).toEqual(requirements);
    expect(parseFieldSelector(text).isEmpty).toBe(requirements.length === 0);
  });

  it.each([
    'metadata.name',
    'metadata.name in (c1)',
    'metadata.name>c1',
    'a=b,c',
    'a=b\\q',
    'a=b\\',
    'a=b=c',
    'a===b',
    'a!==b',
    'a=b,c=\\n',
    'a\\',
    '\\',
    '!',
    'a=\\\n',
  ])('refuses %j with 400', (text) => {
    expectBadRequest(() => parseFieldSelector(text));
  });

  it.each([
    ['a=1', true],
    ['a!=1', false],
    ['a=1,b=2', true],
    ['a=1,b!=2', false],
    ['a=1,a=2', false],
    ['a!=2,a!=3', true],
    ['c=', true],
    ['c!=', false],
  ])('%j matches {a: 1, b: 2}: %j', (text, matches) => {
    const fields = new Map([
      ['a', '1'],
      ['b', '2'],
    ]);
    expect(parseFieldSelector(text).matches((field) => fields.get(field) ?? '')).toBe(matches);
  });

  it('knows the one value that a field must have', () => {
    expect(parseFieldSelector('a=1,metadata.name==x').exact('metadata.name')).toBe('x');
    expect(parseFieldSelector('metadata.name!=x').exact('metadata.name')).toBeUndefined();
    expect(parseFieldSelector('').exact('metadata.name')).toBeUndefined();
  });

  it('reads back any value that was escaped', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', minLength: 1 }), { minLength: 1 }), (values) => {
        const text = values.map((value) => `f=${value.replace(/[\\,=]/g, '\\$&')}`).join(',');
        expect(parseFieldSelector(text).requirements.map(({ value }) => value)).toEqual(values);
      }),
    );
  });

  it('answers any text with a selector or a 400', () => {
    const piece = fc.constantFrom('a', '.', '=', '!', '\\', ',', ' ', '\n');
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(piece).map((all) => all.join('')),
          fc.string(),
        ),
        (text) => {
          try {
            parseFieldSelector(text);
          } catch (error) {
            expect(error).toBeInstanceOf(StatusError);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('selects by very many requirements what each of them selects', () => {
    const requirement = fc
      .tuple(fc.constantFrom('a', 'b'), fc.constantFrom('=', '!='), fc.constantFrom('', '1', '2'))
      .map((all) => all.join(''));
    fc.assert(
      fc.property(
        fc.array(requirement, { minLength: 1, maxLength: 3 }),
        fc.constantFrom('', '1', '2'),
        (some, text) => {
          const of = (field: string) => (field === 'a' ? text : '1');
          const again = Array.from({ length: 20 }, () => some).flat();
          expect(parseFieldSelector(again.join()).matches(of), again.join()).toBe(
            some.every((each) => parseFieldSelector(each).matches(of)),
          );
        },
      ),
      { numRuns: 500 },
    );
    const { matches } = parseFieldSelector(Array.from({ length: 2000 }, (_, n) => `metadata.name!=x${n}`).join());
    const began = worked();
    for (let time = 0; time < 20_000; time++) expect(matches(() => 'y')).toBe(true);
    expect(worked() - began).toBeLessThan(1500);
  });

  it.each([
    ['commas', ','.repeat(1_000_000)],
    ['backslashes', `a=${'\\'.repeat(1_000_000)}`],
    ['escaped commas', `a=${'\\,'.repeat(500_000)}`],
    ['terms', 'a=b,'.repeat(200_000)],
    ['no operator', 'a'.repeat(1_000_000)],
    ['exclamation marks', '!'.repeat(1_000_000)],
  ])('takes time in proportion to the text: %s', (_, text) => {
    const start = worked();
    try {
      parseFieldSelector(text);
    } catch {}
    expect(worked() - start).toBeLessThan(2000);
  });
});
