import { beforeEach, describe, expect, test } from 'vitest';
import type { Json } from '../../base/kube-object.ts';
import { ApplyConflictError, MalformedPatchError, UnmergeableObjectError } from '../patch-error.ts';
import { builtIn, Story, type StoryKind } from './story.fixture.ts';
import { untracked } from './tracked-write.ts';

const data = (data: object | null) => ({ data });
const conflict = (manager: string) => `"${manager}"`;

let story: Story;
beforeEach(() => {
  story = new Story();
});

describe('one manager', () => {
  test('what it applies is there, and what it leaves out goes', async () => {
    await story.apply('alpha', data({ a: '1', b: '2' }));
    expect(story.owners).toEqual({ 'alpha Apply': { 'f:data': { 'f:a': {}, 'f:b': {} } } });
    await story.apply('alpha', data({ b: '3' }));
    expect(story.content['data']).toEqual({ b: '3' });
    await story.apply('alpha', {});
    expect(story.content['data']).toBeUndefined();
    expect(story.entries).toEqual([]);
  });

  test('applying the same again changes nothing, not even the time', async () => {
    await story.apply('alpha', data({ a: '1' }));
    const { live } = story;
    await story.apply('alpha', data({ a: '1' }));
    expect(story.live).toEqual(live);
    await story.apply('alpha', data({ a: '2' }));
    expect(story.timeOf('alpha')).not.toBe(live?.metadata.managedFields?.[0]?.time);
  });

  test('configurations that look alike are owned by one and the same set, others by another', async () => {
    const other = new Story();
    await story.apply('alpha', data({ a: '1', b: '2' }));
    await other.apply('beta', data({ a: '3', b: '4' }));
    expect(other.entries[0]?.fieldsV1).toBe(story.entries[0]?.fieldsV1);
    await other.apply('beta', data({ a: '3', c: '4' }));
    expect(other.owners).toEqual({ 'beta Apply': { 'f:data': { 'f:a': {}, 'f:c': {} } } });
  });

  test.each<[string, Json]>([
    ['creationTimestamp', null],
    ['generation', 5],
    ['uid', null],
    ['selfLink', 'x'],
    ['namespace', null],
  ])("a configuration that says another %s than the server's is no repetition", async (field, value) => {
    await story.replace('alpha', data({ a: '1' }));
    await story.apply('beta', data({ a: '1' }));
    expect(story.timeOf('beta')).toBeUndefined();
    await story.apply('gamma', { metadata: { [field]: value }, ...data({ a: '1' }) });
    expect(story.timeOf('gamma')).toBeDefined();
    expect(story.owners).toMatchObject({ 'gamma Apply': { 'f:data': { 'f:a': {} } } });
  });

  test("system fields in the configuration are nobody's", async () => {
    const metadata = { name: 'one', namespace: 'n', creationTimestamp: null, generation: 1, labels: { a: 'b' } };
    await story.apply('alpha', { metadata });
    expect(story.owners).toEqual({ 'alpha Apply': { 'f:metadata': { 'f:labels': { 'f:a': {} } } } });
  });

  test('an empty map is owned, null as a value becomes what its kind makes of it', async () => {
    await story.apply('alpha', data({}));
    expect(story.owners).toEqual({ 'alpha Apply': { 'f:data': {} } });
    await story.apply('alpha', data({ a: null }));
    expect(story.content['data']).toEqual({ a: '' });
    expect(story.owners).toEqual({ 'alpha Apply': { 'f:data': { 'f:a': {} } } });
    await story.apply('alpha', data(null));
    expect(story.content['data']).toBeUndefined();
    expect(story.owners).toEqual({ 'alpha Apply': { 'f:data': {} } });
  });
});

