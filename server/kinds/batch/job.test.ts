import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../base/kube-object.ts';
import { sample, tryCreate, tryUpdate } from '../kind-write.fixture.ts';
import { job } from './job.ts';

const pod = { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] };
const spec = (fields: object = {}, template: object = {}) => ({
  spec: { template: { spec: pod, ...template }, ...fields },
});
const generated = { 'controller-uid': 'uid-1', 'job-name': 'x' };
const labelsAt = 'spec.template.metadata.labels';
const restartAt = 'spec.template.spec.restartPolicy';

const create = async (fields: object, metadata: KubeObject['metadata'] = {}) =>
  tryCreate(job, sample(job, fields, metadata));

const table: readonly [string, object, readonly string[]][] = [
  ['what it needs', spec(), []],
  ['nothing', {}, ['spec.template.spec.containers Required', `${restartAt} Required`]],
  [
    'negative numbers',
    spec({
      parallelism: -1,
      completions: -1,
      activeDeadlineSeconds: -1,
      backoffLimit: -1,
      ttlSecondsAfterFinished: -1,
    }),
    [
      'spec.parallelism Invalid',
      'spec.completions Invalid',
      'spec.activeDeadlineSeconds Invalid',
      'spec.backoffLimit Invalid',
      'spec.ttlSecondsAfterFinished Invalid',
    ],
  ],
  ['no time at all', spec({ activeDeadlineSeconds: 0 }), ['spec.activeDeadlineSeconds Invalid']],
  ['zeros', spec({ parallelism: 0, completions: 0, backoffLimit: 0, ttlSecondsAfterFinished: 0 }), []],
  ['an unknown mode', spec({ completionMode: 'Sorted' }), ['spec.completionMode NotSupported']],
  ['an index without end', spec({ completionMode: 'Indexed', parallelism: 1 }), ['spec.completions Required']],
  [
    'too many at once for an index',
    spec({ completionMode: 'Indexed', completions: 1, parallelism: 100_001 }),
    ['spec.parallelism Invalid'],
  ],
  ['as many without', spec({ parallelism: 100_001 }), []],
  ['pods that restart for ever', spec({}, { spec: { ...pod, restartPolicy: 'Always' } }), [`${restartAt} Required`]],
  [
    'pods that restart sometimes',
    spec({}, { spec: { ...pod, restartPolicy: 'Sometimes' } }),
    [`${restartAt} NotSupported`, `${restartAt} NotSupported`],
  ],
  [
    'a selector of its own',
    spec({ selector: { matchLabels: { a: 'b' } } }),
    ['spec.selector Invalid', `${labelsAt} Invalid`],
  ],
  [
    'no selector where one is promised',
    spec({ manualSelector: true }),
    ['spec.selector Required', `${labelsAt} Invalid`],
  ],
  ['one that misses', spec({ manualSelector: true, selector: { matchLabels: { a: 'b' } } }), [`${labelsAt} Invalid`]],
  ['one that takes all', spec({ manualSelector: true, selector: {} }), []],
  [
    'one that is broken',
    spec({ manualSelector: true, selector: { matchExpressions: [{ key: 'a', operator: 'In' }] } }),
    ['spec.selector.matchExpressions[0].values Required'],
  ],
  [
    'labels of another job',
    spec({}, { metadata: { labels: { 'controller-uid': 'z', 'job-name': 'y' } } }),
    [`${labelsAt}[controller-uid] Invalid`, `${labelsAt}[job-name] Invalid`, `${labelsAt} Invalid`],
  ],
];

describe('a new job with', () => {
  test.each(table)('%s', async (_, fields, causes) => {
    expect((await create(fields)).causes).toEqual(causes);
  });

  test('a name too long for a label is told once', async () => {
    expect((await create(spec(), { name: 'a'.repeat(64) })).causes).toEqual(['spec.template.labels Invalid']);
  });

  test.each([
    ['a.b', ['metadata.name Invalid']],
    [`${'a'.repeat(61)}`, []],
    [`${'a'.repeat(62)}`, ['metadata.name Invalid']],
  ])('an index and the name %s', async (name, causes) => {
    expect((await create(spec({ completionMode: 'Indexed', completions: 10 }), { name })).causes).toEqual(causes);
  });
});

