import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { type KindPath, kindPaths } from '../../verbs/kinds.ts';
import { preparePods } from '../../verbs/pods.ts';
import { said } from '../../verbs/said.ts';
import { nameOf } from '../../verbs/states.ts';
import { claimsNothing, flowsOfNobody, type Parts, spec, textOf } from './judged-kind.ts';
import { template, workload } from './workload-parts.ts';

/** A kind with what its objects have beside their sample, and what their status may be and not be. */
interface JudgedStatus {
  readonly at: KindPath;
  readonly base: Json;
  readonly refused: Parts;
  readonly fitting: Json;
  /** What it may not be any more then. */
  readonly later?: Parts;
}

/** Numbers none of which is below none. */
const below = (...fields: readonly string[]): Parts =>
  Object.fromEntries(fields.map((field) => [`${field} below none`, { [field]: -1 }]));

/** What is counted of the pods that there are, among which those that are available are ready. */
const ofPods = (at: KindPath, base: Json, ...fields: readonly string[]): JudgedStatus => {
  const all = ['replicas', 'readyReplicas', 'availableReplicas', ...fields];
  const parts = all.slice(1);
  return {
    ...{ at, base },
    refused: {
      ...below(...all, 'observedGeneration'),
      ...Object.fromEntries(
        parts.map((field) => [`${field} of more than there are`, { replicas: 2, readyReplicas: 2, [field]: 3 }]),
      ),
      'more that are available than ready': { replicas: 3, readyReplicas: 1, availableReplicas: 2 },
      'some that are available where none is ready': { replicas: 3, readyReplicas: null, availableReplicas: 2 },
    },
    fitting: Object.fromEntries(all.map((field) => [field, 2])),
  };
};

/** On no node, so that it has no pods. */
const nowhere = workload({ template: template('judged', { nodeSelector: { 'touchstone.example/none': 'such' } }) });
const onNodes = ['currentNumberScheduled', 'numberMisscheduled', 'desiredNumberScheduled', 'numberReady'];
const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'none' };
const ofBudget = ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'];

/** How often the name of a revision was taken is counted up alone. */
const counting = ({ refused, fitting, ...more }: JudgedStatus, ...fields: readonly string[]): JudgedStatus => ({
  ...more,
  refused: { ...refused, ...below('collisionCount', ...fields) },
  fitting: { ...fitting, collisionCount: 2 },
  later: { 'fewer names that were taken': { collisionCount: 1 }, 'no names that were taken': { collisionCount: null } },
});

const counted = (at: KindPath, base: Json, ...fields: readonly string[]): JudgedStatus => ({
  ...{ at, base, refused: below(...fields) },
  fitting: Object.fromEntries(fields.map((field) => [field, 0])),
});

const ready = {
  type: 'Ready',
  status: 'True',
  reason: 'Some',
  message: '',
  lastTransitionTime: '2024-05-06T07:08:09Z',
};
const conditions = (...all: readonly Json[]): Json => ({ conditions: all.map((one) => ({ ...ready, ...one })) });

/** What others say of an object must be of the common form, each thing once. */
const unfitConditions: Parts = {
  'one condition twice': conditions({}, { type: 'Other' }, { status: 'False' }),
  'a condition of an unknown status': conditions({ status: 'Maybe' }),
  'a condition of no type': conditions({ type: '' }),
  'a condition without a reason': conditions({ reason: '' }),
  'a reason of several words': conditions({ reason: 'not one word' }),
  'a reason that ends in the middle': conditions({ reason: 'Some:' }),
  'a reason of 1025 letters': conditions({ reason: 'a'.repeat(1025) }),
  'a message of more than 32 KiB': conditions({ message: textOf(32_769) }),
  'a condition of a bad type': conditions({ type: 'Not A Type' }),
  'a condition of no time': conditions({ lastTransitionTime: null }),
  'a condition of a generation below none': conditions({ observedGeneration: -1 }),
};

