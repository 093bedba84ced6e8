import type { KubeObject } from '../base/kube-object.ts';
import { alreadyExists, notFound, statusAnswer } from '../base/status-error.ts';
import { rehearsing } from '../store/rehearsal.ts';
import {
  type Change,
  ContendedError,
  KeyExistsError,
  KeyMissingError,
  type Store,
  type Stored,
  type UpdateResult,
} from '../store/store.ts';
import { mutate, validatingAdmission } from './admit.ts';
import { type WriteCall, type Written, writeContext } from './call.ts';
import { commit } from './commit.ts';
import type { Draft, Step } from './draft.ts';
import { hasEmptyBytes } from './empty-bytes.ts';
import { patchAnswer } from './patch-answer.ts';
import { staleVersion } from './preconditions.ts';
import { prepare } from './prepare.ts';
import { keyOf, type Resource, subjectOf, view } from './resource.ts';
import { setDefaults, systemFields } from './system-fields.ts';
import { trackManagers } from './track-managers.ts';
import { Undo } from './undo.ts';
import { validate } from './validate.ts';
import { fromStorage } from './versions.ts';

/**
 * The order of every write that leaves an object behind: create, update, patch, apply, status, scale and the operations
 * of kinds, each with a `change` of its own before it. A step changes the draft, or ends the write by throwing.
 */
export const steps: readonly Step[] = [
  systemFields,
  setDefaults,
  trackManagers,
  mutate,
  prepare,
  validate,
  validatingAdmission,
  commit,
];

/**
 * What operations of kinds do without: their request was admitted as what it is (an eviction, a binding), and they
 * change only what they know.
 */
const leftOut: ReadonlySet<Step> = new Set<Step>([setDefaults, mutate, prepare, validate, validatingAdmission]);

/** What a writer wants an object to be, in the request's version. */
export interface Proposal {
  /** Belongs to the write. */
  readonly next: KubeObject;
  /** It carries the managers already, as apply works them out. */
  readonly managed?: boolean;
  /** Empty values of maps of bytes are written as nothing (see `empty-bytes.ts`). */
  readonly emptiesBytes?: boolean;
}

/**
 * What is to be written, made of the newest version, which is in the request's version and shared; undefined when there
 * is none. Called anew when another write came between. What it throws ends the write.
 */
export type Propose = (live: KubeObject | undefined) => Promise<Proposal> | Proposal;

export interface Intent {
  /** `always`: there must be no such object yet; `missing`: it is made when there is none. Default: there must be one. */
  readonly creates?: 'always' | 'missing';
  /** What is answered where there must be an object and is none. Default: 404. */
  readonly absent?: () => Error;
  /** For operations of kinds: the object is taken as proposed (see `leftOut`). */
  readonly asProposed?: boolean;
}

/**
 * Carries out a write: proposes, goes through the steps and stores, all under the store's retry, since each step needs
 * the newest version. Whatever ends it before it is stored gives back what its steps took. A dry run is the same on a
 * store that keeps nothing.
 *
 * @throws 403 refused, 404 missing, 405 cannot be created, 409 exists or stale, 422 invalid, and what `propose` throws
 */
export async function write(call: WriteCall, propose: Propose, intent: Intent = {}): Promise<Written> {
  const { resource, services, options } = call;
  const store = options.dryRun ? rehearsing(services.store) : services.store;
  const undo = new Undo();
  const attempt = (current: Stored | undefined) => goThrough({ call, propose, intent, undo }, current);
  let stands = false;
  try {
    const result =
      intent.creates === 'always'
        ? await storeNew(call, store, await attempt(undefined))
        : await store.upsert(
            keyOf(resource, call.namespace, call.name),
            async (current) => (await attempt(current)).change,
          );
    stands = !options.dryRun && (result.outcome === 'created' || result.outcome === 'written');
    return await answerOf(resource, result);
  } catch (error) {
    throw worded(error, call);
  } finally {
    if (!stands) await undo.run();
  }
}

interface Attempt {
  readonly call: WriteCall;
  readonly propose: Propose;
  readonly intent: Intent;
  readonly undo: Undo;
}

interface Decided {
  readonly change: Change;
  readonly next: KubeObject;
}

/** One attempt, on the newest version. */
async function goThrough({ call, propose, intent, undo }: Attempt, current: Stored | undefined): Promise<Decided> {
  // What an attempt took that came to nothing is taken anew.
  await undo.run();
  const { resource } = call;
  if (!current && !intent.creates) throw intent.absent?.() ?? notFound(subjectOf(resource), call.name);
  if (!current && resource.custom?.terminating) throw terminating(resource);
  const live = current && (await view(resource, current)).value;
  const { next, managed = false, emptiesBytes = false } = await propose(live);
  const context = writeContext(call, undo);
  const draft: Draft = {
    call,
    context,
    undo,
    stored: current?.value,
    live,
    managed,
    emptiesBytes: emptiesBytes && hasEmptyBytes(resource.served, next),
    shown: next,
    next,
    lacksDefaults: true,
  };
  for (const step of steps) {
    const done = intent.asProposed && leftOut.has(step) ? undefined : step(draft);
    // Most are done at once: no need to wait a turn for each.
    if (done instanceof Promise) await done;
  }
  if (!draft.change) throw new Error('no step decided what becomes of the write');
  return { change: draft.change, next: draft.next };
}

/** Whether a new name is free is asked last; it may have been made up, or changed by admission. */
function storeNew({ resource, namespace }: WriteCall, store: Pick<Store, 'upsert'>, { change, next }: Decided) {
  return store.upsert(keyOf(resource, namespace, next.metadata.name ?? ''), (current) => {
    if (current) throw new KeyExistsError(current);
    return change;
  });
}

async function answerOf(resource: Resource, { outcome, stored, answer }: UpdateResult): Promise<Written> {
  const code = outcome === 'created' ? 201 : 200;
  if (answer) return { code, object: await fromStorage(resource, answer) };
  const shown = await view(resource, stored);
  return { code, object: shown.value, stored: shown };
}

/** What the store or a patch could not do, as clients are told it. */
function worded(error: unknown, { resource, name }: WriteCall): unknown {
  const subject = subjectOf(resource);
  if (error instanceof KeyMissingError) return notFound(subject, name);
  if (error instanceof ContendedError) return staleVersion(subject, name);
  if (!(error instanceof KeyExistsError)) return patchAnswer(error);
  const { metadata } = error.current.value;
  return alreadyExists(subject, metadata.name ?? '', metadata.deletionTimestamp !== undefined);
}

const terminating = ({ group, plural }: Resource) =>
  statusAnswer(405, 'create not allowed while custom resource definition is terminating', 'MethodNotAllowed', {
    group,
    kind: plural,
  });
