import { describe, expect, test } from 'vitest';
import { formatTime } from '../runtime/clock.ts';
import type { Job, Pod } from '../runtime/resources.ts';
import { planJob } from './plan.ts';
import { indexAnnotation, stoppedAnnotation, trackingFinalizer } from './pods.ts';

const now = Date.UTC(2024, 4, 6, 7, 8, 9);
const ago = (seconds: number) => formatTime(now - seconds * 1000);

const job = (spec: object = {}, status: object = {}): Job =>
  ({
    metadata: { namespace: 'ns', name: 'j', uid: 'job' },
    spec: {
      parallelism: 2,
      completions: 3,
      backoffLimit: 6,
      completionMode: 'NonIndexed',
      template: { spec: { restartPolicy: 'Never' } },
      ...spec,
    },
    status: { startTime: ago(60), ...status },
  }) as Job;

let count = 0;
function pod(
  phase: string,
  more: {
    deleting?: boolean;
    released?: boolean;
    stopped?: boolean;
    index?: number;
    exitCode?: number;
    ended?: number;
    node?: string;
    uid?: string;
  } = {},
): Pod {
  count += 1;
  const annotations = {
    ...(more.index !== undefined && { [indexAnnotation]: String(more.index) }),
    ...(more.stopped && { [stoppedAnnotation]: '' }),
  };
  const terminated = { exitCode: more.exitCode ?? (phase === 'Failed' ? 1 : 0), finishedAt: ago(more.ended ?? 1_000) };
  return {
    metadata: {
      namespace: 'ns',
      name: `p${count}`,
      uid: more.uid ?? `u${count}`,
      creationTimestamp: ago(2_000),
      annotations,
      finalizers: more.released ? [] : [trackingFinalizer],
      ...(more.deleting && { deletionTimestamp: ago(0) }),
    },
    spec: { containers: [], ...(more.node && { nodeName: more.node }) },
    status: {
      phase,
      ...(phase !== 'Running' && phase !== 'Pending' && { containerStatuses: [{ name: 'c', state: { terminated } }] }),
    },
  } as unknown as Pod;
}

const uncounted = (succeeded: string[], failed: string[] = []) => ({ uncountedTerminatedPods: { succeeded, failed } });
const condition = (plan: ReturnType<typeof planJob>, type: string) =>
  plan.status?.conditions?.find((each) => each.type === type);

describe('creating pods', () => {
  test.each<[string, object, object, Pod[], number]>([
    ['a new job gets as many as may run at once', {}, {}, [], 2],
    ['no more than are still to succeed', { parallelism: 5 }, { succeeded: 2 }, [], 1],
    ['uncounted successes count', {}, { succeeded: 1, ...uncounted(['gone']) }, [], 1],
    ['those that run are not created again', {}, {}, [pod('Running')], 1],
    ['parallelism 0 creates none', { parallelism: 0 }, {}, [], 0],
    ['without completions as many as may run', { completions: undefined }, {}, [pod('Running')], 1],
    [
      'without completions none after the first success',
      { completions: undefined },
      { succeeded: 1 },
      [pod('Running')],
      0,
    ],
    ['a suspended job creates none', { suspend: true }, {}, [], 0],
    ['a pod on its way out is replaced', {}, {}, [pod('Running', { deleting: true }), pod('Running')], 1],
  ])('%s', (_, spec, status, pods, created) => {
    expect(planJob(job(spec, status), pods, now).create).toHaveLength(created);
  });

  test('an Indexed job gets pods for its smallest free indexes', () => {
    const indexed = job(
      { completionMode: 'Indexed', completions: 6, parallelism: 4 },
      { completedIndexes: '0,2', succeeded: 2 },
    );
    expect(planJob(indexed, [pod('Running', { index: 1 })], now).create).toEqual([3, 4, 5]);
  });

  test('failed pods are replaced after a wait that doubles up to six minutes', () => {
    const waits = [1, 2, 3, 10].map((failures) => {
      const pods = Array.from({ length: failures }, () => pod('Failed', { released: true, ended: 1 }));
      const plan = planJob(job({ backoffLimit: 100 }, { failed: failures }), pods, now);
      expect(plan.create).toEqual([]);
      return plan.checkAgainAfter;
    });
    expect(waits).toEqual([9_000, 19_000, 39_000, 359_000]);
  });

  test('a success ends the waiting', () => {
    const pods = [pod('Failed', { released: true, ended: 9 }), pod('Succeeded', { released: true, ended: 1 })];
    expect(planJob(job({}, { failed: 1, succeeded: 1 }), pods, now).create).toHaveLength(2);
  });
});

