import { keyed, keyedTwice, listOf } from '../../../checks/apply/keyed-lists.ts';
import { owns } from '../../../checks/apply/managed-fields.ts';
import { becomesWhole, mergedLists, mergedMaps } from '../../../checks/apply/owned-wholes.ts';
import { keyed as keyedBy, mapOf, objectOf, setOf, text } from '../../../checks/custom/schema-parts.ts';
import { defineRule } from '../../../rule.ts';
import { forceQuery, replaceIn } from '../../../sabotage/transforms.ts';
import type { Json } from '../../../verbs/client.ts';
import type { RuleContext } from '../../../verbs/context.ts';
import { customType } from '../../../verbs/custom-types.ts';

const reads = { method: 'GET', path: /touchstone\.example.*\/[^/]+$/ };

/** Elements that have one of their two keys in common are two all the same. */
async function mergesPairs(context: RuleContext): Promise<void> {
  const { unique, expect } = context;
  const things = await customType(context, { spec: listOf(keyedTwice) });
  const name = unique();
  const sides = ({ spec }: Json): Json[] => spec.list.map(({ key, side }: Json) => `${key}${side}`).sort();
  await things.apply(name, { spec: { list: [{ key: 'a', side: 1, value: '1' }] } }, 'first');
  const list = [1, 2].map((side) => ({ key: side === 1 ? 'b' : 'a', side }));
  const both = await things.apply(name, { spec: { list } }, 'second');
  expect(sides(both), 'of two who apply').toEqual(['a1', 'a2', 'b1']);
  expect(owns(both, 'first', 'f:spec', 'f:list', 'k:{"key":"a","side":1}', 'f:value')).toBe(true);
  expect(owns(both, 'second', 'f:spec', 'f:list', 'k:{"key":"a","side":2}')).toBe(true);
  const less = await things.apply(name, { spec: { list: [{ key: 'b', side: 1 }] } }, 'second');
  expect(sides(less), 'when one is applied no more').toEqual(['a1', 'b1']);
  expect(less.spec.list.find(({ key }: Json) => key === 'a')?.value, 'what was left alone').toBe('1');
}

/** What is within the elements of lists and maps merges as it does elsewhere. */
async function mergesWithin(context: RuleContext): Promise<void> {
  const { unique, expect } = context;
  const inner = { set: setOf(text), entries: keyedBy({ key: text }, ['key']) };
  const spec = objectOf({ outer: keyedBy({ key: text, ...inner }, ['key']), map: mapOf(objectOf(inner)) });
  const things = await customType(context, { spec });
  const name = unique();
  const within = (one: string): Json => ({ set: [one], entries: [{ key: one }] });
  for (const one of ['first', 'second'])
    await things.apply(name, { spec: { outer: [{ key: 'a', ...within(one) }], map: { a: within(one) } } }, one);
  const { outer, map } = (await things.read(name)).spec;
  const told = ({ set, entries }: Json): Json[] => [[...set].sort(), entries.map(({ key }: Json) => key).sort()];
  const both = ['first', 'second'];
  expect(outer.map(told), 'within an element of a list').toEqual([[both, both]]);
  expect(told(map.a), 'within a value of a map').toEqual([both, both]);
}

export default [
  // A schema names the type of a list by `x-kubernetes-list-type`.
  defineRule('apply.merge.extension.list-type', {
    needs: ['crd'],
    sabotage: replaceIn('spec.list', { ...reads, with: ['b'] }),
    async check(context) {
      const { unique, expect } = context;
      const things = await customType(context, {
        spec: listOf({ items: { type: 'string' }, 'x-kubernetes-list-type': 'set' }),
      });
      const name = unique();
      await things.apply(name, { spec: { list: ['a'] } }, 'first');
      await things.apply(name, { spec: { list: ['b'] } }, 'second');
      expect((await things.read(name)).spec.list.sort()).toEqual(['a', 'b']);
      await becomesWhole(context, mergedLists);
      await mergesWithin(context);
    },
  }),

  // A schema names the keys of a list by `x-kubernetes-list-map-keys`.
  defineRule('apply.merge.extension.list-map-keys', {
    needs: ['crd'],
    sabotage: replaceIn('spec.list', reads),
    async check(context) {
      const { unique, expect } = context;
      const things = await customType(context, { spec: listOf(keyed) });
      const name = unique();
      await things.apply(name, { spec: { list: [{ key: 'a', value: '1' }] } }, 'first');
      await things.apply(name, { spec: { list: [{ key: 'b', value: '2' }] } }, 'second');
      const object = await things.read(name);
      expect(object.spec.list.map((one: Json) => one.key).sort()).toEqual(['a', 'b']);
      expect(owns(object, 'first', 'f:spec', 'f:list', 'k:{"key":"a"}', 'f:value')).toBe(true);
      const less = await things.apply(name, { spec: { list: [{ key: 'a' }] } }, 'first');
      expect(less.spec.list[0], 'a field of an element that is no longer applied').toEqual({ key: 'a' });
      await mergesPairs(context);
    },
  }),

  // A schema names the type of a map or struct by `x-kubernetes-map-type`.
  defineRule('apply.merge.extension.map-type', {
    needs: ['crd'],
    sabotage: forceQuery('force', 'true', { method: 'PATCH', query: { force: false } }),
    async check(context) {
      const { unique, expect } = context;
      const map = { type: 'object', additionalProperties: { type: 'string' } };
      const properties = {
        whole: { ...map, 'x-kubernetes-map-type': 'atomic' },
        parts: { ...map, 'x-kubernetes-map-type': 'granular' },
      };
      const things = await customType(context, { spec: { type: 'object', properties } });
      const name = unique();
      await things.apply(name, { spec: { whole: { a: '1' }, parts: { a: '1' } } }, 'first');
      expect((await things.tryApply(name, { spec: { parts: { b: '2' } } }, 'second')).status, 'granular').toBe(200);
      expect((await things.tryApply(name, { spec: { whole: { b: '2' } } }, 'third')).status, 'atomic').toBe(409);
      await becomesWhole(context, mergedMaps);
    },
  }),
];
