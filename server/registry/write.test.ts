import { beforeEach, describe, expect, it } from 'vitest';
import type { KubeObject } from '../base/kube-object.ts';
import { known } from '../base/turns/work.ts';
import { deploymentResource, mapOf, Registry, refusal, resourceOf } from './call.fixture.ts';
import { create } from './create.ts';
import type { Proposal } from './draft.ts';
import { patch } from './patch.ts';
import { get } from './read.ts';
import { replace } from './replace.ts';
import { write } from './write.ts';

let registry: Registry;
beforeEach(async () => {
  registry = await new Registry().begin();
});
const dryRun = { dryRun: true, fieldManager: '', fieldValidation: 'Warn', force: false } as const;
const read = async (name = 'one') => (await get(registry.call({ name }), undefined)).value;
/** Changes what is there. */
const update = (change: (live: KubeObject) => Proposal | Promise<Proposal>, call = registry.call()) =>
  write(call, (_call, _given, live) => known(change(live as KubeObject)), undefined);
const merge = (name: string, body: object) =>
  patch(registry.call({ name }), 'application/merge-patch+json', Buffer.from(JSON.stringify(body)));

describe('a small object', () => {
  const grownTo = (bytes: number) => ({
    mutates: true,
    validates: false,
    changes: true,
    mutate(attributes: { object?: KubeObject | undefined }) {
      const owner = { apiVersion: 'v1', kind: 'Owner', name: 'x'.repeat(bytes), uid: 'u' };
      if (attributes.object) attributes.object.metadata.ownerReferences = [owner];
      return known(true);
    },
    validate: () => known(undefined),
  });
  const made = (bytes: number) => {
    const services = { ...registry.services, admission: { passes: () => grownTo(bytes) } };
    return create(registry.call({ services, sentBytes: 100 }), mapOf('one'));
  };

  it('is weighed again where admission made it larger', async () => {
    expect(await refusal(() => made(1_600_000))).toMatchObject({
      code: 500,
      message: 'etcdserver: request is too large',
    });
    expect(await made(1_400_000)).toMatchObject({ code: 201 });
  });
});

describe('a create', () => {
  it('gives the object what the server owns, whatever was sent there', async () => {
    const sent = mapOf('one', {
      uid: 'mine',
      creationTimestamp: '1999-01-01T00:00:00Z',
      deletionTimestamp: '1999-01-01T00:00:00Z',
      deletionGracePeriodSeconds: 5,
      selfLink: '/x',
      namespace: '',
    });
    const { code, object } = await create(registry.call(), sent);
    expect(code).toBe(201);
    expect(object.metadata).toMatchObject({
      name: 'one',
      namespace: 'default',
      uid: 'uid-1',
      creationTimestamp: '2024-01-02T03:04:05Z',
    });
    expect(object.metadata).not.toHaveProperty('deletionTimestamp');
    expect(object.metadata).not.toHaveProperty('deletionGracePeriodSeconds');
    expect(object.metadata).not.toHaveProperty('selfLink');
  });

  it('makes a name of its beginning, cut so that the whole fits a label', async () => {
    const { object } = await create(registry.call({ name: '' }), {
      ...mapOf(''),
      metadata: { generateName: `${'a'.repeat(70)}` },
    });
    expect(object.metadata.name).toMatch(/^a{58}\d{5}$/);
  });

  it.each([
    ['a version', { resourceVersion: '7' }, 400],
    ['no name', { name: '' }, 422],
    ['a name in capitals', { name: 'One' }, 422],
    ['a label that is none', { labels: { 'a b': 'c' } }, 422],
    ['a finalizer without a domain', { finalizers: ['mine'] }, 422],
    ['an owner without a uid', { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'x', uid: '' }] }, 422],
  ])('is refused with %s', async (_, metadata, code) => {
    expect(await refusal(() => create(registry.call(), mapOf('one', metadata)))).toMatchObject({ code });
  });

  it('happens once a name, and not at all in a dry run', async () => {
    await create(registry.call({ options: dryRun }), mapOf('one'));
    expect(await refusal(() => read())).toMatchObject({ code: 404 });
    await create(registry.call(), mapOf('one'));
    expect(await refusal(() => create(registry.call(), mapOf('one')))).toMatchObject({ code: 409 });
    expect(await refusal(() => create(registry.call({ options: dryRun }), mapOf('one')))).toMatchObject({ code: 409 });
  });

  it('drops owners that stand there twice, and says so', async () => {
    const owner = { apiVersion: 'v1', kind: 'Pod', name: 'x', uid: 'u' };
    const { object } = await create(
      registry.call(),
      mapOf('one', { ownerReferences: [owner, { ...owner }, { ...owner, name: 'y' }] }),
    );
    expect(object.metadata.ownerReferences).toHaveLength(2);
    expect(registry.warnings.join()).toContain('duplicate');
  });
});

