import type { MinorRange } from '../../holds-for.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { type KindPath, kindPaths } from '../../verbs/kinds.ts';
import { merged } from '../../verbs/merged.ts';
import { image, preparePods } from '../../verbs/pods.ts';
import { said } from '../../verbs/said.ts';
import { nameOf } from '../../verbs/states.ts';
import { claimsNothing, spec } from '../unfit/judged-kind.ts';

type Cells = Readonly<Record<string, unknown>>;

/** A kind with what its objects have beside their sample, and what is shown of them by what their status says. */
export interface ShownStatus {
  readonly at: KindPath;
  readonly parts: Json;
  /** Where not from v1.24 on. */
  readonly holds?: MinorRange;
  readonly shown: readonly (readonly [status: Json, cells: Cells])[];
}

const template = { metadata: { labels: { app: 'shown' } }, spec: { containers: [{ name: 'main', image }] } };
const idle = { selector: { matchLabels: { app: 'shown' } }, template, replicas: 0 };
const counted = { replicas: 4, readyReplicas: 2, availableReplicas: 1 };
const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'none' };
const seldom = { jobTemplate: { spec: { template: merged(template, spec({ restartPolicy: 'Never' })) } } };
const measured = (name: string, averageValue: string): Json => ({ metric: { name }, current: { averageValue } });
/** How long that is ago. */
const someTime = /^\d+[yd]/;
const longAgo = '2024-05-06T07:08:09Z';

const ofWork: readonly ShownStatus[] = [
  {
    at: kindPaths.deployments,
    parts: spec({ ...idle, paused: true }),
    shown: [
      [
        { ...counted, updatedReplicas: 3 },
        { Ready: '2/0', 'Up-to-date': 3, Available: 1 },
      ],
    ],
  },
  { at: kindPaths.replicaSets, parts: spec(idle), shown: [[counted, { Desired: 0, Current: 4, Ready: 2 }]] },
  {
    at: kindPaths.replicationControllers,
    parts: spec({ template, replicas: 0, selector: { app: 'shown' } }),
    shown: [[counted, { Desired: 0, Current: 4, Ready: 2 }]],
  },
  { at: kindPaths.statefulSets, parts: spec(idle), shown: [[counted, { Ready: '2/0' }]] },
  {
    at: kindPaths.daemonSets,
    parts: spec({ ...idle, replicas: undefined, template: merged(template, spec({ nodeSelector: { none: 'such' } })) }),
    shown: [
      [
        {
          ...{ desiredNumberScheduled: 5, currentNumberScheduled: 4, numberReady: 3, updatedNumberScheduled: 2 },
          ...{ numberAvailable: 1, numberMisscheduled: 0 },
        },
        { Desired: 5, Current: 4, Ready: 3, 'Up-to-date': 2, Available: 1 },
      ],
    ],
  },
  {
    at: kindPaths.jobs,
    // Later servers refuse the status of a job that contradicts itself.
    holds: { from: 24, to: 29 },
    parts: spec({ suspend: true, completions: 3 }),
    shown: [
      [{ succeeded: 2 }, { Completions: '2/3', Duration: '' }],
      [
        { succeeded: 2, startTime: longAgo, completionTime: '2024-05-06T08:11:09Z' },
        { Completions: '2/3', Duration: '63m' },
      ],
    ],
  },
  {
    at: kindPaths.cronJobs,
    parts: spec({ schedule: '0 0 1 1 *', suspend: true, ...seldom }),
    shown: [
      [{ active: ['a', 'b'].map((name) => ({ kind: 'Job', name })) }, { Active: 2, 'Last Schedule': '<none>' }],
      [{ lastScheduleTime: longAgo }, { 'Last Schedule': someTime }],
    ],
  },
  {
    at: kindPaths.horizontalPodAutoscalers,
    parts: spec({
      ...{ maxReplicas: 3, scaleTargetRef: target },
      metrics: ['a', 'b'].map((name) => ({
        type: 'Pods',
        pods: { metric: { name }, target: { type: 'AverageValue', averageValue: '1' } },
      })),
    }),
    shown: [
      [
        { currentReplicas: 2, desiredReplicas: 3 },
        { Replicas: 2, Targets: '<unknown>/1, <unknown>/1' },
      ],
      [
        {
          ...{ currentReplicas: 2, desiredReplicas: 3 },
          currentMetrics: ['2', '500m'].map((each, at) => ({ type: 'Pods', pods: measured('ab'[at] ?? '', each) })),
        },
        { Replicas: 2, Targets: '2/1, 500m/1' },
      ],
    ],
  },
  {
    at: kindPaths.podDisruptionBudgets,
    parts: spec({ minAvailable: 1, selector: { matchLabels: { app: 'touchstone-none' } } }),
    shown: [
      [
        { disruptionsAllowed: 2, currentHealthy: 3, desiredHealthy: 1, expectedPods: 3 },
        { 'Min Available': '1', 'Allowed Disruptions': 2 },
      ],
    ],
  },
];

