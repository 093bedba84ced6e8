import { expect, test } from 'vitest';
import { FakeClock } from '../runtime/fake-clock.fixture.ts';
import { controllerOf, type KubeObject, managedBy, nameOf } from '../runtime/kube-object.ts';
import { requestOf } from '../runtime/request.fixture.ts';
import { type Pod, pods, type ReplicaSet, type Resource, replicaSets } from '../runtime/resources.ts';
import { replicaSetLoops } from './reconcile.ts';

const labels = { app: 'web' };
const metadataOf = (name: string, owner: KubeObject, kind: string) => ({
  metadata: { namespace: 'ns', name, uid: name, labels, ownerReferences: [managedBy(owner, 'apps/v1', kind)] },
});
const setOf = (name: string, deployment: string): ReplicaSet => ({
  ...metadataOf(name, { metadata: { name: deployment, uid: deployment } }, 'Deployment'),
  spec: { replicas: 1, selector: { matchLabels: labels } },
});
const podOf = (name: string, set: ReplicaSet, nodeName: string): Pod => ({
  ...metadataOf(name, set, 'ReplicaSet'),
  spec: { nodeName, containers: [] },
  status: { phase: 'Running' },
});

test.each([
  ['its own', 'web', 'b'],
  ['another', 'db', 'a'],
])(
  'a set gives up pods where most are of all sets of its Deployment, here beside a set of %s',
  async (_, other, gone) => {
    const [own, beside] = [setOf('own', 'web'), setOf('beside', other)];
    const there = new Map<Resource, readonly KubeObject[]>([
      [replicaSets, [own, beside]],
      [pods, [podOf('a', own, 'one'), podOf('b', own, 'two'), podOf('c', beside, 'two')]],
    ]);
    const deleted: string[] = [];
    const request = requestOf({
      key: 'ns/own',
      clock: new FakeClock(),
      events: { record: () => {} },
      read: (resource: Resource) => ({
        find: () => own,
        ownedBy: (uid: string) => (there.get(resource) ?? []).filter((each) => controllerOf(each)?.uid === uid),
        withoutManager: () => [],
      }),
      write: () => ({ delete: async (pod: Pod) => deleted.push(nameOf(pod)), replace: async () => own }),
    });
    await replicaSetLoops[0]?.reconcile(request);
    expect(deleted).toEqual([gone]);
  },
);
