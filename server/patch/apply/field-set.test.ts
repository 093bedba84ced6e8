import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../base/kube-object.ts';
import {
  difference,
  type FieldSet,
  fieldSetOfPaths,
  fromFieldsV1,
  hasPath,
  includes,
  intersection,
  isEmptySet,
  pathsOf,
  toFieldsV1,
  union,
} from './field-set.ts';
import { keyElement, spellPath, valueElement } from './path-element.ts';

const read = (fields: Json) => fromFieldsV1(fields) as FieldSet;
const text = (set: FieldSet) => JSON.stringify(toFieldsV1(set));

describe('the JSON form', () => {
  test('comes out in the order in which a server prints it', () => {
    const set = read({
      'i:2': {},
      'v:"b"': {},
      'v:10': {},
      'v:9': {},
      'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:b': {}, 'f:a': {} },
      'k:{"protocol":"UDP","port":9}': {},
      'f:z': {},
      'f:a': { 'f:x': {}, '.': {} },
    });
    expect(text(set)).toBe(
      '{"f:a":{".":{},"f:x":{}},"f:z":{},"k:{\\"port\\":9,\\"protocol\\":\\"UDP\\"}":{},"k:{\\"port\\":80,\\"protocol\\":\\"TCP\\"}":{".":{},"f:a":{},"f:b":{}},"v:9":{},"v:10":{},"v:\\"b\\"":{},"i:2":{}}',
    );
  });

  test('elements of an unknown sort are skipped', () => {
    expect(text(read({ 'x:new': {}, 'f:a': {} }))).toBe('{"f:a":{}}');
  });

  test.each<readonly [string, Json]>([
    ['text', 'x'],
    ['null', null],
    ['a list', []],
    ['no prefix', { bad: {} }],
    ['an empty key', { '': {} }],
    ['a leaf that is no object', { 'f:a': true }],
    ['a leaf that is null', { 'f:a': null }],
    ['keys that are no JSON', { 'k:{': {} }],
    ['keys that are no object', { 'k:["a"]': {} }],
    ['a value that is no JSON', { 'v:x': {} }],
    ['an index that is no number', { 'i:x': {} }],
    ['an index beyond all lists', { 'i:99999999999999999999': {} }],
    ['a dot that is no object', { '.': 1 }],
    ['deep down', { 'f:a': { 'f:b': { bad: {} } } }],
  ])('%s cannot be read', (_name, fields) => {
    expect(fromFieldsV1(fields)).toBeUndefined();
  });

  test('whatever is sent is read or not, and nothing is thrown', () => {
    const keys = fc.oneof(
      fc.string(),
      fc.constantFrom('.', 'f:a', 'k:{}', 'v:1', 'i:0'),
      fc.string().map((each) => `k:${each}`),
    );
    const { fields } = fc.letrec<{ fields: Json }>((tie) => ({
      fields: fc.oneof(
        { depthSize: 'small' },
        fc.constant({}),
        fc.dictionary(keys, tie('fields')),
        fc.jsonValue(),
      ) as fc.Arbitrary<Json>,
    }));
    fc.assert(fc.property(fields, (sent) => void fromFieldsV1(sent)));
  });
});

test('paths are spelt as errors show them', () => {
  expect(spellPath(['f:spec', 'f:containers', keyElement([['name', 'c']]), 'f:image'])).toBe(
    '.spec.containers[name="c"].image',
  );
  expect(
    spellPath([
      'f:x',
      keyElement([
        ['b', 1],
        ['a', 'z'],
      ]),
      'f:c',
    ]),
  ).toBe('.x[a="z",b=1].c');
  expect(spellPath(['f:finalizers', valueElement('e.com/c')])).toBe('.finalizers[="e.com/c"]');
  expect(spellPath(['f:list', 'i:0'])).toBe('.list[0]');
});

const element = fc.oneof(
  fc.constantFrom('f:a', 'f:b', 'f:__proto__', 'f:constructor', 'f:.'),
  fc.constantFrom('x', 'y').map((name) => keyElement([['name', name]])),
  fc.constantFrom<Json>(1, 'v', true).map(valueElement),
);
const path = fc.array(element, { minLength: 1, maxLength: 4 });
const anySet = fc.array(path, { maxLength: 8 }).map(fieldSetOfPaths);
const same = (a: FieldSet, b: FieldSet) => expect(text(a)).toBe(text(b));

describe('as sets', () => {
  test('they survive the way to JSON text and back', () => {
    fc.assert(
      fc.property(anySet, (set) => {
        same(read(JSON.parse(text(set))), set);
      }),
    );
  });
  test('they hold the paths that they list, and no others', () => {
    fc.assert(
      fc.property(anySet, path, (set, other) => {
        const paths = pathsOf(set);
        for (const each of paths) expect(hasPath(set, each)).toBe(true);
        expect(hasPath(set, other)).toBe(paths.some((each) => JSON.stringify(each) === JSON.stringify(other)));
        same(fieldSetOfPaths(paths), set);
      }),
    );
  });
  test('union, intersection and difference are those of their paths', () => {
    fc.assert(
      fc.property(anySet, anySet, (a, b) => {
        const [inA, inB] = [pathsOf(a), pathsOf(b)];
        same(union(a, b), fieldSetOfPaths([...inA, ...inB]));
        same(intersection(a, b), fieldSetOfPaths(inA.filter((each) => hasPath(b, each))));
        same(difference(a, b), fieldSetOfPaths(inA.filter((each) => !hasPath(b, each))));
        expect(includes(a, b)).toBe(inB.every((each) => hasPath(a, each)));
        expect(isEmptySet(difference(a, a))).toBe(true);
      }),
    );
  });
  test('taking nothing away gives the very same set', () => {
    fc.assert(
      fc.property(anySet, (a) => {
        expect(difference(a, fieldSetOfPaths([]))).toBe(a);
      }),
    );
  });
});