describe('an update', () => {
  beforeEach(async () => {
    await create(registry.call(), mapOf('one', { labels: { a: 'b' } }, { k: 'v' }));
  });

  it('keeps what did not change, writes what did', async () => {
    const before = await read();
    const same = await update((live) => ({ next: structuredClone(live) }));
    expect(same.object.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
    const other = await update((live) => ({ next: { ...structuredClone(live), data: { k: 'w' } } }));
    expect(Number(other.object.metadata.resourceVersion)).toBeGreaterThan(Number(before.metadata.resourceVersion));
  });

  it('starts over with the newest version when another write came between', async () => {
    let turns = 0;
    await update(async (live) => {
      if (turns++ === 0) await merge('one', { data: { other: 'x' } });
      const next = structuredClone(live);
      return { next: { ...next, data: { ...(next['data'] as object), mine: 'y' } } };
    });
    expect(turns).toBe(2);
    expect((await read())['data']).toEqual({ k: 'v', other: 'x', mine: 'y' });
  });

  it('does not change who the object is', async () => {
    const { uid, creationTimestamp } = (await read()).metadata;
    const { object } = await replace(registry.call(), mapOf('one', { creationTimestamp: '1999-01-01T00:00:00Z' }));
    expect(object.metadata).toMatchObject({ uid, creationTimestamp, namespace: 'default' });
    expect(await refusal(() => replace(registry.call(), mapOf('one', { uid: 'other' })))).toMatchObject({ code: 409 });
    expect(await refusal(() => replace(registry.call(), mapOf('two')))).toMatchObject({ code: 400 });
    expect(await refusal(() => replace(registry.call(), mapOf('')))).toMatchObject({ code: 400 });
    expect(await refusal(() => replace(registry.call(), mapOf('one', { namespace: 'kube-system' })))).toMatchObject({
      code: 400,
    });
  });

  it('from an old version is a conflict', async () => {
    const { resourceVersion = '' } = (await read()).metadata;
    await merge('one', { data: { k: 'w' } });
    expect(await refusal(() => replace(registry.call(), mapOf('one', { resourceVersion })))).toMatchObject({
      code: 409,
    });
    expect(await refusal(() => merge('one', { metadata: { resourceVersion } }))).toMatchObject({ code: 409 });
    expect(await refusal(() => replace(registry.call(), mapOf('one', { resourceVersion: 'x' })))).toMatchObject({
      code: 400,
    });
  });

  it('of what is not there is not found, unless its kind may be created so', async () => {
    expect(await refusal(() => replace(registry.call({ name: 'two' }), mapOf('two')))).toMatchObject({ code: 404 });
    const resource = resourceOf('coordination.k8s.io', 'v1', 'leases');
    const lease = { kind: 'Lease', apiVersion: 'coordination.k8s.io/v1', metadata: { name: 'l' } };
    expect(await replace(registry.call({ name: 'l', resource }), lease)).toMatchObject({ code: 201 });
  });

  it('shows in a dry run what it would do', async () => {
    const before = await read();
    const { object } = await patch(
      registry.call({ options: dryRun }),
      'application/merge-patch+json',
      Buffer.from('{"data":{"k":"w"}}'),
    );
    expect(object['data']).toEqual({ k: 'w' });
    expect(object.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
    expect(await read()).toEqual(before);
  });

  it.each([
    ['not JSON', '{', 400],
    ['a wrong type', '{"data":{"k":1}}', 422],
    ['another kind', '{"kind":"Secret"}', 422],
    ['no version', '{"apiVersion":null}', 400],
    ['another name', '{"metadata":{"name":"two"}}', 400],
    ['another namespace', '{"metadata":{"namespace":"two"}}', 400],
  ])('by a patch with %s is refused', async (_, body, code) => {
    expect(
      await refusal(() => patch(registry.call(), 'application/merge-patch+json', Buffer.from(body))),
    ).toMatchObject({ code });
  });

  it.each([
    [{ name: 'two', labels: { a: 'b' }, port: 99 }, 400, 'does not match', 'unknown field "port"'],
    [{ k: 'w', metadata: { name: 'one' } }, 400, 'name must be provided', 'unknown field "k",unknown field "metadata"'],
    [{ name: 1 }, 422, '', ''],
    [{ name: 'one', kind: 'Secret' }, 422, 'kind', ''],
  ])('by a document that says no version, but %j, is refused', async (value, code, message, warnings) => {
    const root = JSON.stringify([{ op: 'replace', path: '', value }]);
    const error = await refusal(() => patch(registry.call(), 'application/json-patch+json', Buffer.from(root)));
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
    expect(registry.warnings.join()).toBe(warnings);
  });

  it('by a document that says no version has its metadata at the top', async () => {
    const root = JSON.stringify([{ op: 'replace', path: '', value: { name: 'one', labels: { a: 'b' } } }]);
    const { object } = await patch(registry.call(), 'application/json-patch+json', Buffer.from(root));
    expect(object).toMatchObject({ kind: 'ConfigMap', metadata: { name: 'one', labels: { a: 'b' } } });
    expect(object).not.toHaveProperty('data');
  });

  it('of status leaves the rest alone, and the other way round', async () => {
    const labels = { app: 'web' };
    const spec = {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'm', image: 'i' }] } },
    };
    const at = (subresource = '') => registry.call({ resource: deploymentResource, name: 'web', subresource });
    const made = await create(at(), {
      kind: 'Deployment',
      apiVersion: 'apps/v1',
      metadata: { name: 'web' },
      spec,
      status: { replicas: 9 },
    });
    expect(made.object.metadata.generation).toBe(1);
    expect(made.object['status']).toEqual({});
    const change = Buffer.from(JSON.stringify({ spec: { replicas: 5 }, status: { replicas: 2 } }));
    const status = await patch(at('status'), 'application/merge-patch+json', change);
    expect(status.object).toMatchObject({
      metadata: { generation: 1 },
      spec: { replicas: 1 },
      status: { replicas: 2 },
    });
    const main = await patch(
      at(),
      'application/merge-patch+json',
      Buffer.from(JSON.stringify({ spec: { replicas: 5 }, status: { replicas: 7 } })),
    );
    expect(main.object).toMatchObject({ metadata: { generation: 2 }, spec: { replicas: 5 }, status: { replicas: 2 } });
    const scaled = await patch(at('scale'), 'application/merge-patch+json', Buffer.from('{"spec":{"replicas":3}}'));
    expect(scaled.object).toMatchObject({
      kind: 'Scale',
      spec: { replicas: 3 },
      status: { replicas: 2, selector: 'app=web' },
    });
    const negative = Buffer.from('{"spec":{"replicas":-1}}');
    expect(await refusal(() => patch(at('scale'), 'application/merge-patch+json', negative))).toMatchObject({
      code: 422,
    });
  });
});
