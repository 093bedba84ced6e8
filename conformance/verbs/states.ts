import type { Json } from './client.ts';
import type { Collection } from './collection.ts';
import type { Subject } from './subjects.ts';

/** What nobody but the rule's own requests may change, by name: the versions, or where others write too what is wanted. */
export async function stateOf(objects: Collection, kind: Subject): Promise<Readonly<Record<string, Json>>> {
  const { items } = await objects.viewed('labels').list();
  return Object.fromEntries(
    items.map((item: Json) => [
      item.metadata.name,
      kind.busy
        ? { labels: item.metadata.labels, spec: item.spec, leaving: item.metadata.deletionTimestamp !== undefined }
        : item.metadata.resourceVersion,
    ]),
  );
}

const passing = [
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'deletionTimestamp',
  'managedFields',
  'generation',
] as const;

/** What two objects that were made alike have in common: without what differs from one write to the next. */
export function lasting(object: Json): Json {
  const { uid } = object?.metadata ?? {};
  // The labels of a Job's pods repeat its uid.
  const plain = typeof uid === 'string' ? JSON.parse(JSON.stringify(object).replaceAll(uid, 'uid')) : object;
  const metadata = { ...plain?.metadata };
  for (const field of passing) delete metadata[field];
  const { clusterIP: _, clusterIPs: __, ports, ...spec } = plain?.spec ?? {};
  const numbers = ports?.map(({ nodePort: ___, ...port }: Json) => port);
  return {
    ...object,
    metadata,
    ...(object?.spec ? { spec: { ...spec, ...(numbers ? { ports: numbers } : {}) } } : {}),
  };
}

/** Without what controllers write to it on their own, for kinds where they do. */
export const wanted = (object: Json, { busy }: Subject): Json => (busy ? { ...object, status: undefined } : object);

/** Only those conditions that rules wrote: controllers add theirs. */
export const ownConditions = (object: Json): Json => {
  const { conditions } = object?.status ?? {};
  if (!Array.isArray(conditions)) return object;
  const own = conditions.filter(({ type }: Json) => String(type).startsWith('example.com/'));
  return { ...object, status: { ...object.status, conditions: own } };
};

/** The names of the items of a list. */
export const namesOf = (list: Json): string[] => list.items.map((item: Json) => item.metadata.name);

export const nameOf = (object: Json): string => object.metadata.name;
export const versionOf = (object: Json): string => object.metadata.resourceVersion;

/** What is said of an object by a type; undefined: nothing. */
export const conditionOf = (object: Json, type: string): Json =>
  object?.status?.conditions?.find((one: Json) => one.type === type);

/** Whether an object has a condition of this type that is True. */
export const holds =
  (type: string) =>
  (object: Json): boolean =>
    object?.status?.conditions?.some((one: Json) => one.type === type && one.status === 'True') ?? false;

/** Of a node: others may be away, or have no agent at all. */
export const isReady = holds('Ready');

/** Of a node that is ready: whether pods that ask for nothing special may run there. */
export const takesPods = ({ spec }: Json): boolean =>
  !spec?.unschedulable && !spec?.taints?.some(({ effect }: Json) => effect !== 'PreferNoSchedule');