describe('a conflict and the three ways out of it', () => {
  beforeEach(async () => {
    await story.apply('alpha', data({ a: '1', b: '1' }));
  });

  test('another value is refused and nothing changes', async () => {
    expect(await story.conflicts('beta', data({ a: '2', c: '1' }))).toEqual([['.data.a', conflict('alpha')]]);
    expect(story.content['data']).toEqual({ a: '1', b: '1' });
  });

  test('force takes the field over', async () => {
    await story.apply('beta', data({ a: '2' }), { force: true });
    expect(story.content['data']).toEqual({ a: '2', b: '1' });
    expect(story.owners).toEqual({
      'alpha Apply': { 'f:data': { 'f:b': {} } },
      'beta Apply': { 'f:data': { 'f:a': {} } },
    });
  });

  test('who gives a field up leaves it to the others', async () => {
    await story.apply('beta', data({ a: '1' }));
    await story.apply('alpha', data({ b: '1' }));
    expect(story.content['data']).toEqual({ a: '1', b: '1' });
    expect(story.owners).toEqual({
      'alpha Apply': { 'f:data': { 'f:b': {} } },
      'beta Apply': { 'f:data': { 'f:a': {} } },
    });
  });

  test('the same value is shared, and then conflicts for either', async () => {
    await story.apply('beta', data({ a: '1' }));
    expect(story.timeOf('beta')).toBeUndefined();
    expect(await story.conflicts('alpha', data({ a: '2', b: '1' }))).toEqual([['.data.a', conflict('beta')]]);
    expect(await story.conflicts('beta', data({ a: '2' }))).toEqual([['.data.a', conflict('alpha')]]);
  });

  test('the message names each manager once, with its fields', async () => {
    await story.patch('gamma', { data: { c: '1' } });
    const failure = await story.failure(() => story.apply('beta', data({ a: '2', b: '2', c: '2' })));
    expect(failure).toBeInstanceOf(ApplyConflictError);
    expect(failure.message).toBe(
      'Apply failed with 3 conflicts: conflicts with "alpha":\n- .data.a\n- .data.b\nconflicts with "gamma" using v1:\n- .data.c',
    );
  });
});

describe('updates', () => {
  test('never conflict and take what they change, and nothing else', async () => {
    await story.apply('alpha', data({ a: '1', b: '1' }));
    await story.patch('beta', data({ a: '2' }));
    expect(story.owners).toEqual({
      'alpha Apply': { 'f:data': { 'f:b': {} } },
      'beta Update': { 'f:data': { 'f:a': {} } },
    });
    expect(await story.conflicts('alpha', data({ a: '1', b: '1' }))).toEqual([['.data.a', '"beta" using v1']]);
  });

  test('the update entry of a manager conflicts with its own apply', async () => {
    await story.replace('alpha', data({ a: '1' }));
    await story.apply('alpha', data({ a: '1' }));
    expect(await story.conflicts('alpha', data({ a: '2' }))).toEqual([['.data.a', '"alpha" using v1']]);
    await story.apply('alpha', data({ a: '2' }), { force: true });
    expect(story.owners).toEqual({
      'alpha Apply': { 'f:data': { 'f:a': {} } },
      'alpha Update': { 'f:data': {} },
    });
  });

  test('what an update owns stays when an applier leaves it out', async () => {
    await story.replace('poster', data({ a: '1' }));
    await story.apply('alpha', data({ a: '1', b: '1' }));
    await story.apply('alpha', {});
    expect(story.content['data']).toEqual({ a: '1' });
  });

  test('an object without entries belongs to those before the first apply', async () => {
    await story.replace('poster', data({ a: '1', b: '1' }));
    await story.replace('poster', { ...data({ a: '1', b: '1' }), metadata: { managedFields: [{}] } });
    expect(story.entries).toEqual([]);
    await story.patch('other', data({ c: '1' }));
    expect(story.entries).toEqual([]);
    expect(await story.conflicts('alpha', data({ a: '2' }))).toEqual([['.data.a', '"before-first-apply" using v1']]);
    await story.apply('alpha', data({ a: '1' }));
    expect(story.owners).toEqual({
      'alpha Apply': { 'f:data': { 'f:a': {} } },
      'before-first-apply Update': { 'f:data': { '.': {}, 'f:a': {}, 'f:b': {}, 'f:c': {} } },
    });
  });
});

