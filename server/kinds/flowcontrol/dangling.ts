import { apiVersionOf, type KubeObject, type ManagedFieldsEntry } from '../../base/kube-object.ts';
import { type Clock, formatTime } from '../../base/time/clock.ts';
import type { Cancel } from '../../base/time/timers.ts';
import { carryOut } from '../../base/turns/work.ts';
import { WorkQueue } from '../../base/turns/work-queue.ts';
import { trackUpdate } from '../../patch/apply/track-update.ts';
import { structureOfKind } from '../../schema/load.ts';
import type { Structure } from '../../schema/structure.ts';
import { follow } from '../../store/follow.ts';
import { nameIn } from '../../store/object-keys.ts';
import { KeyMissingError } from '../../store/store.ts';
import type { KindSurroundings } from '../strategy.ts';

interface Condition {
  type?: string;
  status?: string;
  reason?: string;
  message?: string;
  lastTransitionTime?: string;
}

export interface Referring extends KubeObject {
  spec?: { priorityLevelConfiguration?: { name?: string } };
  status?: { conditions?: Condition[] };
}

const group = 'flowcontrol.apiserver.k8s.io';
const kind = 'FlowSchema';
const schemas = { group, resource: 'flowschemas' };
const levels = { group, resource: 'prioritylevelconfigurations' };
/** The name under which the server owns what it writes here. */
const manager = 'api-priority-and-fairness-config-consumer-v1';
const dangling = 'Dangling';

const levelOf = (schema: Referring) => schema.spec?.priorityLevelConfiguration?.name ?? '';

/**
 * Keeps the condition `Dangling` of every FlowSchema true to whether its priority level exists, as both come and go.
 * What was stored before is looked at before this resolves. @returns what ends it
 */
export async function followLevels({ store, clock, timers, report }: KindSurroundings): Promise<Cancel> {
  const known = new Set<string>();
  const levelBySchema = new Map<string, string>();
  const queue = new WorkQueue((key) => tellWhether(key, (level) => known.has(level), { store, clock }), timers, report);
  const followingLevels = await follow(store, levels, {
    each: ({ key, previous, current }) => {
      const name = nameIn(key);
      if (current) known.add(name);
      else known.delete(name);
      // A change of a level that stays says nothing about who refers to it.
      if (previous && current) return;
      for (const [schema, level] of levelBySchema) if (level === name) queue.add(schema);
    },
  });
  const followingSchemas = await follow(store, schemas, {
    each: ({ key, current }) => {
      if (!current) return void levelBySchema.delete(key);
      const schema = current.value as Referring;
      levelBySchema.set(key, levelOf(schema));
      // Mostly it does: a start need not ask for each of them whether that is the newest.
      if (!lookAt(schema, known.has(levelOf(schema))).isTold) queue.add(key);
    },
  });
  await queue.idle();
  return async () => {
    followingLevels.stop();
    followingSchemas.stop();
    await queue.stop();
  };
}

/** Writes the condition of one FlowSchema where it says something else; one that has gone needs none. */
async function tellWhether(
  key: string,
  exists: (level: string) => boolean,
  { store, clock }: Pick<KindSurroundings, 'store' | 'clock'>,
): Promise<void> {
  try {
    await store.update(key, async ({ value }) => {
      const next = await withDangling(value as Referring, exists(levelOf(value as Referring)), clock);
      return next ? { write: next } : { keep: true };
    });
  } catch (error) {
    if (!(error instanceof KeyMissingError)) throw error;
  }
}

/** The condition that is there, the one that ought to be, and whether they say the same. */
function lookAt(schema: Referring, levelExists: boolean) {
  const name = JSON.stringify(levelOf(schema));
  const wanted = levelExists
    ? {
        status: 'False',
        reason: 'Found',
        // Objects are compared with this text in them.
        message: `This FlowSchema references the PriorityLevelConfiguration object named ${name} and it exists`,
      }
    : { status: 'True', reason: 'NotFound', message: `there is no priority level ${name}` };
  const before = schema.status?.conditions?.find(({ type }) => type === dangling);
  const isTold =
    before?.status === wanted.status && before.reason === wanted.reason && before.message === wanted.message;
  return { before, wanted, isTold };
}

/** The schema with the condition as it ought to be, and the server as the one who set it; undefined: it says so already. */
async function withDangling(schema: Referring, levelExists: boolean, clock: Clock): Promise<Referring | undefined> {
  const { before, wanted, isTold } = lookAt(schema, levelExists);
  if (isTold) return undefined;
  const now = clock.now();
  const condition = { type: dangling, lastTransitionTime: formatTime(now), ...wanted };
  const next: Referring = {
    ...schema,
    metadata: { ...schema.metadata },
    status: { ...schema.status, conditions: placed(schema.status?.conditions ?? [], before, condition) },
  };
  return { ...next, metadata: { ...next.metadata, managedFields: await bookedBy(schema, next, now) } };
}

/** An element that stands already keeps its place. */
const placed = (all: readonly Condition[], before: Condition | undefined, now: Condition): Condition[] =>
  before ? all.map((other) => (other === before ? now : other)) : [...all, now];

async function bookedBy(schema: Referring, next: Referring, now: number): Promise<ManagedFieldsEntry[]> {
  const { kind, apiVersion, metadata, status = {} } = next;
  const managed = metadata.managedFields?.length;
  const entries = await carryOut(
    trackUpdate({
      structure: structureIn('v1beta2'),
      manager,
      apiVersion: apiVersionOf(group, 'v1beta2'),
      subresource: 'status',
      now,
      otherVersion,
      // Of an object that nobody manages only the status is booked.
      ...(managed ? { live: schema, next } : { next: { kind, apiVersion, metadata: {}, status } }),
    }),
  );
  return [...entries];
}

function structureIn(version: string): Structure {
  const structure = structureOfKind(group, version, kind);
  if (!structure) throw new Error(`no structure of ${kind} in ${version}`);
  return structure;
}

/** Versions of one form, which differ in their apiVersion alone. */
function otherVersion(apiVersion: string) {
  const structure = structureOfKind(group, apiVersion.replace(`${group}/`, ''), kind);
  if (!structure) return undefined;
  return {
    structure,
    from: (object: KubeObject) => ({ ...object, apiVersion }),
    to: (object: KubeObject) => ({ ...object, apiVersion: apiVersionOf(group, 'v1beta2') }),
  };
}
