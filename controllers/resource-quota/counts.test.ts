import { expect, onTestFinished, test } from 'vitest';
import { FakeClock } from '../runtime/fake-clock.fixture.ts';
import { type ResourceQuota, resourceQuotas } from '../runtime/resources.ts';
import { startCluster } from '../testing/cluster.fixture.ts';
import { resourceQuotaLoops } from './reconcile.ts';

/** Informers that say which kinds they are asked for. */
function informersOf(followed: Set<string>) {
  const cache = { all: () => [], in: () => [], listen: () => {} };
  return {
    of: () => ({ cache }),
    metadataOf({ plural }: { readonly plural: string }) {
      followed.add(plural);
      return { cache, isSynced: true, synced: Promise.resolve() };
    },
    forgetMetadataOf: ({ plural }: { readonly plural: string }) => followed.delete(plural),
  };
}

test('kinds that no quota names any more are not followed any more', async () => {
  const cluster = await startCluster({ controllers: ['serviceaccount'] });
  onTestFinished(() => cluster.stop());
  const followed = new Set<string>();
  const parts = { client: cluster.client, informers: informersOf(followed), clock: new FakeClock() };
  const [loop] = resourceQuotaLoops(parts as never);
  const quota = (name: string, ...kinds: readonly string[]): ResourceQuota => ({
    metadata: { name, namespace: 'ns' },
    spec: { hard: Object.fromEntries(kinds.map((kind) => [`count/${kind}`, '1'])) },
  });
  let quotas = [quota('one', 'secrets', 'leases.coordination.k8s.io'), quota('other', 'secrets')];
  const read = (resource: unknown) => ({
    find: (key: string) =>
      resource === resourceQuotas ? quotas.find(({ metadata }) => key === `ns/${metadata?.name}`) : undefined,
    all: () => quotas,
    in: () => [],
  });
  const reconcile = (key: string) =>
    loop?.reconcile({ key, read, clock: parts.clock, write: () => ({ replace: async () => {} }) } as never);
  await reconcile('ns/one');
  expect(followed).toEqual(new Set(['secrets', 'leases']));
  quotas = quotas.slice(1);
  await reconcile('ns/one');
  expect(followed).toEqual(new Set(['secrets']));
});
