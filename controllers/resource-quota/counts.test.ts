import { expect, onTestFinished, test } from 'vitest';
import { FakeClock } from '../runtime/fake-clock.fixture.ts';
import { requestOf } from '../runtime/request.fixture.ts';
import { type Resource, type ResourceQuota, resourceQuotas } from '../runtime/resources.ts';
import { startCluster } from '../testing/cluster.fixture.ts';
import { Counts } from './counts.ts';
import { resourceQuotaLoops } from './reconcile.ts';

type Kind = Pick<Resource, 'plural' | 'version'>;
const nameOf = ({ plural, version }: Kind) => `${plural} ${version}`;

/** Informers that say which kinds they are asked for. */
function informersOf(followed: Set<string>) {
  const cache = { all: () => [], in: () => [], listen: () => {} };
  return {
    of: () => ({ cache }),
    metadataOf(resource: Kind) {
      followed.add(nameOf(resource));
      return { cache, isSynced: true, synced: Promise.resolve() };
    },
    forgetMetadataOf: (resource: Kind) => followed.delete(nameOf(resource)),
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
    loop?.reconcile(requestOf({ key, read, clock: parts.clock, write: () => ({ replace: async () => {} }) }));
  await reconcile('ns/one');
  expect(followed).toEqual(new Set(['secrets v1', 'leases v1']));
  quotas = quotas.slice(1);
  await reconcile('ns/one');
  expect(followed).toEqual(new Set(['secrets v1']));
});

test('a kind that is defined anew is followed anew, once the server says so as well', async () => {
  const [name, clock, followed] = ['kites.example.com', new FakeClock(), new Set<string>()];
  let version = 'v1';
  const versions = () => [{ groupVersion: `example.com/${version}`, version }];
  const kites = { name: 'kites', kind: 'Kite', namespaced: true, verbs: ['list', 'watch'] };
  const read = async (path: string) =>
    path === '/apis' ? { groups: [{ name: 'example.com', versions: versions() }] } : { resources: [kites] };
  const counts = new Counts({ client: { read }, informers: informersOf(followed), clock, changed: () => {} } as never);
  const follow = (...served: string[]) => counts.follow([name], () => ({ id: served.join(), versions: served }));
  await follow('v1');
  expect(followed).toEqual(new Set(['kites v1']));
  clock.advance(500);
  await follow('v2');
  expect([followed, counts.of(name, 'ns')]).toEqual([new Set(), undefined]);
  version = 'v2';
  clock.advance(500);
  await follow('v2');
  expect([followed, counts.of(name, 'ns')]).toEqual([new Set(['kites v2']), 0]);
});