const points = (...ingress: readonly Json[]): Json => ({ loadBalancer: { ingress } });

const ofOthers: readonly ShownStatus[] = [
  {
    at: kindPaths.ingresses,
    parts: spec({ ingressClassName: 'nobody' }),
    shown: [
      [points({ ip: '192.0.2.2' }), { Address: '192.0.2.2' }],
      [points({ hostname: 'a.test' }, { ip: '192.0.2.1' }), { Address: '192.0.2.1,a.test' }],
    ],
  },
  {
    at: kindPaths.services,
    parts: spec({ type: 'LoadBalancer', loadBalancerClass: 'touchstone.example/nobody' }),
    shown: [
      [{}, { 'External-IP': '<pending>' }],
      [points({ ip: '192.0.2.1' }), { 'External-IP': '192.0.2.1' }],
      [points({ hostname: 'a.test' }), { 'External-IP': 'a.test' }],
    ],
  },
  {
    at: kindPaths.persistentVolumes,
    parts: spec({ storageClassName: 'touchstone-nobody' }),
    shown: [
      [
        { phase: 'Failed', reason: 'Tried' },
        { Status: 'Failed', Reason: 'Tried' },
      ],
    ],
  },
  {
    at: kindPaths.persistentVolumeClaims,
    parts: merged(claimsNothing, spec({ volumeName: 'touchstone-none' })),
    shown: [
      [
        { phase: 'Lost', capacity: { storage: '2Gi' }, accessModes: ['ReadWriteMany', 'ReadWriteOnce'] },
        { Status: 'Lost', Volume: 'touchstone-none', Capacity: '2Gi', 'Access Modes': 'RWO,RWX' },
      ],
    ],
  },
  { at: kindPaths.volumeAttachments, parts: {}, shown: [[{ attached: true }, { Attached: true }]] },
  {
    at: kindPaths.resourceQuotas,
    parts: spec({ hard: { pods: '3', 'limits.cpu': '2' } }),
    shown: [
      [
        { hard: { pods: '3', 'limits.cpu': '2' }, used: { pods: '1', 'limits.cpu': '500m' } },
        { Request: 'pods: 1/3', Limit: 'limits.cpu: 500m/2' },
      ],
    ],
  },
];

const container = (name: string, state: Json, more: Json = {}): Json => ({
  ...{ name, image, imageID: '', ready: false, restartCount: 0, state },
  ...more,
});
const running = { running: { startedAt: longAgo } };
const ended = (more: Json): Json => ({ terminated: { exitCode: 0, ...more } });
const waiting = (reason: string): Json => ({ waiting: { reason } });
/** What its two containers say, behind two that have prepared it. */
const saying = (one: Json, two: Json, more: Json = {}): Json => ({
  initContainerStatuses: ['first', 'second'].map((name) => container(name, ended({ reason: 'Completed' }))),
  containerStatuses: [container('one', one, more), container('two', two, { ready: 'running' in two, restartCount: 2 })],
});
const preparing = (state: Json): Json => ({
  initContainerStatuses: [
    container('first', ended({ reason: 'Completed' })),
    container('second', state, { restartCount: 4 }),
  ],
});
const ready = { conditions: [{ type: 'Ready', status: 'True' }] };

