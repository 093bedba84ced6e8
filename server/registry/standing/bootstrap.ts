import { cloneJson } from '../../base/clone.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { formatTime } from '../../base/time/clock.ts';
import { ownEntry } from '../../patch/apply/own-entry.ts';
import { bootstrapFieldsOf, bootstrapObjects } from '../../schema/load.ts';
import { KeyExistsError } from '../../store/store.ts';
import type { Services } from '../call.ts';
import { keyOf } from '../resource.ts';
import type { ListedResource, Resources } from '../resources.ts';

/** Stores the objects that a fresh server holds; those that are there already stay as they are. */
export async function storeBootstrapObjects(
  services: Pick<Services, 'store' | 'clock' | 'ids'>,
  resources: Resources,
): Promise<void> {
  const writes = Object.entries(bootstrapObjects()).flatMap(([path, objects]) => {
    const resource = resourceAt(path, resources);
    return resource ? objects.map((_object, index) => storeOne(services, resource, path, index)) : [];
  });
  // Side by side: where each has to reach a disk they do so together.
  await Promise.all(writes);
}

export interface StandingObject {
  readonly key: string;
  /** That of all objects of its kind. */
  readonly prefix: string;
  store(): Promise<void>;
}

/** One of them by its path and name, ready to be stored again; undefined where its kind is not served. */
export function bootstrapObject(
  services: Pick<Services, 'store' | 'clock' | 'ids'>,
  resources: Resources,
  path: string,
  name: string,
): StandingObject | undefined {
  const resource = resourceAt(path, resources);
  const objects = bootstrapObjects()[path] ?? [];
  const index = objects.findIndex(({ metadata }) => metadata.name === name);
  const known = objects[index];
  if (!resource || !known) return undefined;
  return {
    key: keyOf(resource, known.metadata.namespace ?? '', name),
    prefix: resource.prefix,
    store: () => storeOne(services, resource, path, index),
  };
}

function resourceAt(path: string, resources: Resources): ListedResource | undefined {
  const parts = path.split('/').filter((part) => part !== '');
  const [plural = '', version = ''] = parts.toReversed();
  return resources.find(parts[0] === 'apis' ? (parts[1] ?? '') : '', version, plural);
}

async function storeOne(
  { store, clock, ids }: Pick<Services, 'store' | 'clock' | 'ids'>,
  resource: ListedResource,
  path: string,
  index: number,
): Promise<void> {
  const known = bootstrapObjects()[path]?.[index] as Pick<KubeObject, 'metadata'>;
  const key = keyOf(resource, known.metadata.namespace ?? '', known.metadata.name ?? '');
  if (await store.get(key)) return;
  const { metadata, ...rest } = cloneJson(known);
  const now = clock.now();
  const object: KubeObject = {
    kind: resource.storage.kind,
    apiVersion: resource.storage.apiVersion,
    metadata: { ...metadata, uid: ids.uid(), creationTimestamp: formatTime(now) },
    ...rest,
  };
  resource.rules.fitBootstrap?.(object);
  if (resource.rules.generationRises) object.metadata.generation = 1;
  const booked = bootstrapFieldsOf(path, index);
  if (booked) object.metadata.managedFields = [ownEntry(object.apiVersion, booked.fields, now, booked.manager)];
  try {
    await store.create(key, object);
  } catch (error) {
    if (!(error instanceof KeyExistsError)) throw error;
  }
}
