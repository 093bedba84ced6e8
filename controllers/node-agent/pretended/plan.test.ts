import { describe, expect, test } from 'vitest';
import { formatTime } from '../../runtime/clock.ts';
import { parseDuration } from '../../runtime/duration.ts';
import type { Pod } from '../../runtime/resources.ts';
import { behaviourOf } from './behaviour.ts';
import { planPod } from './plan.ts';

const now = Date.UTC(2024, 0, 1);
const memory = { now, startOf: () => undefined, stopSince: now, podIp: '10.0.0.1', hostIp: '192.0.2.1' };

const pod = (
  annotations: Record<string, string> = {},
  more: { spec?: object; status?: object; metadata?: object } = {},
): Pod =>
  ({
    metadata: { name: 'p', annotations, ...more.metadata },
    spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'i' }], ...more.spec },
    status: { phase: 'Pending', ...more.status },
  }) as Pod;

/** Plays a pod until it waits or is done: the phases it went through, and what it waits for. */
function play(start: Pod, at = memory) {
  const phases: (string | undefined)[] = [];
  let current = start;
  for (let step = 0; step < 10; step += 1) {
    const plan = planPod(current, at);
    if (plan.do !== 'report') return { phases, plan, pod: current };
    current = { ...current, status: plan.status };
    phases.push(plan.status.phase);
  }
  throw new Error('it never ends');
}

const T = 'touchstone.example';

describe('a life', () => {
  test.each<[string, Pod, string[], object]>([
    ['no annotation', pod(), ['Running', 'Succeeded'], { do: 'nothing' }],
    ['an exit code', pod({ [`${T}/exit-code`]: '3' }), ['Running', 'Failed'], { do: 'nothing' }],
    [
      'an exit code of another container',
      pod({ [`${T}/exit-code.other`]: '3' }),
      ['Running', 'Succeeded'],
      { do: 'nothing' },
    ],
    ['a time to run', pod({ [`${T}/run-for`]: '1m30s' }), ['Running'], { do: 'wait', milliseconds: 90_000 }],
    ['always restarted', pod({}, { spec: { restartPolicy: 'Always' } }), ['Running'], { do: 'nothing' }],
    [
      'restarted after a failure, at once the first time',
      pod({ [`${T}/exit-code`]: '1' }, { spec: { restartPolicy: 'OnFailure' } }),
      ['Running', 'Running', 'Running', 'Running'],
      { do: 'wait', milliseconds: 10_000 },
    ],
  ])('%s', (_, start, phases, plan) => expect(play(start)).toMatchObject({ phases, plan }));

  test('a running pod is ready and has an address; one that ended tells its code', () => {
    const { pod: ended } = play(pod({ [`${T}/exit-code`]: '3' }));
    expect(ended.status).toMatchObject({ podIP: '10.0.0.1', hostIP: '192.0.2.1', phase: 'Failed' });
    expect(ended.status?.containerStatuses?.[0]).toMatchObject({
      ready: false,
      state: { terminated: { exitCode: 3, finishedAt: formatTime(now) } },
    });
    expect(ended.status?.conditions?.find(({ type }) => type === 'Ready')?.status).toBe('False');
  });

  test('containers have an id, another one each time they begin, and those that prepare a pod are ready once they have', () => {
    const spec = { restartPolicy: 'OnFailure', initContainers: [{ name: 'first', image: 'i' }] };
    const { status } = play(pod({ [`${T}/exit-code`]: '1' }, { spec })).pod;
    expect(status?.initContainerStatuses).toMatchObject([{ containerID: 'pretended://first/0', ready: true }]);
    expect(status?.containerStatuses).toMatchObject([{ containerID: 'pretended://main/1', restartCount: 1 }]);
  });

  test('a pod fails if one of its containers does', () => {
    const containers = [{ name: 'main' }, { name: 'side' }];
    expect(play(pod({ [`${T}/exit-code.side`]: '1' }, { spec: { containers } })).phases.at(-1)).toBe('Failed');
  });

  test('conditions of others stay', () => {
    const conditions = [{ type: 'example.com/gate', status: 'True' }];
    expect(play(pod({}, { status: { conditions } })).pod.status?.conditions).toContainEqual(conditions[0]);
  });
});

describe('a pod that lacks something', () => {
  const containers = [{ name: 'main', image: 'i' }, { name: 'side' }];
  const start = pod({}, { spec: { containers } });
  const states = ({ status }: Pod) => status?.containerStatuses?.map(({ state }) => state?.waiting?.reason);

  test.each<[string, object, string[]]>([
    ['for a volume', { message: 'm' }, ['ContainerCreating', 'ContainerCreating']],
    ['for a container', { message: 'm', container: 'side' }, ['ContainerCreating', 'CreateContainerConfigError']],
  ])('%s waits, is told once, and begins when it is there', (_, lack, expected) => {
    const { phases, plan, pod: held } = play(start, { ...memory, lack } as typeof memory);
    expect([phases, plan, states(held)]).toEqual([['Pending'], { do: 'nothing' }, expected]);
    expect(held.status?.conditions?.find(({ type }) => type === 'Ready')?.status).toBe('False');
    expect(play(held).phases).toEqual(['Running', 'Succeeded']);
  });
});