const ofPods: ShownStatus = {
  at: kindPaths.pods,
  parts: spec({
    schedulerName: 'touchstone.example/nobody',
    initContainers: ['first', 'second'].map((name) => ({ name, image })),
    containers: ['one', 'two'].map((name) => ({ name, image })),
  }),
  shown: [
    [{ phase: 'Pending' }, { Ready: '0/2', Status: 'Pending', Restarts: '0', IP: '<none>', Node: '<none>' }],
    [preparing(running), { Ready: '0/2', Status: 'Init:1/2', Restarts: '4' }],
    [preparing(waiting('PodInitializing')), { Status: 'Init:1/2' }],
    [preparing(waiting('ErrImagePull')), { Status: 'Init:ErrImagePull' }],
    [preparing(ended({ exitCode: 3, reason: 'Error' })), { Status: 'Init:Error' }],
    [preparing(ended({ exitCode: 3 })), { Status: 'Init:ExitCode:3' }],
    [preparing(ended({ exitCode: 3, signal: 9 })), { Status: 'Init:Signal:9' }],
    [saying(waiting('CrashLoopBackOff'), running), { Ready: '1/2', Status: 'CrashLoopBackOff', Restarts: '2' }],
    [saying(waiting('ErrImagePull'), waiting('CrashLoopBackOff')), { Ready: '0/2', Status: 'ErrImagePull' }],
    [saying(ended({ exitCode: 3 }), running), { Ready: '1/2', Status: 'ExitCode:3' }],
    [saying(ended({ exitCode: 3, signal: 9 }), running), { Ready: '1/2', Status: 'Signal:9' }],
    [saying(running, ended({ reason: 'Error', exitCode: 1 })), { Ready: '0/2', Status: 'Error' }],
    [saying(ended({ reason: 'Completed' }), running), { Ready: '1/2', Status: 'NotReady' }],
    [{ ...saying(ended({ reason: 'Completed' }), running), ...ready }, { Status: 'Running' }],
    [saying(running, running, { ready: true, restartCount: 3 }), { Ready: '2/2', Status: 'Pending', Restarts: '5' }],
    [{ podIP: '192.0.2.1', podIPs: [{ ip: '192.0.2.1' }], nominatedNodeName: 'none' }, { IP: '192.0.2.1' }],
    [
      { phase: 'Failed', reason: 'Evicted', initContainerStatuses: null, containerStatuses: null },
      { Status: 'Evicted' },
    ],
  ],
};

/** Kinds whose status users are shown. */
export const shownStatuses = [
  ...[...ofWork, ...ofOthers].map((kind) => ({ kind, needs: [] as const })),
  { kind: ofPods, needs: ['pods'] as const },
];

/**
 * What users are shown of a status is what it says now: where it can be had as the answer to the write tells, before a
 * controller finds otherwise.
 */
export async function showsSaid(
  context: RuleContext,
  { at, parts, shown }: ShownStatus,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const { expect } = context;
  if (at === kindPaths.pods) await preparePods(context);
  const objects = context.kind(at);
  const name = nameOf(await objects.create(parts));
  for (const [status, cells] of shown) {
    const answer = await objects.patch(name, { status }, { sub: 'status', headers });
    const told = JSON.stringify(status);
    expect(answer.status, `${told}: ${said(answer)}`).toBe(200);
    const table = answer.body.kind === 'Table' ? answer.body : (await objects.get(name, '', { headers })).body;
    const columns: readonly string[] = table.columnDefinitions.map((column: Json) => column.name);
    for (const [column, cell] of Object.entries(cells)) {
      const found = table.rows[0]?.cells[columns.indexOf(column)];
      if (cell instanceof RegExp) expect(found, `${column} of ${said}`).toMatch(cell);
      else expect(found, `${column} of ${said}`).toEqual(cell);
    }
  }
}
