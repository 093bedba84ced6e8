import { expect, test } from 'vitest';
import { ApiError } from '../runtime/api-error.ts';
import { formatMicroTime, formatTime } from '../runtime/clock.ts';
import type { Note } from '../runtime/events.ts';
import { FakeClock } from '../runtime/fake-clock.fixture.ts';
import { type KubeObject, nameOf } from '../runtime/kube-object.ts';
import { requestOf } from '../runtime/request.fixture.ts';
import { leases, type Node, nodes, type Pod, pods, type Resource } from '../runtime/resources.ts';
import { nodeLifecycleLoops } from './reconcile.ts';

const ready = { conditions: [{ type: 'Ready', status: 'True' }] };
const readiness = ({ status }: Node | Pod) => status?.conditions?.find(({ type }) => type === 'Ready')?.status;

/** A node that is ready, with a lease and a pod that is ready as well, and whoever looks at them. */
function world(renewTime: number | undefined) {
  const clock = new FakeClock();
  const [loop] = nodeLifecycleLoops();
  const state = {
    node: { metadata: { name: 'n' }, status: ready } as Node,
    pod: { metadata: { name: 'p' }, spec: { nodeName: 'n' }, status: ready } as Pod,
    lease: renewTime === undefined ? undefined : { spec: { renewTime: formatMicroTime(renewTime) } },
    trouble: undefined as ApiError | undefined,
  };
  const told: string[] = [];
  const request = requestOf({
    key: 'n',
    clock,
    events: { record: (regarding: KubeObject, { reason }: Note) => told.push(`${nameOf(regarding)}: ${reason}`) },
    read: (resource: Resource) => ({
      find: () => (resource === leases ? state.lease : state.node),
      indexed: (_: string, node: string) => (node === 'n' ? [state.pod] : []),
    }),
    write: (resource: Resource) => ({
      replace: async (_base: object, next: object) => {
        if (resource === pods && state.trouble) throw state.trouble;
        return Object.assign(state, resource === nodes ? { node: next } : { pod: next }) && next;
      },
      patch: async () => state.node,
    }),
  });
  const look = () => loop?.reconcile(request);
  return {
    clock,
    look,
    told,
    state,
    renew: (time: number) => {
      state.lease = { spec: { renewTime: formatMicroTime(time) } };
    },
    async fallSilent() {
      clock.advance((await look()) ?? 0);
      return look();
    },
  };
}

test.each([
  ['long ago', -3_600_000],
  ['by a clock that is ahead', 3_600_000],
])('a node whose lease was renewed %s is silent 40 seconds after it was last seen to be renewed', async (_, shift) => {
  const { clock, look, renew, state } = world(clockStart() + shift);
  expect(await look()).toBe(40_000);
  clock.advance(30_000);
  renew(clock.now() + shift);
  expect(await look()).toBe(40_000);
  clock.advance(39_000);
  expect(await look()).toBe(1_000);
  expect([readiness(state.node), readiness(state.pod)]).toEqual(['True', 'True']);
  clock.advance(1_000);
  await look();
  expect([readiness(state.node), readiness(state.pod)]).toEqual(['Unknown', 'False']);
});

test('a node without a lease is silent 40 seconds after it last told when it was ready', async () => {
  const { clock, look, state } = world(undefined);
  const tell = (lastHeartbeatTime?: string) => {
    state.node = {
      ...state.node,
      status: { conditions: [{ type: 'Ready', status: 'True', lastHeartbeatTime }] },
    } as Node;
  };
  expect(await look()).toBe(40_000);
  clock.advance(30_000);
  tell('2024-01-01T00:00:00Z');
  expect(await look()).toBe(40_000);
  clock.advance(40_000);
  await look();
  expect([readiness(state.node), readiness(state.pod)]).toEqual(['Unknown', 'False']);
  tell('2024-01-01T00:01:10Z');
  expect(await look()).toBe(40_000);
});

test.each([
  ['a minute after it was made, however long it is seen', 0, 60_000],
  ['at once where it was made long ago', 3_600_000, undefined],
])('a node that has told nothing is silent %s', async (_, age, wait) => {
  const { clock, look, state } = world(undefined);
  const creationTimestamp = formatTime(clock.now() - age);
  state.node = { metadata: { name: 'n', creationTimestamp } };
  expect(await look()).toBe(wait);
  clock.advance(wait ?? 0);
  await look();
  expect(readiness(state.node)).toBe('Unknown');
});

test('that a node is silent and its pods are not ready is told once', async () => {
  const { fallSilent, look, told } = world(clockStart());
  await fallSilent();
  await look();
  expect(told.filter((each) => !each.includes('Registered'))).toEqual(['n: NodeNotReady', 'p: NodeNotReady']);
});

test('that a node has come is told once, and that it has gone', async () => {
  const { look, told, state } = world(clockStart());
  await look();
  await look();
  expect(told).toEqual(['n: RegisteredNode']);
  Object.assign(state, { node: undefined });
  await look();
  await look();
  expect(told).toEqual(['n: RegisteredNode', 'n: RemovingNode']);
});

test('a pod that could not be told of is told of at the next look, also where the node is silent already', async () => {
  const { fallSilent, look, state } = world(clockStart());
  state.trouble = new ApiError(500, {}, 'write');
  await expect(fallSilent()).rejects.toThrow('500');
  state.trouble = undefined;
  await look();
  expect([readiness(state.node), readiness(state.pod)]).toEqual(['Unknown', 'False']);
});

test('a pod that has gone from a silent node is no trouble', async () => {
  const { fallSilent, told, state } = world(clockStart());
  state.trouble = new ApiError(404, { reason: 'NotFound' }, 'write');
  await fallSilent();
  expect(told.filter((each) => !each.includes('Registered'))).toEqual(['n: NodeNotReady']);
});

const clockStart = () => new FakeClock().now();
