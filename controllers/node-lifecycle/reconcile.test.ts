import { expect, test } from 'vitest';
import { formatMicroTime } from '../runtime/clock.ts';
import type { Request } from '../runtime/controller.ts';
import { FakeClock } from '../runtime/fake-clock.fixture.ts';
import { leases, type Node, type Resource } from '../runtime/resources.ts';
import { nodeLifecycleLoops } from './reconcile.ts';

/** A node that is ready, with a lease, and whoever looks at both. */
function world(renewTime: number) {
  const clock = new FakeClock();
  const [loop] = nodeLifecycleLoops();
  const state = {
    node: { metadata: { name: 'n' }, status: { conditions: [{ type: 'Ready', status: 'True' }] } } as Node,
    lease: { spec: { renewTime: formatMicroTime(renewTime) } },
  };
  const request = {
    key: 'n',
    clock,
    events: { record: () => {} },
    read: (resource: Resource) => ({ find: () => (resource === leases ? state.lease : state.node) }),
    write: () => ({
      replace: async (_base: Node, next: Node) => {
        state.node = next;
        return next;
      },
      patch: async () => state.node,
    }),
  } as unknown as Request;
  return {
    clock,
    look: () => loop?.reconcile(request),
    renew: (time: number) => {
      state.lease = { spec: { renewTime: formatMicroTime(time) } };
    },
    ready: () => state.node.status?.conditions?.find(({ type }) => type === 'Ready')?.status,
  };
}

test.each([
  ['long ago', -3_600_000],
  ['by a clock that is ahead', 3_600_000],
])('a node whose lease was renewed %s is silent 40 seconds after it was last seen to be renewed', async (_, shift) => {
  const { clock, look, renew, ready } = world(clockStart() + shift);
  expect(await look()).toBe(40_000);
  clock.advance(30_000);
  renew(clock.now() + shift);
  expect(await look()).toBe(40_000);
  clock.advance(39_000);
  expect(await look()).toBe(1_000);
  expect(ready()).toBe('True');
  clock.advance(1_000);
  await look();
  expect(ready()).toBe('Unknown');
});

const clockStart = () => new FakeClock().now();
