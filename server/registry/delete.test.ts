import { beforeEach, describe, expect, it } from 'vitest';
import type { KubeObject } from '../base/kube-object.ts';
import { badRequest } from '../base/status-error.ts';
import { known } from '../base/turns/work.ts';
import { configMapResource, mapOf, Registry, refusal, resourceOf } from './call.fixture.ts';
import { create } from './create.ts';
import { remove } from './delete.ts';
import { removeCollection } from './delete-collection.ts';
import type { Proposal } from './draft.ts';
import { listRequest } from './list-options.ts';
import type { DeleteOptions } from './options.ts';
import { patch } from './patch.ts';
import { get } from './read.ts';
import { write } from './write.ts';

let registry: Registry;
beforeEach(async () => {
  registry = await new Registry().begin();
});
const read = async (name = 'one') => (await get(registry.call({ name }), undefined)).value;
/** Changes what is there. */
const update = (change: (live: KubeObject) => Proposal | Promise<Proposal>, call = registry.call()) =>
  write(call, (_call, _given, live) => known(change(live as KubeObject)), undefined);
const merge = (name: string, body: object) =>
  patch(registry.call({ name }), 'application/merge-patch+json', Buffer.from(JSON.stringify(body)));

describe('a delete', () => {
  const options = (more: Partial<DeleteOptions> = {}): DeleteOptions => ({ dryRun: false, ...more });
  const pods = resourceOf('', 'v1', 'pods');

  it('removes what nothing holds', async () => {
    await create(registry.call(), mapOf('one'));
    expect(await remove(registry.call(), options({ dryRun: true }))).toMatchObject({ gone: true });
    expect(await remove(registry.call(), options())).toMatchObject({ gone: true });
    expect(await refusal(() => remove(registry.call(), options()))).toMatchObject({ code: 404 });
  });

  it('waits for finalizers, once, and ends with the last of them', async () => {
    await create(registry.call(), mapOf('one', { finalizers: ['a.b/c', 'a.b/d'] }));
    const first = await remove(registry.call(), options());
    expect(first).toMatchObject({ gone: false, object: { metadata: { deletionTimestamp: '2024-01-02T03:04:05Z' } } });
    registry.now += 60_000;
    const second = await remove(registry.call(), options());
    expect(second.object).toEqual(first.object);
    expect(await refusal(() => merge('one', { metadata: { finalizers: ['a.b/c', 'a.b/new'] } }))).toMatchObject({
      code: 422,
    });
    await merge('one', { metadata: { finalizers: ['a.b/d'] } });
    const last = await merge('one', { metadata: { finalizers: null } });
    expect(last.object.metadata.finalizers).toBeUndefined();
    expect(await refusal(() => read())).toMatchObject({ code: 404 });
  });

  it.each([
    ['Orphan', undefined, ['orphan']],
    ['Foreground', undefined, ['foregroundDeletion']],
    [undefined, true, ['orphan']],
  ] as const)(
    'with the policy %s (orphanDependents %s) leaves %j',
    async (propagationPolicy, orphanDependents, finalizers) => {
      await create(registry.call(), mapOf('one'));
      const asked = options({
        ...(propagationPolicy && { propagationPolicy }),
        ...(orphanDependents !== undefined && { orphanDependents }),
      });
      const { gone, object } = await remove(registry.call(), asked);
      expect(gone).toBe(false);
      expect(object.metadata.finalizers).toEqual(finalizers);
      expect(await remove(registry.call(), options({ propagationPolicy: 'Background' }))).toMatchObject({ gone: true });
    },
  );

  it('gives another generation to what has one and stays, and none to the others', async () => {
    for (const [given, then] of [
      [5, 6],
      [undefined, undefined],
    ] as const) {
      const metadata = { finalizers: ['a.b/c'], ...(given && { generation: given }) };
      await create(registry.call(), mapOf('one', metadata));
      expect((await remove(registry.call(), options())).object.metadata.generation).toBe(then);
      await merge('one', { metadata: { finalizers: null } });
    }
  });

  it('goes by no policy where nothing can depend on the kind', async () => {
    const at = { resource: resourceOf('', 'v1', 'events') };
    const event = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'one' },
      involvedObject: { namespace: 'default' },
    };
    await create(registry.call(at), event);
    expect(await remove(registry.call(at), options({ propagationPolicy: 'Foreground' }))).toMatchObject({ gone: true });
  });

  it('answers a pod that was to go already as it was', async () => {
    const at = { resource: pods };
    const spec = { containers: [{ name: 'c', image: 'i' }] };
    const sent = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'one' }, spec };
    await create(registry.call(at), sent);
    const first = await remove(registry.call(at), options({ propagationPolicy: 'Orphan' }));
    const second = await remove(registry.call(at), options({ propagationPolicy: 'Background', gracePeriodSeconds: 0 }));
    expect(second).toEqual({ gone: true, object: first.object });
  });

  it('insists on what it was told to find', async () => {
    const { object } = await create(registry.call(), mapOf('one'));
    const { uid = '', resourceVersion = '' } = object.metadata;
    for (const preconditions of [{ uid: 'other' }, { resourceVersion: '1' }, { uid, resourceVersion: '1' }]) {
      expect(await refusal(() => remove(registry.call(), options({ preconditions })))).toMatchObject({ code: 409 });
    }
    expect(await remove(registry.call(), options({ preconditions: { uid, resourceVersion } }))).toMatchObject({
      gone: true,
    });
  });

  it('gives a running pod its time, which may only get shorter', async () => {
    const at = () => registry.call({ resource: pods, name: 'p' });
    const spec = { containers: [{ name: 'm', image: 'i' }], terminationGracePeriodSeconds: 30 };
    await create(at(), { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'p' }, spec });
    await update(
      (live) => ({
        next: { ...structuredClone(live), spec: { ...(live['spec'] as object), nodeName: 'n' } },
      }),
      at(),
    ).catch(() => {});
    const bound = await registry.services.store.update('/pods/default/p', ({ value }) => {
      const next = structuredClone(value);
      return { write: { ...next, spec: { ...(next['spec'] as object), nodeName: 'n' } } };
    });
    expect(bound.outcome).toBe('written');
    const first = await remove(at(), options());
    expect(first).toMatchObject({
      gone: false,
      object: { metadata: { deletionGracePeriodSeconds: 30, deletionTimestamp: '2024-01-02T03:04:35Z' } },
    });
    const longer = await remove(at(), options({ gracePeriodSeconds: 60 }));
    expect(longer.object.metadata.deletionGracePeriodSeconds).toBe(30);
    const shorter = await remove(at(), options({ gracePeriodSeconds: 5 }));
    expect(shorter.object.metadata).toMatchObject({
      deletionGracePeriodSeconds: 5,
      deletionTimestamp: '2024-01-02T03:04:10Z',
    });
    expect(await remove(at(), options({ gracePeriodSeconds: 0 }))).toMatchObject({ gone: true });
  });

  it('of a collection takes what is selected, and answers it as it was', async () => {
    for (const [name, a] of [
      ['x', '1'],
      ['y', '2'],
      ['z', '1'],
    ] as const)
      await create(registry.call({ name }), mapOf(name, { labels: { a } }));
    const call = registry.call({ name: '' });
    const page = await removeCollection(call, listRequest(configMapResource, { labelSelector: 'a=1' }), options());
    expect(page.items.map(({ value }) => value.metadata.name)).toEqual(['x', 'z']);
    expect((await read('y')).metadata.name).toBe('y');
    expect(await refusal(() => read('x'))).toMatchObject({ code: 404 });
  });

  it('of a collection ends with the first that is refused, and what is behind it stays', async () => {
    for (const name of ['x', 'y', 'z']) await create(registry.call({ name }), mapOf(name));
    const guard = {
      ...{ mutates: false, validates: true, changes: false, mutate: () => known(false) },
      validate({ oldObject }: { oldObject?: KubeObject | undefined }) {
        if (oldObject?.metadata.name === 'y') throw badRequest('this one stays');
        return known(undefined);
      },
    };
    const call = registry.call({ name: '', services: { ...registry.services, admission: { passes: () => guard } } });
    const refused = await refusal(() => removeCollection(call, listRequest(configMapResource, {}), options()));
    expect(refused).toMatchObject({ code: 400, message: 'this one stays' });
    expect(await refusal(() => read('x'))).toMatchObject({ code: 404 });
    for (const name of ['y', 'z']) expect((await read(name)).metadata.name).toBe(name);
  });
});