describe('configurations that do not fit are refused', () => {
  const fails = async (config: object) => {
    const kind = builtIn('apps/v1', 'Deployment');
    story = new Story(kind);
    return story.failure(() => story.apply('alpha', config));
  };
  const containers = (containers: unknown) => ({ spec: { template: { spec: { containers } } } });
  test.each<readonly [string, object, string]>([
    ['an unknown field', { nonsense: 1 }, '.nonsense: field not declared in schema'],
    [
      'an unknown field in a list element',
      containers([{ name: 'c', x: 1 }]),
      '.spec.template.spec.containers[name="c"].x',
    ],
    ['text for a number', { spec: { replicas: 'two' } }, '.spec.replicas: expected numeric'],
    ['a number for text', { metadata: { labels: { a: 1 } } }, '.metadata.labels.a: expected string'],
    ['a map for a list', containers({ name: 'c' }), '.spec.template.spec.containers: expected list'],
    ['a list for a map', { spec: [] }, '.spec: expected map'],
    ['text as a keyed element', containers(['c']), 'element 0'],
    ['two elements with one key', containers([{ name: 'c' }, { name: 'c' }]), 'duplicate entries for key [name="c"]'],
    ['a value twice in a set', { metadata: { finalizers: ['a', 'a'] } }, 'duplicate entries for key [="a"]'],
    ['another apiVersion', { apiVersion: 'v1' }, 'apps/v1'],
    ['no apiVersion', { apiVersion: null }, 'apps/v1'],
    ['managedFields', { metadata: { managedFields: [] } }, 'metadata.managedFields must be nil'],
  ])('%s', async (_name, config, message) => {
    const failure = await fails(config);
    expect(failure).toBeInstanceOf(MalformedPatchError);
    expect(failure.message).toContain(message);
  });

  test.each<readonly [string, object, string]>([
    ['one', { spec: { replicas: 'two' } }, '.spec.replicas: expected numeric (int or float), got string'],
    [
      'several',
      { nonsense: 1, spec: [] },
      'errors:\n  .nonsense: field not declared in schema\n  .spec: expected map, got list',
    ],
  ])('with the object that the configuration names, and %s of its faults in turn', async (_number, config, told) => {
    story = new Story(builtIn('apps/v1', 'Deployment'));
    const failure = await story.failure(() =>
      story.apply('alpha', { metadata: { name: 'd', namespace: 'n' }, ...config }),
    );
    expect(failure.message).toBe(`failed to create typed patch object (n/d; apps/v1, Kind=Deployment): ${told}`);
  });

  test.each<readonly [string, Json, string]>([
    ['of a long name', { name: 'n'.repeat(100_000) }, `/${'n'.repeat(1024)}... (98976 more characters)`],
    ['of a name that is none', { name: { a: 1 }, namespace: 3 }, '/'],
    ['without a name', null, '/'],
  ])('an object %s is told so that its faults are', async (_what, metadata, named) => {
    story = new Story(builtIn('apps/v1', 'Deployment'));
    const failure = await story.failure(() => story.apply('alpha', { metadata, nonsense: 1 }));
    expect(failure.message).toContain(`object (${named}; apps/v1, Kind=Deployment): `);
    expect(failure.message).toContain('.nonsense: field not declared in schema');
  });

  test('a live object with two elements of one key cannot be merged with', async () => {
    story = new Story(builtIn('v1', 'Pod'));
    await story.replace('poster', { spec: { containers: [{ name: 'c', env: [{ name: 'E' }, { name: 'E' }] }] } });
    const config = { spec: { containers: [{ name: 'c', env: [{ name: 'F' }] }] } };
    expect(await story.failure(() => story.apply('alpha', config))).toBeInstanceOf(UnmergeableObjectError);
  });

  test('managedFields null is none, and a key left out counts as its default', async () => {
    story = new Story(builtIn('v1', 'Service'));
    await story.apply('alpha', {
      metadata: { managedFields: null },
      spec: { ports: [{ port: 53 }, { port: 53, protocol: 'UDP' }] },
    });
    const twice = { spec: { ports: [{ port: 53 }, { port: 53, protocol: 'TCP' }] } };
    expect((await story.failure(() => story.apply('alpha', twice))).message).toContain('port=53,protocol="TCP"');
  });
});

