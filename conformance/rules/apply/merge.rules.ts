import { keyed, keyedTwice, listOf } from '../../checks/apply/keyed-lists.ts';
import { keepsOrder, mergedLists } from '../../checks/apply/list-order.ts';
import { owns } from '../../checks/apply/managed-fields.ts';
import { defineRule } from '../../rule.ts';
import { acceptsInvalid } from '../../sabotage/careless.ts';
import { answerStatus, forceQuery, replaceIn, requestHeader } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { customType } from '../../verbs/custom-types.ts';
import { said } from '../../verbs/said.ts';

const reads = (resource: string) => ({ method: 'GET', path: new RegExp(`/${resource}/[^/]+$`) });
const rule = (resource: string) => ({ apiGroups: [''], resources: [resource], verbs: ['get'] });
const port = (number: number, name: string) => ({ port: number, protocol: 'TCP', name });
const namesIn = ({ spec }: Json): string[] => spec.ports.map((one: Json) => one.name).sort();
const template = (containers: readonly Json[], more: Json = {}) => ({
  metadata: { labels: { app: 'a' } },
  spec: { containers, ...more },
});
const deployment = (containers: readonly Json[], more: Json = {}) => ({
  spec: { selector: { matchLabels: { app: 'a' } }, template: template(containers, more) },
});
/** Which lists an object may have, whichever way they are written; what is refused changes nothing. */
async function takesLists(
  { expect }: RuleContext,
  things: Collection,
  { fitting, unfit }: { readonly fitting: readonly Json[]; readonly unfit: readonly Json[] },
): Promise<void> {
  const bodyOf = (values: Json): Json => things.sample({ spec: { list: values } });
  for (const values of fitting) expect((await things.post(bodyOf(values))).status, JSON.stringify(values)).toBe(201);
  const object = await things.create({ spec: { list: fitting[0] } });
  const { name } = object.metadata;
  for (const values of unfit) {
    const spec = { list: values };
    const answers = {
      create: await things.post(bodyOf(values)),
      update: await things.put({ ...object, spec }),
      'merge patch': await things.patch(name, { spec }),
      'JSON patch': await things.patch(name, [{ op: 'add', path: '/spec', value: spec }], { type: 'json' }),
    };
    for (const [what, { status }] of Object.entries(answers)) expect(status, `twice by ${what}`).toBe(422);
    const { status } = await things.tryApply(name, { spec }, 'applier', { force: 'true' });
    expect(status, 'twice by apply').toBeGreaterThanOrEqual(400);
    expect((await things.read(name)).spec, 'what is stored').toEqual({ list: fitting[0] });
  }
}

/** Who applies a map or a set of nothing, or none, has nothing to do with what others have in it. */
async function keepsOthersMaps(secrets: Collection, expect: RuleContext['expect'], name: string): Promise<void> {
  const metadata = { labels: { colour: 'red' }, annotations: { note: 'kept' }, finalizers: ['example.com/kept'] };
  const { data } = await secrets.apply(name, { metadata }, 'third');
  for (const none of [{}, null]) {
    const nothing = { data: none, metadata: { labels: none, annotations: none, finalizers: none && [] } };
    const what = `beside ${JSON.stringify(none)} of another`;
    const answer = await secrets.tryApply(name, nothing, 'fourth');
    expect(answer.status, `${what}: ${said(answer)}`).toBe(200);
    expect(await secrets.read(name), what).toMatchObject({ data, metadata });
  }
}

/** No type can have a list that is merged by what is itself made of parts. */
async function refusesKeys({ definitions, expect }: RuleContext, { at }: Collection): Promise<void> {
  const definition = `${at.resource}.${at.group}`;
  const path = '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/list/items/properties/key';
  for (const value of [
    { type: 'object', properties: { a: { type: 'string' } } },
    { type: 'array', items: { type: 'string' } },
  ]) {
    const { status } = await definitions.patch(definition, [{ op: 'replace', path, value }], { type: 'json' });
    expect(status, `a key of type ${value.type}`).toBe(422);
  }
}

