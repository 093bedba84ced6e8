import { expect, test } from 'vitest';
import { formatMicroTime } from '../runtime/clock.ts';
import type { Note } from '../runtime/events.ts';
import { FakeClock } from '../runtime/fake-clock.fixture.ts';
import { type Lease, leases, type Node, type Resource } from '../runtime/resources.ts';
import { heartbeat, nodeFor } from './node.ts';
import { newsOfNode } from './node-news.ts';
import { keepAlive } from './reconcile.ts';

const name = 'node';
const at = { name, port: 1, runtime: 'pretended' } as const;

interface State {
  node: Node;
  lease: Lease;
  readonly writes: string[];
}

/** Writes that are listed. @param trouble what keeps leases from being written */
const writer = (state: State, trouble: Error | undefined) => (resource: Resource) => ({
  async replace(_: object, next: object) {
    if (resource === leases && trouble) throw trouble;
    state.writes.push(resource.plural);
    return Object.assign(state, resource === leases ? { lease: next } : { node: next }) && next;
  },
});

/** A node that was last heard then, and its agent. */
function world(heardAt: (now: number) => number, ready = 'True', trouble?: Error) {
  const clock = new FakeClock();
  const made = nodeFor(at, clock.now());
  const conditions = made.status?.conditions?.map((each) => ({ ...each, status: ready }));
  const state: State = {
    node: { ...made, status: { ...made.status, conditions } } as Node,
    lease: { spec: { renewTime: formatMicroTime(heardAt(clock.now())) } },
    writes: [],
  };
  const read = (resource: Resource) => ({ find: () => (resource === leases ? state.lease : state.node) });
  const write = (resource: Resource) => ({ ...writer(state, trouble)(resource), patch: async () => ({}) });
  const told: string[] = [];
  const events = { record: (_: Node, { note }: Note) => told.push(note) };
  const request = { key: name, clock, read, write, events } as never;
  return { beat: () => keepAlive(request, new Map([[name, 1]]), 'pretended'), clock, state, told };
}

test.each([
  ['of now waits for its turn', 0, [], heartbeat],
  ['of nearly a beat ago waits for what is left', 9_000, [], 1_000],
  ['of a beat ago is renewed', heartbeat, ['leases'], heartbeat],
  ['of a clock that was an hour ahead is renewed', -3_600_000, ['leases'], heartbeat],
])('a lease %s', async (_, age, expected, wait) => {
  const { beat, clock, state } = world((now) => now - age);
  expect(await beat()).toBe(wait);
  expect(state.writes).toEqual(expected);
  expect(Date.parse(state.lease.spec?.renewTime ?? '')).toBeLessThanOrEqual(clock.now());
});

test('a node that was called silent says that it is ready once it is heard again, not before', async () => {
  const mute = world(() => 0, 'Unknown', new Error('no leases'));
  await expect(mute.beat()).rejects.toThrow('no leases');
  expect(mute.state.writes).toEqual([]);
  const heard = world(() => 0, 'Unknown');
  await heard.beat();
  expect(heard.state.writes).toEqual(['leases', 'nodes']);
  const states = (heard.state.node.status?.conditions ?? []).map(({ type, status }) => `${type} ${status}`);
  expect(states).toEqual(['MemoryPressure False', 'DiskPressure False', 'PIDPressure False', 'Ready True']);
});

test('a node is told of as it comes, and by what has changed once it is heard again', async () => {
  const isNow = (reason: string) => `Node node status is now: ${reason}`;
  const all = ['NodeHasSufficientMemory', 'NodeHasNoDiskPressure', 'NodeHasSufficientPID', 'NodeReady'].map(isNow);
  const silent = world(() => 0, 'Unknown');
  await silent.beat();
  expect(silent.told).toEqual(all);
  await silent.beat();
  expect(silent.told).toEqual(all);
  const made = nodeFor(at, 0);
  expect(newsOfNode(undefined, made).map(({ note }) => note)).toEqual(all);
  const conditions = made.status?.conditions?.map((each) =>
    each.type === 'Ready' ? { ...each, status: 'Unknown' } : each,
  );
  const before = { ...made, status: { ...made.status, conditions } } as Node;
  expect(newsOfNode(before, made).map(({ note }) => note)).toEqual([isNow('NodeReady')]);
});
