import { beforeEach, describe, expect, it } from 'vitest';
import type { AdmissionAttributes } from '../admission.ts';
import { eventRateLimit } from './event-rate-limit/event-rate-limit.ts';
import { ownerReferencesPermissionEnforcement } from './owner-references-permission-enforcement.ts';
import { admitted, attributesFor, type PluginWorld, pluginWorld, type Sketch } from './plugins.fixture.ts';

describe('EventRateLimit', () => {
  let now = 0;
  const limited = async (...limits: object[]) => {
    const configuration = { apiVersion: 'eventratelimit.admission.k8s.io/v1alpha1', kind: 'Configuration', limits };
    const world = await pluginWorld({
      configurations: new Map([['EventRateLimit', { configuration, folder: '/' }]]),
      clock: { now: () => now },
    });
    return eventRateLimit(world);
  };
  const event = (sketch: Sketch = {}, more: Partial<AdmissionAttributes> = {}) =>
    attributesFor('events', sketch, { kind: { group: '', version: 'v1', kind: 'Event' }, ...more });

  beforeEach(() => {
    now = 0;
  });

  it('answers 429 when the burst is used up, and recovers with time', async () => {
    const plugin = await limited({ type: 'Server', qps: 2, burst: 3 });
    for (let i = 0; i < 3; i++) expect((await admitted(plugin, event())).refusal).toBeUndefined();
    expect((await admitted(plugin, event())).refusal).toMatchObject({
      code: 429,
      reason: 'TooManyRequests',
      message: 'limit reached on type Server for key ',
    });
    now = 499;
    expect((await admitted(plugin, event())).refusal?.code).toBe(429);
    now = 1000;
    expect((await admitted(plugin, event())).refusal).toBeUndefined();
  });

  it.each<[string, Partial<AdmissionAttributes>, Sketch]>([
    ['Namespace', { namespace: 'other' }, {}],
    ['User', { user: { name: 'jane', uid: '', groups: [], extra: {} } }, {}],
    ['SourceAndObject', {}, { source: { component: 'other' }, involvedObject: { name: 'x' } }],
  ])('has a limit for each %s', async (type, more, sketch) => {
    const plugin = await limited({ type, qps: 1, burst: 1 });
    expect((await admitted(plugin, event())).refusal).toBeUndefined();
    expect((await admitted(plugin, event())).refusal?.code).toBe(429);
    expect((await admitted(plugin, event(sketch, more))).refusal).toBeUndefined();
  });

  it('forgets who it has not seen for longest', async () => {
    const plugin = await limited({ type: 'Namespace', qps: 1, burst: 1, cacheSize: 2 });
    for (const namespace of ['a', 'b', 'c']) await admitted(plugin, event({}, { namespace }));
    expect((await admitted(plugin, event({}, { namespace: 'c' }))).refusal?.code).toBe(429);
    expect((await admitted(plugin, event({}, { namespace: 'a' }))).refusal).toBeUndefined();
  });

  it('counts events alone, and no dry runs', async () => {
    const plugin = await limited({ type: 'Server', qps: 1, burst: 1 });
    await admitted(plugin, event());
    expect((await admitted(plugin, event({}, { dryRun: true }))).refusal).toBeUndefined();
    expect((await admitted(plugin, event({}, { operation: 'DELETE' }))).refusal).toBeUndefined();
    expect((await admitted(plugin, attributesFor('configmaps', {}))).refusal).toBeUndefined();
  });

  it.each([
    ['no limits', []],
    ['an unknown type', [{ type: 'Planet', qps: 1, burst: 1 }]],
    ['a type named like what every object has', [{ type: 'constructor', qps: 1, burst: 1 }]],
    ['no rate', [{ type: 'Server', burst: 1 }]],
    ['a burst of nothing', [{ type: 'Server', qps: 1, burst: 0 }]],
    ['a negative size', [{ type: 'User', qps: 1, burst: 1, cacheSize: -1 }]],
  ])('does not start with %s', async (_, limits) => {
    await expect(limited(...limits)).rejects.toThrow('EventRateLimit');
  });

  it('does not start without a configuration', async () => {
    const world = await pluginWorld();
    expect(() => eventRateLimit(world)).toThrow('--admission-control-config-file');
  });
});

describe('OwnerReferencesPermissionEnforcement', () => {
  let world: PluginWorld;
  beforeEach(async () => {
    world = await pluginWorld();
  });

  const owner = (more: object = {}) => ({ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'rs', uid: 'u1', ...more });
  const owned = (...ownerReferences: object[]): Sketch => ({
    metadata: { name: 'p', namespace: 'ns', ownerReferences: ownerReferences as never },
  });
  const write = async (next: Sketch, old?: Sketch, more: Partial<AdmissionAttributes> = {}) =>
    (
      await admitted(
        ownerReferencesPermissionEnforcement(world),
        attributesFor('pods', next, { ...(old && { oldObject: old as never }), ...more }),
      )
    ).refusal?.message;

  it('asks for the right to delete of who changes owners', async () => {
    expect(await write(owned(owner()))).toBe(
      'pods "p" is forbidden: cannot set an ownerRef on a resource you can\'t delete: nobody said so, <nil>',
    );
    expect(await write(owned(), owned(owner()))).toContain('cannot set an ownerRef');
    world.allowed.add('delete pods p');
    expect(await write(owned(owner()))).toBeUndefined();
  });

  it('does not ask when owners stay, or nodes send them along with a status', async () => {
    expect(await write(owned())).toBeUndefined();
    expect(await write(owned(owner()), owned(owner()))).toBeUndefined();
    expect(await write(owned(owner()), owned(), { subresource: 'status' })).toBeUndefined();
    expect(world.asked).toEqual([]);
  });

  it('asks for the right to hold back the owner', async () => {
    world.allowed.add('delete pods p');
    const blocking = owned(owner({ blockOwnerDeletion: true }));
    expect(await write(blocking)).toContain("a resource you can't set finalizers on: nobody said so");
    expect(world.asked.at(-1)).toMatchObject({
      verb: 'update',
      group: 'apps',
      resource: 'replicasets',
      subresource: 'finalizers',
      namespace: 'ns',
      name: 'rs',
    });
    world.allowed.add('update replicasets/finalizers rs');
    expect(await write(blocking)).toBeUndefined();
    expect(await write(blocking, owned(owner()))).toBeUndefined();
    world.allowed.delete('update replicasets/finalizers rs');
    expect(await write(owned(owner({ blockOwnerDeletion: true }), owner({ uid: 'u2' })), blocking)).toBeUndefined();
  });

  it('refuses to block owners of kinds that nobody knows', async () => {
    world.allowed.add('delete pods p');
    expect(await write(owned(owner({ kind: 'Thing', blockOwnerDeletion: true })))).toContain(
      'cannot find RESTMapping for APIVersion apps/v1 Kind Thing',
    );
  });
});
