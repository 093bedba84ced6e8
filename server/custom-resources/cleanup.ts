import { cloneJson } from '../base/clone.ts';
import type { KubeObject } from '../base/kube-object.ts';
import { type Clock, formatTime } from '../base/time/clock.ts';
import { nextGeneration } from '../registry/generation.ts';
import { kindPrefix } from '../store/object-keys.ts';
import { type Change, KeyMissingError, type Store } from '../store/store.ts';
import { withCondition } from './definition/establish.ts';
import { cleanupFinalizer, type Definition } from './definition-shape.ts';
import { withStatus } from './status-manager.ts';

/** The removal of a deleted definition's objects, and then of the definition. */
export interface Cleaning {
  /** Of the definition. */
  readonly uid: string | undefined;
  /** Deletes what is left; lets the definition go when nothing is. Objects with finalizers are waited for. */
  run(): Promise<void>;
  stop(): void;
}

export interface CleaningOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly key: string;
  readonly definition: Definition;
  /** Asks for another run: an object went. */
  again(): void;
}

const pageSize = 500;

export async function startCleaning(options: CleaningOptions): Promise<Cleaning> {
  const { store, definition, again } = options;
  const prefix = kindPrefix({ group: definition.spec.group, resource: definition.spec.names.plural });
  const subscription = await store.watch(prefix, await store.currentRevision(), (event) => {
    if (!event.current) again();
  });
  return { uid: definition.metadata.uid, run: () => run(options, prefix), stop: () => subscription.stop() };
}

/**
 * Whether this is the definition that is cleaned up. Other servers do the same at the same time: any moment it may be gone, and
 * another one be there by its name, of whose objects none is to go.
 */
const isIt = ({ definition }: CleaningOptions, value: KubeObject | undefined): boolean =>
  value?.metadata.uid === definition.metadata.uid &&
  value?.metadata.deletionTimestamp !== undefined &&
  value.metadata.finalizers?.includes(cleanupFinalizer) === true;

const isThere = async (options: CleaningOptions): Promise<boolean> =>
  isIt(options, (await options.store.get(options.key))?.value);

async function run(options: CleaningOptions, prefix: string): Promise<void> {
  const { store } = options;
  if (!(await isThere(options))) return;
  if ((await store.count(prefix)) > 0) {
    await tellProgress(options);
    await deleteAll(options, prefix);
  }
  if ((await store.count(prefix)) === 0) await release(options);
}

async function deleteAll(options: CleaningOptions, prefix: string): Promise<void> {
  const { store, clock } = options;
  let after: string | undefined;
  do {
    const page = await store.list(prefix, { limit: pageSize, ...(after && { after }) });
    // Asked after they were listed: so they are its objects.
    if (!(await isThere(options))) return;
    await Promise.all(page.items.map(({ key, value }) => deleteOne(store, key, value, clock)));
    after = page.remaining > 0 ? page.items.at(-1)?.key : undefined;
  } while (after);
}

async function deleteOne(store: Store, key: string, seen: KubeObject, clock: Clock): Promise<void> {
  if (seen.metadata.deletionTimestamp && seen.metadata.finalizers?.length) return;
  await ignoreMissing(
    store.update(key, ({ value }): Change => {
      if (value.metadata.uid !== seen.metadata.uid) return { keep: true };
      if (!value.metadata.finalizers?.length) return { remove: true };
      if (value.metadata.deletionTimestamp) return { keep: true };
      const next = cloneJson(value);
      next.metadata.deletionTimestamp = formatTime(clock.now());
      next.metadata.deletionGracePeriodSeconds = 0;
      next.metadata.generation = nextGeneration(next.metadata.generation);
      return { write: next };
    }),
  );
}

const inProgress = {
  status: 'True',
  reason: 'InstanceDeletionInProgress',
  message: 'the objects are being deleted',
} as const;
const completed = { status: 'False', reason: 'InstanceDeletionCompleted', message: 'all objects are gone' } as const;

function terminating({ status = {} }: Definition, state: typeof inProgress | typeof completed, now: number) {
  return withCondition(status, { type: 'Terminating', ...state, lastTransitionTime: formatTime(now) });
}

async function tellProgress(options: CleaningOptions): Promise<void> {
  const now = options.clock.now();
  await change(options, (it) => withStatus(it, terminating(it, inProgress, now), now));
}

/** Takes the finalizer away, and with the last one the definition. */
async function release(options: CleaningOptions): Promise<void> {
  const now = options.clock.now();
  await change(options, (it) => {
    const finalizers = it.metadata.finalizers?.filter((name) => name !== cleanupFinalizer);
    if (!finalizers?.length) return { remove: true };
    const freed = { ...it, metadata: { ...it.metadata, finalizers } };
    return withStatus(freed, terminating(freed, completed, now), now);
  });
}

const change = (options: CleaningOptions, decide: (it: Definition) => Change | Promise<Change>): Promise<void> =>
  ignoreMissing(
    options.store.update(options.key, ({ value }) =>
      isIt(options, value) ? decide(value as Definition) : { keep: true },
    ),
  );

/** Waits for an update; that its key is gone by now is fine. */
export async function ignoreMissing(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof KeyMissingError)) throw error;
  }
}
