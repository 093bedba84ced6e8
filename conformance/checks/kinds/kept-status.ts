import type { Expect } from '../../assertions.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { customType } from '../../verbs/custom-types.ts';
import type { Json } from '../../verbs/json.ts';
import { type KindPath, kindPaths } from '../../verbs/kinds.ts';
import { merged } from '../../verbs/merged.ts';
import type { PatchType } from '../../verbs/patch-types.ts';
import { said } from '../../verbs/said.ts';
import { nameOf } from '../../verbs/states.ts';
import { changeOf, generalKinds, named, type Subject } from '../../verbs/subjects.ts';
import { fits, mainWrites } from '../requests/writes.ts';
import { claimsNothing, flowsOfNobody, spec } from '../unfit/judged-kind.ts';
import { changed } from '../unfit/judged-objects.ts';

type WithStatus = Subject & Required<Pick<Subject, 'status'>>;

/** Whose status is written through its subresource alone. */
export const statusKinds = generalKinds.filter((kind): kind is WithStatus => kind.status !== undefined);

/** All that a client may say in metadata. */
const besideStatus = {
  labels: { beside: 'yes' },
  annotations: { beside: 'yes' },
  finalizers: ['example.com/beside'],
  ownerReferences: [{ apiVersion: 'v1', kind: 'Secret', name: 'beside', uid: '00000000-0000-0000-0000-000000000000' }],
};

/** Metadata without what any write changes. */
const lasting = ({ metadata: { resourceVersion: _, managedFields: __, ...metadata } }: Json): Json => metadata;

/** Who writes the whole status of a custom object says which version of the object that goes with. */
async function wantsVersion(objects: Collection, expect: RuleContext['expect'], object: Json): Promise<void> {
  const unsaid = { ...object, metadata: { ...object.metadata, resourceVersion: undefined } };
  const answer = await objects.put(unsaid, '', { sub: 'status' });
  expect(answer.status, `a status without a version: ${said(answer)}`).toBe(422);
}

/** Of which a status tells nothing about labels either. */
const labelled: readonly Subject[] = named('deployments');

async function keepsOwnLabels(objects: Collection, expect: Expect, name: string, kind: WithStatus): Promise<void> {
  const { labels } = (await objects.merge(name, { metadata: { labels: { own: 'yes' } } })).metadata;
  const beside = { ...kind.status(2), metadata: { labels: { own: 'no', beside: 'yes' } } };
  const told = await objects.merge(name, beside, 'status');
  expect(told.metadata.labels, 'labels beside a status').toEqual(labels);
}

/** What a new object, or a change of the object itself, says of the status does not count. */
export async function keepsStatus(context: RuleContext, kind: WithStatus): Promise<void> {
  const { expect } = context;
  const objects = await kind.open(context);
  const made = await objects.post(await objects.draft(kind.status(1)));
  expect(made.status, `a new object with a status: ${said(made)}`).toBe(201);
  const name = nameOf(made.body);
  expect(await objects.read(name), 'after a create with a status').not.toMatchObject(kind.status(1));
  const applied = await objects.draft(kind.status(1));
  await objects.apply(nameOf(applied), applied, 'applier');
  expect(await objects.read(nameOf(applied)), 'after an apply that makes it').not.toMatchObject(kind.status(1));
  const told = await objects.merge(name, kind.status(2), 'status');
  expect(told, 'a status through its subresource').toMatchObject(kind.status(2));
  if (kind.change) {
    const beside = await objects.merge(name, merged(changeOf(kind, 9), kind.status(2)), 'status');
    expect(beside, 'what is said beside a status').not.toMatchObject(changeOf(kind, 9));
  }
  if (kind.custom) {
    const before = await objects.read(name);
    const after = await objects.merge(name, { ...kind.status(2), metadata: besideStatus }, 'status');
    expect(lasting(after), 'metadata beside the status of a custom object').toEqual(lasting(before));
    await wantsVersion(objects, expect, before);
  }
  if (labelled.includes(kind)) await keepsOwnLabels(objects, expect, name, kind);
  const telling = { ...kind, change: (round: number) => merged(changeOf(kind, round), kind.status(3)) };
  const changes = mainWrites.filter(({ verb }) => verb === 'update' || verb === 'patch');
  for (const [round, write] of changes.filter((one) => fits({ kind, write: one })).entries()) {
    const object = await objects.read(name);
    const answer = await write.send({ objects, object, kind: telling, round: round + 1 });
    expect(answer.status, `${write.name}: ${said(answer)}`).toBe(200);
    expect(answer.body, `what is answered to a ${write.name} with a status`).not.toMatchObject(kind.status(3));
    const kept = await objects.read(name);
    expect(kept, `after a ${write.name} with a status`).not.toMatchObject(kind.status(3));
    // Who has a controller may have another one by now.
    if (!kind.busy) expect(kept, `after a ${write.name}`).toMatchObject(kind.status(2));
  }
  await keepsAlone(context, objects, name, kind);
}