describe('counting', () => {
  test('first the uid is stored, then the finalizer goes, then the counter rises', () => {
    const done = pod('Succeeded', { uid: 'a' });
    const first = planJob(job(), [done], now);
    expect(first.status).toMatchObject({ succeeded: 0, ...uncounted(['a']) });
    expect(first.release).toEqual([done]);
    const stored = job({}, uncounted(['a']));
    expect(planJob(stored, [done], now).release).toEqual([done]);
    const released = pod('Succeeded', { uid: 'a', released: true });
    const last = planJob(stored, [released], now);
    expect(last.status).toMatchObject({ succeeded: 1, ...uncounted([]) });
    expect(last.release).toEqual([]);
    expect(planJob(job({}, { succeeded: 1 }), [released], now).status).toBeUndefined();
  });

  test('a pod that vanished after its uid was stored is counted all the same', () => {
    expect(planJob(job({}, uncounted([], ['a'])), [], now).status).toMatchObject({ failed: 1, ...uncounted([]) });
  });

  test('a pod deleted by others counts as failed, one that the job stopped does not', () => {
    const plan = planJob(
      job(),
      [pod('Running', { deleting: true, uid: 'a' }), pod('Running', { deleting: true, stopped: true })],
      now,
    );
    expect(plan.status).toMatchObject(uncounted([], ['a']));
    expect(plan.release).toHaveLength(2);
  });

  test('a stopped pod that succeeded all the same is a success', () => {
    expect(planJob(job(), [pod('Succeeded', { stopped: true, uid: 'a' })], now).status).toMatchObject(uncounted(['a']));
  });

  test('two successes of an index are one', () => {
    const indexed = job({ completionMode: 'Indexed' });
    const plan = planJob(
      indexed,
      [pod('Succeeded', { index: 1 }), pod('Succeeded', { index: 1 }), pod('Succeeded', { index: 7 })],
      now,
    );
    expect(plan.status).toMatchObject({ succeeded: 1, completedIndexes: '1' });
    expect(plan.release).toHaveLength(3);
  });

  test('failures count of the indexes that are to be completed alone', () => {
    const failed = [pod('Failed', { index: 2, uid: 'last' }), pod('Failed', { index: 3 }), pod('Failed')];
    const plan = planJob(job({ completionMode: 'Indexed' }), failed, now);
    expect(plan.status).toMatchObject(uncounted([], ['last']));
    expect(plan.release).toHaveLength(3);
  });

  test('at most five hundred pods enter the status at once', () => {
    const pods = Array.from({ length: 700 }, () => pod('Succeeded'));
    expect(planJob(job({ completions: 1_000 }), pods, now).release).toHaveLength(500);
  });

  test('active and ready are told', () => {
    const ready = pod('Running');
    (ready.status ?? {}).conditions = [{ type: 'Ready', status: 'True' }];
    expect(planJob(job(), [ready, pod('Pending')], now).status).toMatchObject({ active: 2, ready: 1 });
  });

  test('nothing is stored when nothing has changed', () => {
    expect(planJob(job({}, { active: 1 }), [pod('Running')], now).status).toBeUndefined();
  });
});