describe('a new job gets', () => {
  test.each([
    [{}, { completions: 1, parallelism: 1 }],
    [{ completions: 3 }, { completions: 3, parallelism: 1 }],
    [{ completionMode: 'Indexed' }, { completions: 1, parallelism: 1 }],
  ])('numbers: %j', async (given, numbers) => {
    const { object } = await create(spec(given));
    expect(object).toMatchObject({ spec: { ...numbers, backoffLimit: 6, suspend: false }, status: {} });
  });

  test.each([0, 3])('no completions beside parallelism %d', async (parallelism) => {
    expect((await create(spec({ parallelism }))).object['spec']).not.toHaveProperty('completions');
  });

  test('labels, a selector for them, and the mark that it is tracked', async () => {
    const { object } = await create(spec(), { annotations: { a: 'b', 'batch.kubernetes.io/job-tracking': 'no' } });
    expect(object.metadata).toMatchObject({
      labels: generated,
      annotations: { a: 'b', 'batch.kubernetes.io/job-tracking': '' },
    });
    expect(object).toMatchObject({
      spec: { selector: { matchLabels: { 'controller-uid': 'uid-1' } }, template: { metadata: { labels: generated } } },
    });
  });

  test('the labels of its template when it has none', async () => {
    const labelled = spec({}, { metadata: { labels: { app: 'x' } } });
    expect((await create(labelled)).object.metadata.labels).toEqual({ app: 'x', ...generated });
    expect((await create(labelled, { labels: { own: 'y' } })).object.metadata.labels).toEqual({ own: 'y' });
  });

  test('nothing generated when it has a selector of its own', async () => {
    const manual = spec(
      { manualSelector: true, selector: { matchLabels: { a: 'b' } } },
      { metadata: { labels: { a: 'b' } } },
    );
    const { object, causes } = await create(manual);
    expect(causes).toEqual([]);
    expect(object).toMatchObject({
      metadata: { labels: { a: 'b' } },
      spec: { template: { metadata: { labels: { a: 'b' } } } },
    });
  });
});

const stored = async (fields: object = {}, status = {}) => {
  const { object } = await create(spec(fields));
  return { ...object, status };
};

describe('of a job', () => {
  const changes: readonly [string, object, readonly string[]][] = [
    [
      'the numbers that steer it may change',
      {
        parallelism: 5,
        backoffLimit: 1,
        activeDeadlineSeconds: 9,
        ttlSecondsAfterFinished: 0,
        suspend: true,
        manualSelector: true,
      },
      [],
    ],
    ['completions may not', { completions: 9 }, ['spec.completions Invalid']],
    ['nor its mode', { completionMode: 'Indexed' }, ['spec.completionMode Invalid']],
    ['causes come twice', { backoffLimit: -1 }, ['spec.backoffLimit Invalid', 'spec.backoffLimit Invalid']],
    [
      'the selector may not',
      { selector: { matchLabels: { x: 'y', ...{ 'controller-uid': 'uid-1' } } } },
      ['spec.selector Invalid', `${labelsAt} Invalid`, `${labelsAt} Invalid`, 'spec.selector Invalid'],
    ],
  ];
  test.each(changes)('%s', async (_, change, causes) => {
    const result = await tryUpdate(job, await stored(), (next) => Object.assign(next.spec, change));
    expect(result.causes).toEqual(causes);
  });

  const placement = {
    nodeSelector: { a: 'b' },
    tolerations: [{ key: 'k', operator: 'Exists' }],
    affinity: { nodeAffinity: {} },
  };
  test.each([
    ['suspended and not begun', { suspend: true }, {}, []],
    ['suspended after it began', { suspend: true }, { startTime: '2024-01-01T00:00:00Z' }, ['spec.template Invalid']],
    ['running', {}, {}, ['spec.template Invalid']],
  ])('%s, where pods run may change: %j', async (_, fields, status, causes) => {
    const result = await tryUpdate(job, await stored(fields, status), (next) => {
      Object.assign(next.spec.template.spec, placement);
      next.spec.suspend = false;
    });
    expect(result.causes).toEqual(causes);
  });

  test('suspended, the image may not change', async () => {
    const result = await tryUpdate(job, await stored({ suspend: true }), (next) => {
      next.spec.template.spec.containers[0].image = 'other';
    });
    expect(result.causes).toEqual(['spec.template Invalid']);
  });

  test('the mark of tracking may go but not come', async () => {
    const marked = await stored();
    const gone = await tryUpdate(job, marked, (next) => {
      delete next.metadata.annotations;
    });
    expect(gone).toMatchObject({ causes: [], object: { metadata: { labels: generated } } });
    const back = await tryUpdate(job, gone.object, (next) => {
      next.metadata.annotations = marked.metadata.annotations;
    });
    expect(back.causes).toEqual(['metadata.annotations[batch.kubernetes.io/job-tracking] Forbidden']);
  });
});

test.each([
  [
    { active: -1, succeeded: -1, failed: -1, ready: -1 },
    ['status.active Invalid', 'status.succeeded Invalid', 'status.failed Invalid', 'status.ready Invalid'],
  ],
  [
    { uncountedTerminatedPods: { succeeded: ['a', 'a', ''], failed: ['a'] } },
    [
      'status.uncountedTerminatedPods.succeeded[1] Duplicate',
      'status.uncountedTerminatedPods.succeeded[2] Invalid',
      'status.uncountedTerminatedPods.failed[0] Duplicate',
    ],
  ],
  [{ completedIndexes: 'x', conditions: [{ type: 'Complete', status: 'Maybe' }, { type: 'Failed' }] }, []],
])('status %j', async (status, causes) => {
  const result = await tryUpdate(job, await stored(), (next) => Object.assign(next, { status, spec: {} }), {
    subresource: 'status',
  });
  expect(result.causes).toEqual(causes);
  expect(result.object).toMatchObject({ spec: { completions: 1 } });
});