const balanced = (ingress: Json): Json => ({ loadBalancer: { ingress: [{ ip: '192.0.2.1' }, ingress] } });

const ofService: JudgedStatus = {
  at: kindPaths.services,
  base: spec({ type: 'LoadBalancer', loadBalancerClass: 'touchstone.example/nobody' }),
  refused: {
    'an address that is none': balanced({ ip: 'nowhere' }),
    'a host by a bad name': balanced({ hostname: 'Not_A_Name' }),
    'an address in place of a host': balanced({ hostname: '192.0.2.2' }),
  },
  fitting: balanced({ ip: 'fd00::1', hostname: 'a.example.com' }),
};

const ofQuota: JudgedStatus = {
  at: kindPaths.resourceQuotas,
  base: {},
  refused: Object.fromEntries(
    ['hard', 'used'].flatMap((list) => [
      [`less than nothing in ${list}`, { [list]: { pods: '-1' } }],
      [`half an object in ${list}`, { [list]: { pods: '500m' } }],
      [`an unknown resource in ${list}`, { [list]: { other: '1' } }],
    ]),
  ),
  fitting: { hard: { pods: '1' }, used: { pods: '0' } },
};

const ofClaim: JudgedStatus = {
  ...{ at: kindPaths.persistentVolumeClaims, base: claimsNothing },
  refused: { 'room below none': { capacity: { storage: '-1Gi' } } },
  fitting: { capacity: { storage: '1Gi' } },
};

const withConditions = ({ refused, fitting, ...more }: JudgedStatus): JudgedStatus => ({
  ...more,
  refused: { ...refused, ...unfitConditions },
  fitting: {
    ...fitting,
    ...conditions(
      { reason: 'a'.repeat(1024), message: textOf(32_768), observedGeneration: 0 },
      { type: 'example.com/Other', status: 'Unknown', reason: 'A,b:c_9' },
      { type: 'Third', status: 'False' },
    ),
  },
});

/** Bytes of what is told of an attachment, names and texts together. */
const mostTold = 262_144;

const judgedStatuses: readonly JudgedStatus[] = [
  counting(
    ofPods(kindPaths.deployments, workload({ paused: true, replicas: 0 }), 'updatedReplicas'),
    'unavailableReplicas',
  ),
  ofPods(kindPaths.replicaSets, workload({ replicas: 0 }), 'fullyLabeledReplicas'),
  counting(
    ofPods(kindPaths.statefulSets, workload({ replicas: 0, serviceName: 'one' }), 'currentReplicas', 'updatedReplicas'),
  ),
  ofPods(
    kindPaths.replicationControllers,
    spec({ replicas: 0, selector: { app: 'judged' }, template: template('judged') }),
    'fullyLabeledReplicas',
  ),
  counting(
    counted(
      kindPaths.daemonSets,
      nowhere,
      ...onNodes,
      'updatedNumberScheduled',
      'numberAvailable',
      'numberUnavailable',
    ),
    'observedGeneration',
  ),
  counted(kindPaths.jobs, spec({ suspend: true }), ...['active', 'ready', 'succeeded', 'failed']),
  counted(
    kindPaths.horizontalPodAutoscalers,
    spec({ maxReplicas: 3, scaleTargetRef }),
    ...['currentReplicas', 'desiredReplicas'],
  ),
  withConditions(
    counted(
      kindPaths.podDisruptionBudgets,
      spec({ minAvailable: 1, selector: { matchLabels: { app: 'touchstone-none' } } }),
      ...ofBudget,
    ),
  ),
  {
    ...{ at: kindPaths.volumeAttachments, base: {} },
    refused: {
      'more than there may be of why it is not attached': { attachError: { message: textOf(1025) } },
      'more than there may be of why it is not detached': { detachError: { message: textOf(1025) } },
      'more than there may be about it': { attachmentMetadata: { ab: textOf(mostTold - 1) } },
    },
    fitting: {
      ...{ attachError: { message: textOf(1024) }, detachError: { message: textOf(1024) } },
      attachmentMetadata: { ab: textOf(mostTold - 2) },
    },
  },
  ...[ofService, ofQuota, ofClaim],
];

