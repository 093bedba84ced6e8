import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../base/kube-object.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { compileDefaults } from './default.ts';
import { objectSchema as o } from './object-schema.fixture.ts';
import { compilePruner } from './prune.ts';

const string: JsonSchema = { type: 'string' };

describe('defaults', () => {
  const schema = o({
    spec: o({
      a: { ...string, default: 'd' },
      maybe: { ...string, nullable: true, default: 'x' },
      plain: string,
      keep: { ...string, nullable: true },
      deep: o({ b: { type: 'boolean', default: true } }),
      filled: o({ c: { ...string, default: 'inner' } }, { default: {} }),
      list: { type: 'array', items: o({ k: { ...string, default: 'item' } }) },
      map: { type: 'object', additionalProperties: o({ v: { ...string, default: 'val' } }) },
      texts: { type: 'object', additionalProperties: string },
    }),
  });
  const fill = (value: Json) => compileDefaults(schema)?.(value);

  it.each<[string, Json, Json]>([
    ['nothing below an absent object', {}, {}],
    ['an empty object', { spec: {} }, { spec: { a: 'd', maybe: 'x', filled: { c: 'inner' } } }],
    [
      'lists and maps',
      { spec: { a: '', maybe: '', filled: {}, list: [{}, { k: 'x' }], map: { m: {} } } },
      {
        spec: { a: '', maybe: '', filled: { c: 'inner' }, list: [{ k: 'item' }, { k: 'x' }], map: { m: { v: 'val' } } },
      },
    ],
    [
      'nulls',
      { spec: { a: null, maybe: null, plain: null, keep: null, filled: {}, texts: { x: null, y: 'z' } } },
      { spec: { a: 'd', maybe: null, keep: null, filled: { c: 'inner' }, texts: { y: 'z' } } },
    ],
    [
      'a null in a list stays',
      { spec: { a: '', maybe: '', filled: {}, list: [null] } },
      { spec: { a: '', maybe: '', filled: { c: 'inner' }, list: [null] } },
    ],
    ['values of other types are left alone', { spec: [1] }, { spec: [1] }],
  ])('%s', (_, value, expected) => {
    expect(fill(value)).toEqual(expected);
  });

  it('never changes or shares what it was given', () => {
    const given = { spec: { list: [{}] } };
    const filled = fill(given) as { spec: { filled: object; list: object[] } };
    expect(given).toEqual({ spec: { list: [{}] } });
    filled.spec.filled = { changed: true };
    expect((fill(given) as typeof filled).spec.filled).toEqual({ c: 'inner' });
  });

  it('is settled after one time, and then gives the same reference', () => {
    fc.assert(
      fc.property(fc.jsonValue() as fc.Arbitrary<Json>, (value) => {
        const once = fill({ spec: value }) as Json;
        expect(fill(once)).toBe(once);
      }),
    );
  });
});

describe('pruning', () => {
  const schema = o({
    spec: o({
      a: string,
      free: o({ typed: o({ x: string }) }, { 'x-kubernetes-preserve-unknown-fields': true }),
      list: { type: 'array', items: o({ k: string }) },
      map: { type: 'object', additionalProperties: o({ v: string }) },
      any: { type: 'object', additionalProperties: true },
      embedded: o({ spec: o({}) }, { 'x-kubernetes-embedded-resource': true }),
    }),
  });
  const prune = compilePruner(schema);

  it('drops what is unknown at every depth', () => {
    const value: Json = {
      kind: 'X',
      metadata: { name: 'x', anything: 1 },
      top: 1,
      spec: {
        a: 'x',
        gone: 1,
        free: { more: { thing: [1] }, typed: { x: 'x', y: 'y' } },
        list: [{ k: 'a', gone: 1 }, 'text'],
        map: { m: { v: 'x', gone: 1 } },
        any: { key: { gone: 1 }, other: [{ gone: 1 }], text: 'x' },
        embedded: { apiVersion: 'v1', kind: 'Y', metadata: { name: 'a' }, spec: { gone: 1 }, gone: 1 },
        ['__proto__' as string]: 1,
      },
    };
    expect(prune(value)).toEqual({
      kind: 'X',
      metadata: { name: 'x', anything: 1 },
      spec: {
        a: 'x',
        free: { more: { thing: [1] }, typed: { x: 'x' } },
        list: [{ k: 'a' }, 'text'],
        map: { m: { v: 'x' } },
        any: { key: {}, other: [{}], text: 'x' },
        embedded: { apiVersion: 'v1', kind: 'Y', metadata: { name: 'a' }, spec: {} },
      },
    });
  });

  it('gives the same reference when nothing goes, and is done after one time', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('spec', 'a', 'list', 'map', 'k'), fc.jsonValue() as fc.Arbitrary<Json>),
        (value) => {
          const once = prune(value);
          expect(prune(once)).toBe(once);
        },
      ),
    );
  });

  it('keeps everything where the root preserves it', () => {
    const all = compilePruner({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true });
    const value: Json = { a: { b: [{ c: 1 }] } };
    expect(all(value)).toBe(value);
  });
});