/** Nor does a patch, sent to the object itself, that is of its status and nothing else. */
async function keepsAlone({ expect }: RuleContext, objects: Collection, name: string, kind: WithStatus): Promise<void> {
  const { status } = kind.status(3);
  const patches: Partial<Record<PatchType, Json>> = {
    merge: { status },
    json: [{ op: 'add', path: '/status', value: status }],
    ...(kind.custom ? {} : { strategic: { status } }),
  };
  for (const [type, body] of Object.entries(patches)) {
    const answer = await objects.patch(name, body, { type: type as PatchType });
    expect(answer.status, `a ${type} patch of a status alone: ${said(answer)}`).toBe(200);
    expect(await objects.read(name), `after a ${type} patch of a status alone`).not.toMatchObject(kind.status(3));
  }
  if (!kind.busy) await keepsUnsaid(expect, objects, name, kind);
}

/** What is sent to the object itself without a status takes none away. */
async function keepsUnsaid(expect: Expect, objects: Collection, name: string, kind: WithStatus): Promise<void> {
  const { status: _, ...bare } = await objects.read(name);
  const writes = {
    'an update': () => objects.put(bare),
    'a merge patch of null': () => objects.patch(name, { status: null }),
    'a JSON patch that removes it': () => objects.patch(name, [{ op: 'remove', path: '/status' }], { type: 'json' }),
  };
  for (const [what, send] of Object.entries(writes)) {
    const answer = await send();
    expect(answer.status, `${what}, without a status: ${said(answer)}`).toBe(200);
    expect(await objects.read(name), `after ${what}, without a status`).toMatchObject(kind.status(2));
  }
}

export interface OtherKind {
  readonly at: KindPath;
  readonly base?: Json;
  readonly status: Json;
  /** What is said of the object beside its status, in vain. */
  readonly beside: Json;
  /** Labels beside a status do not count either. */
  readonly unlabelled?: true;
}

const since = '2024-05-06T07:08:09Z';
const podTemplate = {
  metadata: { labels: { app: 'kept' } },
  spec: {
    nodeSelector: { 'touchstone.example/none': 'such' },
    containers: [{ name: 'a', image: 'registry.example/a:1' }],
  },
};
const load = { selector: { matchLabels: { app: 'kept' } }, template: podTemplate };
const jobTemplate = { spec: { template: { spec: { ...podTemplate.spec, restartPolicy: 'Never' } } } };
const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'none' };
const told = [{ type: 'Judged', status: 'True', reason: 'Judged', message: 'judged', lastTransitionTime: since }];

const slower = spec({ minReadySeconds: 7 });

