import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { said } from '../../verbs/said.ts';

type Expect = RuleContext['expect'];

const at = (name: string): string => `/metadata/annotations/${name}`;

/** Without what may be others': what names a domain, as webhooks of a cluster add it to everything. */
export const withoutDomain = (map: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(map).filter(([key]) => !/^[^/]*\.[^/]*\//.test(key)));

/** What the operations of a JSON patch mean (RFC 6902), tried on the annotations of an object. */
export async function jsonPatchMeans(objects: Collection, expect: Expect, name: string): Promise<void> {
  const send = (...operations: readonly Json[]) => objects.patch(name, operations, { type: 'json' });
  const shown = async () => withoutDomain((await objects.read(name)).metadata.annotations);
  await send({ op: 'add', path: '/metadata/annotations', value: { one: 'a', 'x/y': 'b', 'u/v': 'w' } });
  const changed = await send(
    { op: 'test', path: at('one'), value: 'a' },
    { op: 'copy', from: at('one'), path: at('two') },
    { op: 'move', from: at('one'), path: at('three') },
    { op: 'replace', path: at('two'), value: 'c' },
    { op: 'remove', path: at('x~1y') },
  );
  expect(changed.status, `operations one after the other: ${said(changed)}`).toBe(200);
  const left = { two: 'c', three: 'a', 'u/v': 'w' };
  expect(await shown(), 'after test, copy, move, replace and remove').toEqual(left);
  await jsonPatchOfMaps(objects, expect, name);
  await send({ op: 'add', path: '/metadata/annotations', value: left });
  const failing = {
    'a test that does not hold': { op: 'test', path: at('two'), value: 'd' },
    // It unescapes to a tilde and a one, which is no slash.
    'a test of a name with a tilde': { op: 'test', path: at('u~01v'), value: 'w' },
    // So who has seen an older state is kept from changing this one.
    'a test of another version': { op: 'test', path: '/metadata/resourceVersion', value: 'none' },
    'remove of what is not there': { op: 'remove', path: at('none') },
    'copy of what is not there': { op: 'copy', from: '/metadata/none/of', path: at('four') },
    'add below what is not there': { op: 'add', path: '/metadata/none/of', value: 'd' },
    'copy to below what is not there': { op: 'copy', from: at('two'), path: '/metadata/none/of' },
    'an operation of another name': { op: 'put', path: at('four'), value: 'd' },
  };
  for (const [what, operation] of Object.entries(failing)) {
    const refused = await send({ op: 'add', path: at('five'), value: 'e' }, operation);
    expect(refused.status, what).toBeGreaterThanOrEqual(400);
    expect(refused.status, what).toBeLessThan(500);
    expect(await shown(), `after ${what}`).toEqual(left);
  }
}

/** Maps are equal whatever order their members have, and what is copied goes its own way. */
async function jsonPatchOfMaps(objects: Collection, expect: Expect, name: string): Promise<void> {
  const labels = (await objects.read(name)).metadata.labels ?? {};
  const path = '/metadata/annotations';
  const answer = await objects.patch(
    name,
    [
      { op: 'add', path, value: { b: '1', a: '2', c: '3' } },
      { op: 'test', path, value: { a: '2', b: '1', c: '3' } },
      { op: 'test', path, value: { c: '3', b: '1', a: '2' } },
      { op: 'add', path: '/metadata/labels', value: { ...labels, copied: 'yes' } },
      { op: 'copy', from: '/metadata/labels', path },
      { op: 'add', path: at('copied'), value: 'no' },
      { op: 'remove', path: '/metadata/labels/copied' },
    ],
    { type: 'json' },
  );
  expect(answer.status, `tests and copies of a map: ${said(answer)}`).toBe(200);
  expect(answer.body.metadata.labels ?? {}, 'what was copied').toEqual(labels);
  const copy = { ...labels, copied: 'no' };
  expect(answer.body.metadata.annotations, 'the copy').toMatchObject(copy);
  expect(withoutDomain(answer.body.metadata.annotations), 'the copy').toEqual(withoutDomain(copy));
}

/** What a merge patch means (RFC 7386), tried on the annotations and finalizers of an object. */
export async function mergePatchMeans(objects: Collection, expect: Expect, name: string): Promise<void> {
  const [one, two] = ['example.com/one', 'example.com/two'];
  await objects.merge(name, { metadata: { annotations: { one: 'a', two: 'b' }, finalizers: [one] } });
  const { metadata } = await objects.merge(name, {
    metadata: { annotations: { one: null, none: null, three: 'c' }, finalizers: [two] },
  });
  expect(metadata.annotations, 'null removes, all else is merged').toMatchObject({ two: 'b', three: 'c' });
  expect(Object.keys(metadata.annotations), 'null removes').not.toContain('one');
  expect(Object.keys(metadata.annotations), 'null of what is not there').not.toContain('none');
  expect(metadata.finalizers, 'a list is replaced').not.toContain(one);
  expect(metadata.finalizers, 'a list is replaced').toContain(two);
  const rest = (metadata.finalizers as string[]).filter((finalizer) => finalizer !== two);
  const emptied = (await objects.merge(name, { metadata: { finalizers: rest } })).metadata;
  expect(emptied.finalizers ?? [], 'a list is replaced by one of nothing more').not.toContain(two);
  await objects.merge(name, { metadata: { annotations: null } });
  const anew = await objects.merge(name, { metadata: { annotations: { none: null, some: 'd' } } });
  expect(anew.metadata.annotations, 'a map that there was not').toMatchObject({ some: 'd' });
  expect(anew.metadata.annotations, 'null in a map that there was not').not.toHaveProperty('none');
}

/** A list of objects is replaced by a merge patch as any other, whatever keys they have. */
export async function mergeListsMean(deployments: Collection, expect: Expect, name: string): Promise<void> {
  const containers = ['one', 'two'].map((word) => ({ name: word, image: 'registry.example/one:1' }));
  const [, second] = containers;
  for (const list of [containers, [second]]) {
    const { spec } = await deployments.merge(name, { spec: { template: { spec: { containers: list } } } });
    const found = spec.template.spec.containers.map((container: Json) => container.name);
    expect(found, 'a list of objects').toEqual(list.map((container) => container?.name));
  }
}

/** A map of nothing is one, where there was none and where there is one. */
export async function mergeMapsMean(deployments: Collection, expect: Expect, name: string): Promise<void> {
  const affinity = async (value: Json): Promise<Json> =>
    (await deployments.merge(name, { spec: { template: { spec: { affinity: value } } } })).spec.template.spec.affinity;
  expect(await affinity({}), 'an empty map where there was none').toEqual({});
  expect(await affinity({ podAffinity: {} }), 'an empty map in an empty one').toEqual({ podAffinity: {} });
  expect(await affinity({}), 'an empty map in place of another').toEqual({ podAffinity: {} });
  expect((await affinity(null)) ?? null, 'null').toBeNull();
  const anew = await affinity({ nodeAffinity: null, podAntiAffinity: {} });
  expect(anew, 'a map that there was not, with null in it').toEqual({ podAntiAffinity: {} });
}

/** What the directives of a strategic merge patch mean for a map and for a list of texts that is merged. */
export async function strategicPatchMeans(objects: Collection, expect: Expect, name: string): Promise<void> {
  const [one, two] = ['example.com/one', 'example.com/two'];
  const send = (metadata: Json) => objects.change(name, { metadata }, 'strategic');
  await send({ annotations: { one: 'a', two: 'b' }, finalizers: [one] });
  const both = (await send({ annotations: { one: null }, finalizers: [two] })).metadata;
  expect(both.finalizers, 'a list of texts is merged').toEqual(expect.arrayContaining([one, two]));
  expect(both.annotations['one'], 'null removes').toBeUndefined();
  const fewer = (await send({ '$deleteFromPrimitiveList/finalizers': [one] })).metadata;
  expect(fewer.finalizers, 'deleted from the list').not.toContain(one);
  expect(fewer.finalizers, 'left in the list').toContain(two);
  await send({ finalizers: [one] });
  const ordered = (await send({ finalizers: [two], '$setElementOrder/finalizers': [two] })).metadata;
  expect(ordered.finalizers, 'a text that the order does not name').toEqual(expect.arrayContaining([one, two]));
  await send({ '$deleteFromPrimitiveList/finalizers': [one, two] });
  const replaced = (await send({ annotations: { $patch: 'replace', only: 'c' } })).metadata;
  expect(withoutDomain(replaced.annotations), 'a map that is replaced').toEqual({ only: 'c' });
  await send({ annotations: null });
  const anew = (await send({ annotations: { none: null, some: 'd' } })).metadata.annotations;
  expect(anew, 'a map that there was not').toMatchObject({ some: 'd' });
  expect(anew, 'null in a map that there was not').not.toHaveProperty('none');
}

/** The same for a list of objects with a key, and for a map whose keys depend on each other. */
export async function strategicListsMean(deployments: Collection, expect: Expect, name: string): Promise<void> {
  const [main] = (await deployments.read(name)).spec.template.spec.containers;
  const ordered = async (...containers: readonly Json[]): Promise<string[]> => {
    const { spec } = await deployments.change(name, { spec: { template: { spec: { containers } } } }, 'strategic');
    return spec.template.spec.containers.map((container: Json) => container.name);
  };
  const names = async (...containers: readonly Json[]): Promise<string[]> => (await ordered(...containers)).sort();
  const second = { name: 'second', image: 'registry.example/second:1' };
  expect(await ordered(second), 'an element with a new key, in front').toEqual(['second', main.name]);
  for (const order of [
    [main.name, 'second'],
    ['second', main.name],
  ]) {
    const containers = [{ name: 'second', image: 'registry.example/other:1' }];
    const asked = { containers, '$setElementOrder/containers': order.map((one) => ({ name: one })) };
    const { spec } = await deployments.change(name, { spec: { template: { spec: asked } } }, 'strategic');
    const found = spec.template.spec.containers.map((container: Json) => container.name);
    expect(found, 'elements in the order that is asked for').toEqual(order);
    expect(await ordered({ name: order[1] }), 'elements that stay where they were').toEqual(order);
  }
  for (const named of ['second', main.name]) {
    const asked = { containers: [{ name: named }], '$setElementOrder/containers': [{ name: named }] };
    const { spec } = await deployments.change(name, { spec: { template: { spec: asked } } }, 'strategic');
    const found = spec.template.spec.containers.map((container: Json) => container.name).sort();
    expect(found, `with ${named} alone in the order`).toEqual([main.name, 'second'].sort());
  }
  const without = async (which: string) => names({ name: which, $patch: 'delete' });
  expect(await without('second'), 'an element that is deleted').toEqual([main.name]);
  expect(await without('second'), 'an element that is deleted once more').toEqual([main.name]);
  expect(await names(second, { $patch: 'replace' }), 'a list that is replaced').toEqual(['second']);
  await strategicInsideMeans(deployments, expect, name);
  const strategy = { $retainKeys: ['type'], type: 'Recreate' };
  const { spec } = await deployments.change(name, { spec: { strategy } }, 'strategic');
  expect(spec.strategy, 'what is not retained').toEqual({ type: 'Recreate' });
}

const insides = {
  ports: [
    { containerPort: 80, name: 'a' },
    { containerPort: 81, name: 'b' },
  ],
  env: [
    { name: 'ONE', value: 'a' },
    { name: 'TWO', value: 'b' },
  ],
  volumeMounts: [{ mountPath: '/one', name: 'one' }],
};

/** The same for lists inside of elements, whose keys are numbers or texts: an element is what it was, but for the change. */
async function strategicInsideMeans(deployments: Collection, expect: Expect, name: string): Promise<void> {
  const change = async (parts: Json, more: Json = {}): Promise<Json> => {
    const template = { spec: { ...more, containers: [{ name: 'second', ...parts }] } };
    const { spec } = await deployments.change(name, { spec: { template } }, 'strategic');
    return spec.template.spec.containers[0];
  };
  await change(insides, { volumes: [{ name: 'one', emptyDir: {} }] });
  const [first, second] = [
    { containerPort: 80, name: 'a', protocol: 'TCP' },
    { containerPort: 81, name: 'b' },
  ];
  const mount = { mountPath: '/one', name: 'one', readOnly: true };
  const { ports, env, volumeMounts } = await change({
    ports: [{ containerPort: 81, protocol: 'UDP' }],
    env: [{ name: 'TWO', value: 'c' }],
    volumeMounts: [mount],
  });
  const changed = { ...second, protocol: 'UDP' };
  expect([...ports].sort(byPort), 'by a number').toEqual([first, changed]);
  expect(env, 'by a name').toHaveLength(2);
  expect(env, 'by a name').toContainEqual({ name: 'TWO', value: 'c' });
  expect(volumeMounts, 'by a path').toEqual([mount]);
  const both = insides.env.map((one) => ({ name: one.name, $patch: 'delete' }));
  const fewer = await change({ ports: [{ containerPort: 80, $patch: 'delete' }], env: both, volumeMounts: null });
  expect(fewer.ports, 'one deleted by its number').toEqual([changed]);
  expect(fewer.env ?? [], 'both deleted by their names').toEqual([]);
  expect(fewer.volumeMounts ?? [], 'null for a list that is merged').toEqual([]);
}

const byPort = (one: Json, other: Json): number => one.containerPort - other.containerPort;