test('a pod ends when it was active for as long as it may', () => {
  const spec = { activeDeadlineSeconds: 60, restartPolicy: 'Always' };
  const { plan, pod: active } = play(pod({}, { spec }));
  expect(plan).toEqual({ do: 'wait', milliseconds: 60_000 });
  expect(play(active, { ...memory, now: now + 60_000 }).pod.status).toMatchObject({
    phase: 'Failed',
    reason: 'DeadlineExceeded',
    containerStatuses: [{ ready: false, state: { terminated: { exitCode: 143 } } }],
  });
});

test('a pod with readiness gates is ready when the conditions of others say so, and only as long', () => {
  const spec = { readinessGates: [{ conditionType: 'example.com/gate' }], restartPolicy: 'Always' };
  const gate = (status: string, { status: { conditions = [], ...more } = {}, ...rest }: Pod): Pod => ({
    ...rest,
    status: {
      ...more,
      conditions: [
        ...conditions.filter(({ type }) => type !== 'example.com/gate'),
        { type: 'example.com/gate', status },
      ],
    },
  });
  const ready = ({ status }: Pod) => status?.conditions?.find(({ type }) => type === 'Ready');
  const { pod: shut } = play(pod({}, { spec }));
  expect(ready(shut)).toMatchObject({ status: 'False', reason: 'ReadinessGatesNotReady' });
  const { pod: open } = play(gate('True', shut));
  expect(ready(open)).toMatchObject({ status: 'True' });
  expect(ready(play(gate('False', open)).pod)).toMatchObject({ status: 'False' });
});

describe('the end', () => {
  const going = (more: object = {}, annotations = {}) =>
    pod(annotations, {
      metadata: { deletionTimestamp: formatTime(now), deletionGracePeriodSeconds: 30, ...more },
      status: { phase: 'Running' },
    });

  test('a deleted pod is taken away', () => expect(planPod(going(), memory)).toEqual({ do: 'remove' }));

  test('after the time it takes to stop, or its grace if that is shorter', () => {
    expect(planPod(going({}, { [`${T}/stop-for`]: '5s' }), memory)).toEqual({ do: 'wait', milliseconds: 5_000 });
    expect(planPod(going({}, { [`${T}/stop-for`]: '2h' }), memory)).toEqual({ do: 'wait', milliseconds: 30_000 });
    expect(planPod(going({}, { [`${T}/stop-for`]: '5s' }), { ...memory, now: now + 5_000 })).toEqual({ do: 'remove' });
  });

  test('who holds the pod back is shown how it ended first', () => {
    const { phases, plan } = play(going({ finalizers: ['a/b'] }));
    expect([phases, plan]).toEqual([['Failed'], { do: 'remove' }]);
    expect(planPod(going({ deletionGracePeriodSeconds: 0 }), memory)).toEqual({ do: 'nothing' });
  });
});

test.each([
  ['1m30s', 90_000],
  ['500ms', 500],
  ['1.5s', 1_500],
  ['2h', 7_200_000],
  ['', undefined],
  ['5', undefined],
  ['-5s', undefined],
  ['s', undefined],
  ['1s 2s', undefined],
])('the duration %j is %j milliseconds', (text, expected) => expect(parseDuration(text)).toBe(expected));

test('nonsense in annotations is as if it were not there', () => {
  const odd = pod({ [`${T}/exit-code`]: 'many', [`${T}/run-for`]: 'long' });
  expect(behaviourOf(odd, 'constructor')).toEqual({ runFor: 0, exitCode: 0 });
});

test('an ephemeral container begins when it is added, and is over with the others', () => {
  const lasting = play(pod({ [`${T}/run-for`]: '1m' })).pod;
  const ephemeralContainers = [{ name: 'debugger', image: 'busybox' }];
  const debugged = { ...lasting, spec: { containers: [], ...lasting.spec, ephemeralContainers } };
  const begun = play(debugged).pod;
  expect(begun.status?.ephemeralContainerStatuses).toMatchObject([
    { name: 'debugger', image: 'busybox', state: { running: { startedAt: formatTime(now) } } },
  ]);
  expect(play(begun).phases).toEqual([]);
  const over = play(begun, { ...memory, now: now + 60_000 }).pod;
  expect(over.status).toMatchObject({
    phase: 'Succeeded',
    ephemeralContainerStatuses: [{ state: { terminated: { startedAt: formatTime(now) } } }],
  });
});
