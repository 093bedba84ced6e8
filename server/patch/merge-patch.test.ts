import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../base/kube-object.ts';
import { applyMergePatch, mergePatch } from './merge-patch.ts';
import { MalformedPatchError } from './patch-error.ts';

describe('RFC 7386, appendix A', () => {
  test.each<readonly [target: Json, patch: Json, result: Json]>([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ a: 'foo' }, 'bar', 'bar'],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('%j merged with %j is %j', (target, patch, result) => {
    expect(mergePatch(target, patch)).toEqual(result);
  });
});

describe('merge patch of an object', () => {
  test.each<readonly [string, Json]>([
    ['a list', []],
    ['null', null],
    ['text', 'x'],
  ])('%s as a patch is refused', (_name, patch) => {
    expect(() => applyMergePatch({}, patch)).toThrow(MalformedPatchError);
  });
  test('keys with special names are keys like any other', () => {
    const result = applyMergePatch(
      JSON.parse('{"__proto__":"a"}'),
      JSON.parse('{"__proto__":{"x":1},"constructor":"c"}'),
    );
    expect(Object.entries(result)).toEqual([
      ['__proto__', { x: 1 }],
      ['constructor', 'c'],
    ]);
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
  });
  test('objects inside of a new list lose what is null, the list itself does not', () => {
    expect(applyMergePatch({}, { list: [{ a: null, b: 1 }, null] })).toEqual({ list: [{ b: 1 }, null] });
  });
  test('neither argument changes, and merging twice is merging once', () => {
    const objects = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(objects, objects, (document, patch) => {
        const before = JSON.stringify([document, patch]);
        const once = applyMergePatch(document as { [key: string]: Json }, patch as Json);
        expect(JSON.stringify([document, patch])).toBe(before);
        expect(applyMergePatch(once, patch as Json)).toEqual(once);
      }),
    );
  });
});
