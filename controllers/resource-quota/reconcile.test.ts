import { expect, test } from 'vitest';
import { FakeClock } from '../runtime/fake-clock.fixture.ts';
import { requestOf } from '../runtime/request.fixture.ts';
import { type Pod, pods, type ResourceQuota, resourceQuotas } from '../runtime/resources.ts';
import { Counts } from './counts.ts';
import { reconcilerWith } from './reconcile.ts';

const parts = { clock: new FakeClock(), changed: () => {} };

test.each<[string, object | undefined, object[]]>([
  ['limits nothing', {}, []],
  ['says nothing', undefined, []],
  ['limits pods', { hard: { pods: '2' } }, [{ hard: { pods: '2' }, used: { pods: '0' } }]],
])('the status of a quota that %s is written where there is something to tell, and once', async (_, spec, told) => {
  let quota = { metadata: { namespace: 'ns', name: 'q' }, ...(spec && { spec }) } as ResourceQuota;
  const written: unknown[] = [];
  const read = (resource: unknown) => ({ find: () => (resource === resourceQuotas ? quota : undefined), in: () => [] });
  const replace = async (_: ResourceQuota, next: ResourceQuota) => {
    written.push(next.status);
    quota = next;
  };
  const reconcile = reconcilerWith(new Counts(parts as never));
  const request = requestOf({ key: 'ns/q', read, write: () => ({ replace }), clock: parts.clock });
  expect([await reconcile(request), await reconcile(request)]).toEqual([undefined, undefined]);
  expect(written).toEqual(told);
});

test('what was let in at the same moment is not forgotten because one of them is seen before the other', async () => {
  const clock = new FakeClock();
  const hard = { pods: '2' };
  let quota: ResourceQuota = {
    metadata: { namespace: 'ns', name: 'q', uid: 'u', resourceVersion: '7' },
    spec: { hard },
    status: { hard, used: { pods: '2' } },
  };
  const seen: Pod[] = [];
  const read = (resource: unknown) => ({
    find: () => (resource === resourceQuotas ? quota : undefined),
    all: () => [],
    in: () => (resource === pods ? seen : []),
  });
  const write = () => ({ replace: async (_: ResourceQuota, next: ResourceQuota) => (quota = next) });
  const counts = new Counts({ clock, changed: () => {} } as never);
  const reconcile = reconcilerWith(counts);
  const look = () => reconcile(requestOf({ key: 'ns/q', read, write, clock }));
  const used = () => quota.status?.used?.['pods'];

  expect(await look()).toBe(250);
  clock.advance(50);
  seen.push({ metadata: { namespace: 'ns', name: 'one' } });
  expect(await look()).toBe(200);
  expect(used()).toBe('2');
  clock.advance(200);
  await look();
  expect(used()).toBe('1');
});