export default [
  // An atomic list is replaced whole and owned by one manager.
  defineRule('apply.merge.list-atomic', {
    sabotage: [
      forceQuery('force', 'true', { method: 'PATCH', query: { force: false } }),
      replaceIn('rules', { ...reads('roles'), with: [rule('secrets'), rule('pods')] }),
    ],
    async check({ roles, unique, expect }) {
      const name = unique();
      const first = await roles.apply(name, { rules: [rule('secrets')] }, 'first');
      expect(owns(first, 'first', 'f:rules'), 'the list as a whole').toBe(true);
      expect((await roles.tryApply(name, { rules: [rule('pods')] }, 'second')).status, 'another list').toBe(409);
      await roles.tryApply(name, { rules: [rule('pods')] }, 'second', { force: 'true' });
      const object = await roles.read(name);
      expect(object.rules).toEqual([rule('pods')]);
      expect(owns(object, 'first', 'f:rules'), 'who owned it before').toBe(false);
    },
  }),

  // A set is merged by its values, and each value has its own managers.
  defineRule('apply.merge.list-set', {
    sabotage: replaceIn('metadata.finalizers', { ...reads('secrets'), with: ['example.com/two'] }),
    async check({ secrets, unique, version, expect }) {
      const name = unique();
      await secrets.apply(name, { metadata: { finalizers: ['example.com/one'] } }, 'first');
      await secrets.apply(name, { metadata: { finalizers: ['example.com/two'] } }, 'second');
      const object = await secrets.read(name);
      expect(object.metadata.finalizers.sort()).toEqual(['example.com/one', 'example.com/two']);
      expect(owns(object, 'first', 'f:metadata', 'f:finalizers', 'v:"example.com/one"')).toBe(true);
      expect(owns(object, 'second', 'f:metadata', 'f:finalizers', 'v:"example.com/two"')).toBe(true);
      expect(owns(object, 'second', 'f:metadata', 'f:finalizers', 'v:"example.com/one"')).toBe(false);
      await keepsOrder(secrets, { unique, version, expect }, mergedLists.finalizers);
    },
  }),

  // A set holds scalars, none of them twice.
  defineRule('apply.merge.list-set.scalar-unique', {
    needs: ['crd'],
    sabotage: [acceptsInvalid({ path: /touchstone\.example/ }), acceptsInvalid({ method: 'PUT' })],
    async check(context) {
      const set = { items: { type: 'string' }, 'x-kubernetes-list-type': 'set' };
      const things = await customType(context, { spec: listOf(set) });
      await takesLists(context, things, { fitting: [['a', 'b'], []], unfit: [['a', 'b', 'a']] });
    },
  }),

  // A list of type map is merged by the keys of its objects.
  defineRule('apply.merge.list-map', {
    sabotage: replaceIn('spec.ports', reads('services')),
    async check({ services, unique, version, expect }) {
      const name = unique();
      await services.apply(name, { spec: { ports: [port(80, 'http')] } }, 'first');
      await services.apply(name, { spec: { ports: [port(443, 'https')] } }, 'second');
      const object = await services.read(name);
      expect(namesIn(object)).toEqual(['http', 'https']);
      const key = (number: number) => `k:{"port":${number},"protocol":"TCP"}`;
      expect(owns(object, 'first', 'f:spec', 'f:ports', key(80), 'f:name')).toBe(true);
      expect(owns(object, 'second', 'f:spec', 'f:ports', key(443), 'f:name')).toBe(true);
      expect(owns(object, 'second', 'f:spec', 'f:ports', key(80))).toBe(false);
      const three = await services.apply(name, { spec: { ports: [port(8080, 'other')] } }, 'third');
      expect(namesIn(three), 'fewer than there are').toEqual(['http', 'https', 'other']);
      const shared = { port: 80, protocol: 'TCP', appProtocol: 'example.com/own' };
      const both = await services.apply(name, { spec: { ports: [shared] } }, 'fourth');
      const [element] = both.spec.ports.filter((one: Json) => one.port === 80);
      expect(element, 'an object of which two own a part').toMatchObject({ ...port(80, 'http'), ...shared });
      expect(owns(both, 'first', 'f:spec', 'f:ports', key(80), 'f:name')).toBe(true);
      expect(owns(both, 'fourth', 'f:spec', 'f:ports', key(80), 'f:name')).toBe(false);
      await keepsOrder(services, { unique, version, expect }, mergedLists.ports);
    },
  }),

  // The keys of such a list are scalar, and no two objects have the same.
  defineRule('apply.merge.list-map.keys', {
    needs: ['crd'],
    sabotage: [acceptsInvalid({ path: /touchstone\.example/ }), acceptsInvalid({ method: 'PATCH' })],
    async check(context) {
      const things = await customType(context, { spec: listOf(keyed) });
      await takesLists(context, things, {
        fitting: [[{ key: 'a' }, { key: 'b' }]],
        unfit: [
          [
            { key: 'a', value: '1' },
            { key: 'a', value: '2' },
          ],
        ],
      });
      const pairs = await customType(context, { spec: listOf(keyedTwice) });
      const pair = (key: string, side: number): Json => ({ key, side });
      await takesLists(context, pairs, {
        fitting: [[pair('a', 1), pair('a', 2), pair('b', 1)]],
        unfit: [[pair('a', 1), pair('b', 1), pair('a', 1)]],
      });
      await refusesKeys(context, things);
    },
  }),

  // An atomic map is replaced whole and owned by one manager.
  defineRule('apply.merge.map-atomic', {
    sabotage: forceQuery('force', 'true', { method: 'PATCH', query: { force: false } }),
    async check({ deployments, unique, expect }) {
      const name = unique();
      const containers = [{ name: 'main', image: 'registry.example/one:1' }];
      const selecting = (nodeSelector: Json) => deployment(containers, { nodeSelector });
      await deployments.apply(name, selecting({ disk: 'fast' }), 'first');
      expect((await deployments.tryApply(name, selecting({ zone: 'north' }), 'second')).status, 'another key').toBe(
        409,
      );
      await deployments.tryApply(name, selecting({ zone: 'north' }), 'second', { force: 'true' });
      expect((await deployments.read(name)).spec.template.spec.nodeSelector).toEqual({ zone: 'north' });
    },
  }),

  // A granular map is merged key by key.
  defineRule('apply.merge.map-granular', {
    sabotage: [
      replaceIn('data', { ...reads('secrets'), with: { b: 'bbbb' } }),
      answerStatus(409, { method: 'PATCH', nth: 2 }),
      requestHeader('content-type', 'application/merge-patch+json', { method: 'PATCH', body: /"data":null/ }),
    ],
    async check({ secrets, unique, expect }) {
      const name = unique();
      await secrets.apply(name, { data: { a: 'aaaa' } }, 'first');
      expect((await secrets.tryApply(name, { data: { b: 'bbbb' } }, 'second')).status, 'another key').toBe(200);
      const object = await secrets.read(name);
      expect(object.data).toEqual({ a: 'aaaa', b: 'bbbb' });
      expect(owns(object, 'first', 'f:data', 'f:b')).toBe(false);
      await keepsOthersMaps(secrets, expect, name);
    },
  }),

  // An atomic struct is replaced whole and owned by one manager.
  defineRule('apply.merge.struct-atomic', {
    sabotage: forceQuery('force', 'true', { method: 'PATCH', query: { force: false } }),
    async check({ networkPolicies, unique, expect }) {
      const name = unique();
      const selecting = (podSelector: Json) => ({ spec: { podSelector } });
      await networkPolicies.apply(name, selecting({ matchLabels: { app: 'a' } }), 'first');
      const other = selecting({ matchExpressions: [{ key: 'tier', operator: 'Exists' }] });
      expect((await networkPolicies.tryApply(name, other, 'second')).status, 'another field of it').toBe(409);
      await networkPolicies.tryApply(name, other, 'second', { force: 'true' });
      expect((await networkPolicies.read(name)).spec.podSelector).toEqual(other.spec.podSelector);
    },
  }),

  // A granular struct is merged field by field.
  defineRule('apply.merge.struct-granular', {
    sabotage: [
      answerStatus(409, { method: 'PATCH', nth: 2 }),
      replaceIn('spec.rules', { ...reads('ingresses'), with: [] }),
    ],
    async check({ ingresses, unique, expect }) {
      const name = unique();
      const { spec } = ingresses.sample();
      const defaultBackend = { service: { name: 'front', port: { number: 80 } } };
      await ingresses.apply(name, { spec }, 'first');
      const another = await ingresses.tryApply(name, { spec: { defaultBackend } }, 'second');
      expect(another.status, 'another field').toBe(200);
      const object = await ingresses.read(name);
      expect(object.spec).toMatchObject({ ...spec, defaultBackend });
      expect(owns(object, 'second', 'f:spec', 'f:rules')).toBe(false);
    },
  }),

  // Without a list type, a merge strategy with a merge key makes a list a map.
  defineRule('apply.merge.strategy-marker', {
    sabotage: [
      answerStatus(409, { method: 'PATCH', nth: 2 }),
      replaceIn('spec.template.spec.containers', reads('deployments')),
    ],
    async check({ deployments, unique, expect }) {
      const name = unique();
      const container = (word: string) => ({ name: word, image: `registry.example/${word}:1` });
      await deployments.apply(name, deployment([container('one')]), 'first');
      expect((await deployments.tryApply(name, deployment([container('two')]), 'second')).status).toBe(200);
      const { containers } = (await deployments.read(name)).spec.template.spec;
      expect(containers.map((one: Json) => one.name).sort()).toEqual(['one', 'two']);
    },
  }),

  // Lists of custom resources are atomic unless their schema says more.
  defineRule('apply.merge.custom-untyped', {
    needs: ['crd'],
    sabotage: forceQuery('force', 'true', { method: 'PATCH', query: { force: false } }),
    async check(context) {
      const { unique, expect } = context;
      const things = await customType(context, { spec: listOf({ items: { type: 'string' } }) });
      const name = unique();
      await things.apply(name, { spec: { list: ['a'] } }, 'first');
      expect((await things.tryApply(name, { spec: { list: ['b'] } }, 'second')).status, 'another element').toBe(409);
      await things.tryApply(name, { spec: { list: ['b'] } }, 'second', { force: 'true' });
      expect((await things.read(name)).spec.list).toEqual(['b']);
    },
  }),
];
