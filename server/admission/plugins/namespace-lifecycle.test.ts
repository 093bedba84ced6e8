import { beforeEach, describe, expect, it } from 'vitest';
import { namespaceLifecycle } from './namespace-lifecycle.ts';
import { admitted, attributesFor, type PluginWorld, pluginWorld } from './plugins.fixture.ts';

let world: PluginWorld;
beforeEach(async () => {
  world = await pluginWorld();
  await world.put('namespaces', { metadata: { name: 'live' } });
  await world.put('namespaces', { metadata: { name: 'ending', deletionTimestamp: '2022-08-23T00:00:00Z' } });
});

const inNamespace = (namespace: string, resource = 'configmaps', more = {}) =>
  admitted(
    namespaceLifecycle(world),
    attributesFor(resource, { metadata: { name: 'x', namespace } }, { namespace, ...more }),
  );

describe('creates', () => {
  it('need a namespace that is there', async () => {
    expect((await inNamespace('live')).refusal).toBeUndefined();
    expect((await inNamespace('absent')).refusal).toMatchObject({
      code: 404,
      details: { kind: 'namespaces', name: 'absent' },
    });
  });

  it('are not possible in one that is being deleted', async () => {
    expect((await inNamespace('ending', 'roles.rbac.authorization.k8s.io')).refusal).toMatchObject({
      code: 403,
      message:
        'roles.rbac.authorization.k8s.io "x" is forbidden: unable to create new content in namespace ending because it is being terminated',
      details: {
        name: 'x',
        group: 'rbac.authorization.k8s.io',
        kind: 'roles',
        causes: [
          {
            reason: 'NamespaceTerminating',
            message: 'namespace ending is being terminated',
            field: 'metadata.namespace',
          },
        ],
      },
    });
  });

  it('are refused under the generateName as long as there is no name', async () => {
    const attributes = attributesFor('secrets', { metadata: { generateName: 'token-', namespace: 'ending' } });
    const { refusal } = await admitted(namespaceLifecycle(world), attributes);
    expect(refusal?.details).toMatchObject({ name: 'token-' });
  });

  it.each([
    ['of nothing in a namespace', '', 'nodes', {}],
    [
      'of access reviews, which tell nothing about the namespace',
      'absent',
      'localsubjectaccessreviews.authorization.k8s.io',
      {},
    ],
    ['that are no creates', 'ending', 'configmaps', { operation: 'UPDATE' }],
    ['that are deletes', 'absent', 'configmaps', { operation: 'DELETE' }],
  ])('pass %s', async (_, namespace, resource, more) => {
    expect((await inNamespace(namespace, resource, more)).refusal).toBeUndefined();
  });

  it('see a namespace that only the store knows yet', async () => {
    const { configMaps: _, ...services } = { ...world, configMaps: 0 };
    const blind = { ...services, followed: { ...world.followed, namespaces: { get: () => undefined } as never } };
    const attributes = attributesFor('configmaps', { metadata: { name: 'x', namespace: 'live' } });
    expect((await admitted(namespaceLifecycle(blind), attributes)).refusal).toBeUndefined();
  });
});

describe('deletes of namespaces', () => {
  const deletion = (name: string, more = {}) =>
    admitted(
      namespaceLifecycle(world),
      attributesFor('namespaces', {}, { operation: 'DELETE', name, namespace: name, object: undefined, ...more }),
    );

  it.each(['default', 'kube-system', 'kube-public'])('are refused for %s', async (name) => {
    expect((await deletion(name)).refusal).toMatchObject({
      code: 403,
      message: `namespaces "${name}" is forbidden: this namespace may not be deleted`,
      details: { name, kind: 'namespaces' },
    });
    expect((await deletion(name, { dryRun: true })).refusal?.code).toBe(403);
  });

  it.each(['kube-node-lease', 'live', 'constructor'])('are let through for %s', async (name) => {
    expect((await deletion(name)).refusal).toBeUndefined();
  });
});