/** Kinds that no general rule speaks of, each with a status that nobody gives it. */
export const otherKinds: readonly OtherKind[] = [
  { at: kindPaths.namespaces, status: { conditions: told }, beside: spec({ finalizers: [] }) },
  {
    at: kindPaths.statefulSets,
    base: spec({ ...load, replicas: 0, serviceName: 'a' }),
    status: { replicas: 77 },
    beside: slower,
  },
  { at: kindPaths.replicaSets, base: spec({ ...load, replicas: 0 }), status: { replicas: 77 }, beside: slower },
  { at: kindPaths.daemonSets, base: spec(load), status: { numberReady: 77 }, beside: slower },
  { at: kindPaths.replicationControllers, status: { replicas: 77 }, beside: slower },
  {
    at: kindPaths.cronJobs,
    base: spec({ schedule: '0 0 1 1 *', suspend: true, jobTemplate }),
    status: { lastScheduleTime: since },
    beside: spec({ schedule: '0 1 1 1 *' }),
  },
  {
    at: kindPaths.horizontalPodAutoscalers,
    base: spec({ maxReplicas: 3, scaleTargetRef }),
    status: { currentReplicas: 77 },
    beside: spec({ maxReplicas: 7 }),
  },
  {
    at: kindPaths.podDisruptionBudgets,
    base: spec({ minAvailable: 1, selector: load.selector }),
    status: { expectedPods: 77 },
    beside: spec({ minAvailable: 7 }),
  },
  { at: kindPaths.resourceQuotas, status: { used: { pods: '77' } }, beside: spec({ hard: { pods: '7' } }) },
  {
    at: kindPaths.persistentVolumeClaims,
    base: claimsNothing,
    status: { phase: 'Lost' },
    beside: spec({ volumeName: 'other' }),
  },
  {
    at: kindPaths.persistentVolumes,
    base: spec({ storageClassName: 'touchstone-nobody' }),
    status: { phase: 'Failed' },
    beside: spec({ capacity: { storage: '7Gi' } }),
  },
  {
    at: kindPaths.flowSchemas,
    base: flowsOfNobody,
    status: { conditions: told },
    beside: spec({ matchingPrecedence: 7777 }),
    unlabelled: true,
  },
  {
    at: kindPaths.volumeAttachments,
    status: { attached: true },
    beside: spec({ nodeName: 'touchstone-other' }),
    unlabelled: true,
  },
];

/** What a new object, or a change of the object itself, says of its status does not count for any other kind, nor what is said beside a status. */
export async function keepsOtherStatus(
  context: RuleContext,
  { at, base = {}, status, beside, unlabelled }: OtherKind,
): Promise<void> {
  const objects = context.kind(at).with({ base });
  const { metadata } = await objects.create({ status });
  const made = await objects.read(metadata.name);
  context.expect(made, `new ${at.resource} with a status`).not.toMatchObject({ status });
  await keeps(context, objects, metadata.name, status);
  const { spec: wanted } = await objects.read(metadata.name);
  for (const what of ['merge', 'strategic'] as const) {
    const answer = await objects.patch(metadata.name, merged(beside, { status }), { type: what, sub: 'status' });
    context.expect(answer.status, `a status by a ${what} patch: ${said(answer)}`).toBe(200);
    context
      .expect((await objects.read(metadata.name)).spec, `what is said beside it by a ${what} patch`)
      .toEqual(wanted);
  }
  if (!unlabelled) return;
  const labelled = await objects.merge(metadata.name, { metadata: { labels: { beside: 'yes' } }, status }, 'status');
  context.expect(labelled.metadata.labels ?? {}, 'labels beside a status').not.toHaveProperty('beside');
}

/** The same of the definition of a custom type, whose status tells whether it is served. */
export async function keepsStatusOfDefinitions(context: RuleContext): Promise<void> {
  const { definitions, expect } = context;
  const { at } = await customType(context, {});
  const name = `${at.resource}.${at.group}`;
  await keeps(context, definitions, name, { conditions: told });
  const before = await definitions.read(name);
  const beside = { metadata: { labels: { beside: 'yes' } }, spec: { names: { shortNames: ['beside'] } } };
  const answer = await definitions.patch(name, beside, { sub: 'status' });
  expect(answer.status, `a status of a definition: ${said(answer)}`).toBe(200);
  const after = await definitions.read(name);
  expect([after.spec, lasting(after)], 'what is said beside the status of a definition').toEqual([
    before.spec,
    lasting(before),
  ]);
}

/** A change of an object leaves its status as it is. */
async function keeps({ expect }: RuleContext, objects: Collection, name: string, status: Json): Promise<void> {
  const writes = {
    update: () => changed(objects, name, { status }),
    'merge patch': () => objects.patch(name, { status }),
  };
  for (const [write, send] of Object.entries(writes)) {
    const what = `${write} of ${objects.at.resource} with a status`;
    expect((await send()).status, what).toBe(200);
    const object = await objects.read(name);
    expect(object, `after a ${what}`).not.toMatchObject({ status });
    // A server may add conditions of its own to those that it was told.
    const types = (object.status?.conditions ?? []).map(({ type }: Json) => type);
    expect(types, `conditions after a ${what}`).not.toContain('Judged');
  }
}