describe('the end', () => {
  test('with the last success counted a job is complete', () => {
    const plan = planJob(job({}, { succeeded: 3 }), [], now);
    expect(condition(plan, 'Complete')?.status).toBe('True');
    expect(plan.status?.completionTime).toBe(formatTime(now));
    expect(plan.create).toEqual([]);
  });

  test('not before the last pod is counted', () => {
    expect(condition(planJob(job({}, { succeeded: 2 }), [pod('Succeeded')], now), 'Complete')).toBeUndefined();
  });

  test('pods beyond the completions are stopped', () => {
    const extra = pod('Running');
    expect(planJob(job({}, { succeeded: 3 }), [extra], now).stop).toEqual([extra]);
  });

  test('without completions a job is complete when one has succeeded and none runs', () => {
    expect(condition(planJob(job({ completions: undefined }, { succeeded: 1 }), [], now), 'Complete')?.status).toBe(
      'True',
    );
    expect(
      condition(planJob(job({ completions: undefined }, { succeeded: 1 }), [pod('Running')], now), 'Complete'),
    ).toBeUndefined();
  });

  test('no completions at all are complete at once', () => {
    expect(condition(planJob(job({ completions: 0 }), [], now), 'Complete')?.status).toBe('True');
  });

  test.each([
    [6, undefined],
    [7, 'BackoffLimitExceeded'],
  ])('%i failures over a limit of 6: %s', (failed, reason) => {
    expect(condition(planJob(job({}, { failed }), [], now), 'Failed')?.reason).toBe(reason);
  });

  test.each([
    [6, 5, false],
    [6, 6, true],
    [0, 0, false],
    [0, 1, true],
  ])(
    'where containers are restarted, with a limit of %i, %i restarts end the job: %s',
    (backoffLimit, restarts, ends) => {
      const restarted = pod('Running');
      (restarted.status ?? {}).containerStatuses = [{ restartCount: restarts }] as never;
      const template = { spec: { restartPolicy: 'OnFailure' } };
      expect(planJob(job({ template, backoffLimit }), [restarted], now).delete).toEqual(ends ? [restarted] : []);
      expect(planJob(job({ backoffLimit }), [restarted], now).delete).toEqual([]);
    },
  );

  test.each([
    [61, undefined],
    [60, 'DeadlineExceeded'],
  ])('a deadline of %i seconds after 60: %s', (activeDeadlineSeconds, reason) => {
    const plan = planJob(job({ activeDeadlineSeconds }), [], now);
    expect(condition(plan, 'Failed')?.reason).toBe(reason);
    if (!reason) expect(plan.checkAgainAfter).toBe(1_000);
  });

  test.each([
    ['failures', {}, { failed: 7 }, 'BackoffLimitExceeded'],
    ['time', { activeDeadlineSeconds: 60 }, {}, 'DeadlineExceeded'],
  ])(
    'a job that has all its completions and too much of %s at once has failed, with both counted',
    (_, spec, counts, reason) => {
      const plan = planJob(job(spec, { succeeded: 3, ...counts }), [], now);
      expect(plan.status?.conditions?.map((each) => [each.type, each.reason])).toEqual([['Failed', reason]]);
      expect(plan.status).toMatchObject({ succeeded: 3, ...counts });
    },
  );

  test('a failing job ends its pods, and says so only when they are counted', () => {
    const running = pod('Running');
    const plan = planJob(job({ activeDeadlineSeconds: 1 }), [running], now);
    expect(plan.delete).toEqual([running]);
    expect(condition(plan, 'Failed')).toBeUndefined();
    expect(condition(plan, 'FailureTarget')?.reason).toBe('DeadlineExceeded');
  });

  test.each([
    ['DeadlineExceeded', ['Failed']],
    ['PodFailurePolicy', ['FailureTarget', 'Failed']],
  ])('a job that failed for %s has the conditions %j', (reason, expected) => {
    const conditions = [{ type: 'FailureTarget', status: 'True', reason, message: '' }];
    const { status } = planJob(job({}, { conditions }), [], now);
    expect(status?.conditions?.map(({ type }) => type)).toEqual(expected);
  });

  test('a finished job does nothing but let pods go', () => {
    const left = pod('Failed');
    const plan = planJob(
      job({ suspend: true }, { conditions: [{ type: 'Complete', status: 'True' }] }),
      [left, pod('Running')],
      now,
    );
    expect(plan).toEqual({ stop: [], delete: [], release: [left], create: [], news: [] });
  });
});

describe('suspension', () => {
  test('stops the pods, drops the start and says so', () => {
    const running = pod('Running');
    const plan = planJob(job({ suspend: true }), [running], now);
    expect(plan.stop).toEqual([running]);
    expect(plan.status?.startTime).toBeUndefined();
    expect(condition(plan, 'Suspended')).toMatchObject({ status: 'True', reason: 'JobSuspended' });
  });

  test('has no deadline', () => {
    expect(condition(planJob(job({ suspend: true, activeDeadlineSeconds: 1 }), [], now), 'Failed')).toBeUndefined();
  });

  test('does not keep a job from being complete that has all it needs', () => {
    const plan = planJob(job({ suspend: true, completions: 2 }, { succeeded: 2 }), [], now);
    expect(condition(plan, 'Complete')?.status).toBe('True');
  });

  test('ends with a new start', () => {
    const conditions = [{ type: 'Suspended', status: 'True', lastTransitionTime: ago(30) }];
    const plan = planJob(job({}, { conditions, startTime: undefined }), [], now);
    expect(plan.status?.startTime).toBe(formatTime(now));
    expect(condition(plan, 'Suspended')).toMatchObject({
      status: 'False',
      reason: 'JobResumed',
      lastTransitionTime: formatTime(now),
    });
    expect(plan.create).toHaveLength(2);
  });
});