describe('podFailurePolicy', () => {
  const gates = ['JobPodFailurePolicy'];
  const policy = (...rules: object[]) => spec({ podFailurePolicy: { rules } });
  const codes = (values: number[], fields: object = {}) => ({
    action: 'FailJob',
    onExitCodes: { operator: 'In', values, ...fields },
  });
  const rule = 'spec.podFailurePolicy.rules[0]';
  const condition = { type: 'DisruptionTarget' };

  const rows: readonly [string, object, readonly string[]][] = [
    ['missing rules', spec({ podFailurePolicy: {} }), []],
    ['an exit code', policy(codes([1, 2], { containerName: 'c' })), []],
    ['21 rules', policy(...Array.from({ length: 21 }, () => codes([1]))), ['spec.podFailurePolicy.rules TooMany']],
    ['neither pattern', policy({ action: 'Ignore', onPodConditions: [] }), [`${rule} Invalid`]],
    ['both patterns', policy({ ...codes([1]), onPodConditions: [condition] }), [`${rule} Invalid`]],
    ['no action', policy({ onPodConditions: [condition] }), [`${rule}.action Required`]],
    ['an unknown action', policy({ action: 'Dance', onPodConditions: [condition] }), [`${rule}.action NotSupported`]],
    ['no operator', policy(codes([1], { operator: undefined })), [`${rule}.onExitCodes.operator Required`]],
    ['no values', policy(codes([])), [`${rule}.onExitCodes.values Invalid`]],
    ['256 values', policy(codes(Array.from({ length: 256 }, (_, n) => n + 1))), [`${rule}.onExitCodes.values TooMany`]],
    [
      'odd values',
      policy(codes([2, 1, 1, 0])),
      [
        `${rule}.onExitCodes.values[2] Duplicate`,
        `${rule}.onExitCodes.values[3] Invalid`,
        `${rule}.onExitCodes.values Invalid`,
      ],
    ],
    ['zero with NotIn', policy(codes([-1, 0], { operator: 'NotIn' })), []],
    ['an unknown container', policy(codes([1], { containerName: '' })), [`${rule}.onExitCodes.containerName Invalid`]],
    [
      'odd conditions',
      policy({ action: 'Count', onPodConditions: [{ type: 'a b', status: 'Maybe' }] }),
      [`${rule}.onPodConditions[0].type Invalid`, `${rule}.onPodConditions[0].status NotSupported`],
    ],
    [
      'pods that restart',
      spec({ podFailurePolicy: {} }, { spec: { ...pod, restartPolicy: 'OnFailure' } }),
      [`${restartAt} Invalid`],
    ],
  ];
  test.each(rows)('with the gate: %s', async (_, fields, causes) => {
    expect((await tryCreate(job, sample(job, fields), { gates })).causes).toEqual(causes);
  });

  test('patterns are about true conditions by default', async () => {
    const { object } = await tryCreate(job, sample(job, policy({ action: 'Count', onPodConditions: [condition] })), {
      gates,
    });
    expect(object).toMatchObject({
      spec: { podFailurePolicy: { rules: [{ onPodConditions: [{ status: 'True' }] }] } },
    });
  });

  test('without the gate it is dropped, right or wrong', async () => {
    const { object, causes } = await create(policy({ action: 'Dance' }));
    expect(causes).toEqual([]);
    expect(object['spec']).not.toHaveProperty('podFailurePolicy');
  });

  test('it stays as it is', async () => {
    const { object } = await tryCreate(job, sample(job, policy(codes([1]))), { gates });
    const change = await tryUpdate(job, object, (next) => {
      delete next.spec.podFailurePolicy;
    });
    expect(change.causes).toEqual(['spec.podFailurePolicy Invalid']);
  });
});

test.each([
  [{ completions: 3 }, { succeeded: 1 }, '1/3', ''],
  [{ parallelism: 1 }, {}, '0/1', ''],
  [{ parallelism: 4 }, {}, '0/1 of 4', ''],
  [{ completions: 1 }, { startTime: '2024-01-01T00:00:00Z' }, '0/1', '5m'],
  [{ completions: 1 }, { startTime: '2024-01-01T00:00:00Z', completionTime: '2024-01-01T00:01:30Z' }, '0/1', '90s'],
])('the table tells of %j with %j', (fields, status, completions, duration) => {
  const object = sample(job, { ...spec({ ...fields, selector: { matchLabels: { a: 'b' } } }), status });
  const cells = job.table?.cells(object, Date.UTC(2024, 0, 1, 0, 5));
  expect(cells).toEqual(['x', completions, duration, '<unknown>', 'c', 'i', 'a=b']);
});