const flow = spec({ ...flowsOfNobody.spec, priorityLevelConfiguration: { name: 'touchstone-none' } });
const limitedLevel = spec({
  type: 'Limited',
  limited: { assuredConcurrencyShares: 1, limitResponse: { type: 'Reject' } },
});

/** What others say of flows and levels has types, each its own. */
const ofFlows: readonly JudgedStatus[] = (
  [
    [kindPaths.flowSchemas, flow],
    [kindPaths.priorityLevels, limitedLevel],
  ] as const
).map(([at, base]) => ({
  ...{ at, base, fitting: conditions({}, { type: 'Other' }) },
  refused: {
    'one condition twice': conditions({}, { type: 'Other' }, { status: 'False' }),
    'a condition of no type': conditions({ type: '' }),
  },
}));

export async function judgesFlowStatuses(context: RuleContext): Promise<void> {
  for (const one of ofFlows) await judgesStatus(context, one);
}

/** What others may not say of a pod. */
const ofPod: JudgedStatus = {
  at: kindPaths.pods,
  base: spec({ schedulerName: 'touchstone.example/nobody' }),
  refused: {
    'a node by a bad name': { nominatedNodeName: 'Not_A_Name' },
    'an address that is none': { podIPs: [{ ip: 'none' }] },
    'two addresses of one family': { podIPs: [{ ip: '10.77.0.1' }, { ip: '10.77.0.2' }] },
    'a condition by a bad name': conditions({ type: 'Not A Name' }),
  },
  fitting: { nominatedNodeName: 'touchstone-none', podIPs: [{ ip: '10.77.0.1' }, { ip: 'fd00::1' }] },
};

/** What no object may have in its metadata, whichever way it comes. */
const unfitMetadata: Parts = {
  'a label with a blank': { labels: { 'example.com/unfit': 'a b' } },
  'an annotation of a bad key': { annotations: { 'un fit': 'a' } },
  'an owner without a uid': { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'none', uid: '' }] },
};

/** Who may write the metadata along with a status is refused what is none; where he may not, it is passed over. */
async function keepsMetadataFit(expect: RuleContext['expect'], objects: Collection, name: string): Promise<void> {
  for (const [what, metadata] of Object.entries(unfitMetadata)) {
    const { status } = await objects.patch(name, { metadata }, { sub: 'status' });
    expect([200, 422], `${what}, along with a status`).toContain(status);
    expect((await objects.read(name)).metadata, `${what}, stored along with a status`).not.toMatchObject(metadata);
  }
}

/** A status that says what cannot be is refused, and leaves the one that is there as it is. */
async function judgesStatus(
  { kind, expect }: RuleContext,
  { at, base, refused, fitting, later = {} }: JudgedStatus,
): Promise<void> {
  const objects = kind(at).with({ base });
  const name = nameOf(await objects.create());
  const refuses = async ([what, status]: readonly [string, Json]): Promise<void> => {
    const answer = await objects.patch(name, { status }, { sub: 'status' });
    expect(answer.status, `${at.resource}: ${what}`).toBe(422);
    expect((await objects.read(name)).status ?? {}, `${at.resource}, stored: ${what}`).not.toMatchObject(status);
  };
  for (const one of Object.entries(refused)) await refuses(one);
  const answered = await objects.patch(name, { status: fitting }, { sub: 'status' });
  expect(answered.status, `${at.resource}, what can be: ${said(answered)}`).toBe(200);
  for (const one of Object.entries(later)) await refuses(one);
  await keepsMetadataFit(expect, objects, name);
}

export async function judgesStatuses(context: RuleContext): Promise<void> {
  for (const one of judgedStatuses) await judgesStatus(context, one);
}

export async function judgesPodStatus(context: RuleContext): Promise<void> {
  await preparePods(context);
  await judgesStatus(context, ofPod);
}