describe('subresources', () => {
  const job: StoryKind = {
    ...builtIn('batch/v1', 'Job'),
    untracked: (subresource) => untracked([subresource === 'status' ? 'spec' : 'status']),
  };
  beforeEach(async () => {
    story = new Story(job);
    await story.apply('alpha', { spec: { suspend: true }, status: { active: 3 } });
  });

  test('fields that a path resets are not owned through it', async () => {
    expect(story.owners).toEqual({ 'alpha Apply': { 'f:spec': { 'f:suspend': {} } } });
  });

  test('a manager has an entry for each subresource, and conflicts name it', async () => {
    await story.apply(
      'ctl',
      { status: { active: 1 }, spec: { parallelism: 9 } },
      { subresource: 'status', force: true },
    );
    expect(Object.keys(story.owners)).toEqual(['alpha Apply', 'ctl Apply status']);
    await story.patch('up', { status: { active: 2 } }, { subresource: 'status' });
    expect(await story.conflicts('ctl', { status: { active: 4 } }, { subresource: 'status' })).toEqual([
      ['.status.active', '"up" with subresource "status" using batch/v1'],
    ]);
  });

  test('a configuration of nothing but reset fields changes nothing', async () => {
    const { live } = story;
    await story.apply('beta', { status: { active: 7 } });
    expect(story.live).toEqual(live);
  });
});

describe('coming from client-side apply', () => {
  const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
  const last = (content: object) =>
    `${JSON.stringify({ apiVersion: 'v1', data: content, kind: 'ConfigMap', metadata: { annotations: {}, name: 'one' } })}\n`;
  beforeEach(async () => {
    const content = { a: '1', b: '1' };
    await story.replace('kubectl-client-side-apply', {
      data: content,
      metadata: { annotations: { [annotation]: last(content) } },
    });
  });

  test('kubectl may change what it wrote before, and the annotation follows', async () => {
    await story.apply('kubectl', { ...data({ a: '2', b: '1' }), metadata: { name: 'one' } });
    expect(story.content['data']).toEqual({ a: '2', b: '1' });
    expect(story.live?.metadata.annotations?.[annotation]).toBe(
      '{"apiVersion":"v1","data":{"a":"2","b":"1"},"kind":"ConfigMap","metadata":{"name":"one"}}\n',
    );
    expect(story.owners).toEqual({
      'kubectl Apply': { 'f:data': { 'f:a': {}, 'f:b': {} } },
      'kubectl-client-side-apply Update': {
        'f:data': { '.': {}, 'f:b': {} },
        'f:metadata': { 'f:annotations': { '.': {}, [`f:${annotation}`]: {} } },
      },
    });
  });

  test('not what others changed since, and no other manager may', async () => {
    await story.patch('other', data({ b: '2' }));
    expect(await story.conflicts('kubectl', data({ a: '2', b: '3' }))).toEqual([['.data.b', '"other" using v1']]);
    expect(await story.conflicts('fresh', data({ a: '2' }))).toEqual([
      ['.data.a', '"kubectl-client-side-apply" using v1'],
    ]);
  });

  test('an annotation that cannot be read allows nothing', async () => {
    await story.patch('kubectl-client-side-apply', { metadata: { annotations: { [annotation]: '{"apiVersion":' } } });
    expect((await story.conflicts('kubectl', data({ a: '2' }))).map(([field]) => field)).toEqual(['.data.a']);
  });

  test.each([
    ['a field that there is not', { data: { a: '1' }, datum: {} }],
    ['a value of another type', { data: { a: '1' }, immutable: 'no' }],
  ])('an annotation with %s allows nothing', async (_, content) => {
    const text = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', ...content });
    await story.patch('kubectl-client-side-apply', { metadata: { annotations: { [annotation]: text } } });
    expect((await story.conflicts('kubectl', data({ a: '2' }))).map(([field]) => field)).toEqual(['.data.a']);
  });

  test('handing the entry over to another manager and operation works by an update', async () => {
    const [entry] = story.entries;
    const managedFields = [{ ...entry, manager: 'kubectl', operation: 'Apply' }];
    await story.replace('kubectl', { ...story.content, metadata: { ...story.live?.metadata, managedFields } });
    await story.apply('kubectl', data({ a: '2' }));
    expect(story.content['data']).toEqual({ a: '2' });
  });
});
