import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';
import { resourceLimits } from 'node:worker_threads';
import { lazily } from '../base/caches/memo.ts';
import type { KubeObject } from '../base/kube-object.ts';
import { OverloadedError, StorageError } from './store.ts';
import type { Versions } from './versions.ts';

export interface RoomOptions {
  /** How many objects there may be, beside those that other servers are just making; 0: no limit. */
  readonly maxObjects: number;
  /** How much of the heap's limit is in use, from 0 to 1. Default: that of this process. */
  readonly heapInUse?: () => number;
}

/** Above this the process could end for want of memory before anybody can say so. */
const fullHeap = 0.9;
/** The heap is looked at once in so many writes, and at each while it is full. */
const lookEvery = 32;

const megabyte = 1024 * 1024;
/**
 * What the limit of the heap counts for values that are young, which are not what fills it: in a worker thread what it was
 * given, or else as much as Node takes at most.
 */
const limitOfYoung = (): number => (resourceLimits.maxYoungGenerationSizeMb ?? 192) * megabyte;

/** Bytes that old values may take: as Node was told, or what it takes by itself. */
const limitOfOld = lazily(() => {
  const told = /--max-old-space-size[= ](\d+)/.exec([...process.execArgv, process.env['NODE_OPTIONS']].join(' '));
  return told ? Number(told[1]) * megabyte : getHeapStatistics().heap_size_limit - limitOfYoung();
});

function heapInUse(): number {
  let used = 0;
  for (const { space_name: name, space_used_size: size } of getHeapSpaceStatistics()) {
    if (!name.startsWith('new')) used += size;
  }
  return used / limitOfOld();
}

/** Refuses writes for which there is no room, so that a server says so instead of ending. What removes is never refused. */
export class Room {
  readonly #maxObjects: number;
  readonly #heapInUse: () => number;
  #writes = 0;
  #full = false;

  constructor({ maxObjects, heapInUse: inUse = heapInUse }: RoomOptions) {
    this.#maxObjects = maxObjects;
    this.#heapInUse = inUse;
  }

  /**
   * Before each write. @param isNew whether it makes an object @param coming keys that are being written, of which new ones
   * count as well @throws StorageError, OverloadedError
   */
  demand({ metadata }: KubeObject, isNew: boolean, versions: Versions, coming: Iterable<string>): void {
    if (isNew && this.#maxObjects > 0) this.#demandOne(versions, coming);
    // What goes step by step, with finalizers or after a while, is written on its way.
    if (!isNew && metadata.deletionTimestamp) return;
    if (this.#full || this.#writes++ % lookEvery === 0) this.#full = this.#heapInUse() > fullHeap;
    if (this.#full) throw new OverloadedError('the memory of the server is nearly used up; try again later');
  }

  #demandOne(versions: Versions, coming: Iterable<string>): void {
    let objects = versions.size;
    for (const key of coming) if (!versions.get(key)) objects++;
    if (objects < this.#maxObjects) return;
    throw new StorageError(`there are ${objects} objects, and no more than ${this.#maxObjects} may be`);
  }
}