describe('fewer at once', () => {
  test('stops those that have done least', () => {
    const [pending, running] = [pod('Pending'), pod('Running', { node: 'n' })];
    expect(planJob(job({ parallelism: 1 }), [running, pending], now).stop).toEqual([pending]);
  });

  test('a pod is stopped whatever it says that it costs: that is for sets', () => {
    const [early, late] = [pod('Running', { node: 'n' }), pod('Running', { node: 'n' })];
    const cost = { 'controller.kubernetes.io/pod-deletion-cost': '-5' };
    Object.assign(early.metadata ?? {}, { creationTimestamp: ago(3_000), annotations: cost });
    expect(planJob(job({ parallelism: 1 }), [early, late], now).stop).toEqual([late]);
  });

  test('second pods of an index are stopped', () => {
    const [first, second] = [pod('Running', { index: 0, node: 'n' }), pod('Pending', { index: 0 })];
    expect(planJob(job({ completionMode: 'Indexed' }), [first, second], now).stop).toEqual([second]);
  });
});

describe('pod failure policy', () => {
  const rules = (...list: object[]) => job({ podFailurePolicy: { rules: list } });
  const onCodes = (action: string, operator: string, values: number[], containerName?: string) => ({
    action,
    onExitCodes: { operator, values, containerName },
  });

  test.each<[string, Job, number[], string | undefined]>([
    ['FailJob on a listed code', rules(onCodes('FailJob', 'In', [3, 4])), [1], 'PodFailurePolicy'],
    ['FailJob on a code that is not listed', rules(onCodes('FailJob', 'NotIn', [5])), [1], 'PodFailurePolicy'],
    ['NotIn with the code listed', rules(onCodes('FailJob', 'NotIn', [3])), [1], undefined],
    ['Ignore leaves the counter', rules(onCodes('Ignore', 'In', [3])), [0], undefined],
    ['Count counts', rules(onCodes('Count', 'In', [3])), [1], undefined],
    ['the first match wins', rules(onCodes('Ignore', 'In', [3]), onCodes('FailJob', 'In', [3])), [0], undefined],
    ['no match counts', rules(onCodes('FailJob', 'In', [9])), [1], undefined],
    ['another container', rules(onCodes('FailJob', 'In', [3], 'other')), [1], undefined],
    ['this container', rules(onCodes('FailJob', 'In', [3], 'c')), [1], 'PodFailurePolicy'],
    ['an unknown operator matches nothing', rules(onCodes('FailJob', 'Near', [3])), [1], undefined],
    [
      'an unknown action is skipped',
      rules(onCodes('Explode', 'In', [3]), onCodes('Ignore', 'In', [3])),
      [0],
      undefined,
    ],
    [
      'a condition',
      rules({ action: 'FailJob', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] }),
      [1],
      undefined,
    ],
  ])('%s', (_, subject, [failed], reason) => {
    const plan = planJob(subject, [pod('Failed', { exitCode: 3 })], now);
    expect(plan.status?.uncountedTerminatedPods?.failed ?? []).toHaveLength(failed ?? 0);
    expect(plan.release).toHaveLength(1);
    expect(condition(plan, 'FailureTarget')?.reason).toBe(reason);
  });

  test('a condition of the pod matches by type and status', () => {
    const disrupted = pod('Failed');
    (disrupted.status ?? {}).conditions = [{ type: 'DisruptionTarget', status: 'True' }];
    const plan = planJob(
      rules({ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] }),
      [disrupted],
      now,
    );
    expect(plan.status?.uncountedTerminatedPods?.failed ?? []).toHaveLength(0);
    expect(plan.create).toHaveLength(2);
  });

  test('code 0 is never looked at', () => {
    const plan = planJob(rules(onCodes('FailJob', 'NotIn', [5])), [pod('Failed', { exitCode: 0 })], now);
    expect(condition(plan, 'FailureTarget')).toBeUndefined();
  });
});
