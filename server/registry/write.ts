import { cloneJson } from '../base/clone.ts';
import type { KubeObject } from '../base/kube-object.ts';
import { alreadyExists, notFound, statusAnswer } from '../base/status-error.ts';
import { letOthers } from '../base/turn.ts';
import type { WriteContext } from '../kinds/strategy.ts';
import { keyBelow } from '../store/object-keys.ts';
import { rehearsing } from '../store/rehearsal.ts';
import {
  type Change,
  ContendedError,
  KeyExistsError,
  KeyMissingError,
  type Store,
  type Stored,
  TakenError,
  type UpdateResult,
} from '../store/store.ts';
import { mutate, validatingAdmission } from './admit.ts';
import type { Call, WriteCall, Written } from './call.ts';
import { commit } from './commit.ts';
import type { Draft, Step } from './draft.ts';
import { hasEmptyBytes } from './empty-bytes.ts';
import { trackManagers } from './managers.ts';
import { patchAnswer } from './patch-answer.ts';
import { documentOf } from './patch-document.ts';
import { staleVersion } from './preconditions.ts';
import { prepare } from './prepare.ts';
import { fromStorage, pathKey, type Resource, subjectOf, view } from './resource.ts';
import { countGeneration, setDefaults, systemFields } from './system-fields.ts';
import { giveBack, type Undo } from './undo.ts';
import { validate } from './validate.ts';
import { limitSize, weigh, weighFilled } from './weight.ts';

/**
 * The order of every write that leaves an object behind: create, update, patch, apply, status, scale and the operations
 * of kinds, each with a `change` of its own before it. A step changes the draft, or ends the write by throwing.
 */
export const steps: readonly Step[] = [
  weigh,
  systemFields,
  setDefaults,
  weighFilled,
  trackManagers,
  mutate,
  prepare,
  validate,
  countGeneration,
  validatingAdmission,
  commit,
  limitSize,
];

/**
 * What operations of kinds do without: their request was admitted as what it is (an eviction, a binding), and they
 * change only what they know.
 */
const leftOut: ReadonlySet<Step> = new Set<Step>([
  setDefaults,
  weighFilled,
  mutate,
  prepare,
  validate,
  validatingAdmission,
]);

/** What a writer wants an object to be, in the request's version. */
export interface Proposal {
  /** Belongs to the write. */
  readonly next: KubeObject;
  /** It carries the managers already, as apply works them out. */
  readonly managed?: boolean;
  /** Empty values of maps of bytes are written as nothing (see `empty-bytes.ts`). */
  readonly emptiesBytes?: boolean;
  /** Where it was sent with empty lists and maps (see `Checked`). */
  readonly emptied?: ReadonlySet<string> | undefined;
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
 * POST to a collection. `sent` is decoded, of the request's version, checked against its structure, and belongs to this
 * call. @throws 403 refused, 404 no such namespace, 409 exists, 422 invalid
 */
export const create = (call: WriteCall, sent: KubeObject, emptied = nowhere): Promise<Written> =>
  // Where others write too, an attempt may find taken what it picked: then there is another one, with what was sent.
  write(call, () => ({ next: call.services.store.isShared ? cloneJson(sent) : sent, emptied }), { creates: 'always' });

const nowhere: ReadonlySet<string> = new Set();

/**
 * Carries out a write: proposes, goes through the steps and stores, all under the store's retry, since each step needs
 * the newest version. Whatever ends it before it is stored gives back what its steps took. A dry run is the same on a
 * store that keeps nothing.
 *
 * @throws 403 refused, 404 missing, 405 cannot be created, 409 exists or stale, 422 invalid, and what `propose` throws
 */
export async function write(call: WriteCall, propose: Propose, intent: Intent = {}): Promise<Written> {
  const { services, options, resource } = call;
  const store = options.dryRun ? rehearsing(services.store) : services.store;
  const attempt: Attempt = { call, propose, intent, undo: [] };
  const carryOut = intent.creates === 'always' ? storeNew : storeAt;
  let stands = false;
  try {
    const result = await (services.store.isShared ? unlessTaken(carryOut, attempt, store) : carryOut(attempt, store));
    const { outcome, stored, written } = result;
    stands = !options.dryRun && (outcome === 'created' || outcome === 'written');
    if (!written || resource.served.conversion) return await answerOf(resource, result);
    return { code: outcome === 'created' ? 201 : 200, object: written, stored };
  } catch (error) {
    throw worded(error, call);
  } finally {
    if (!stands && attempt.undo.length > 0) await giveBack(attempt.undo);
  }
}

type CarryOut = (attempt: Attempt, store: WritableStore) => Promise<Result>;

/** How often what a write picked may be gone already, because another server gave it to somebody else meanwhile. */
const picks = 10;

async function unlessTaken(carryOut: CarryOut, attempt: Attempt, store: WritableStore): Promise<Result> {
  for (let pick = 1; ; pick++) {
    try {
      return await carryOut(attempt, store);
    } catch (error) {
      if (!(error instanceof TakenError) || pick === picks) throw error;
    }
  }
}

interface Attempt {
  readonly call: WriteCall;
  readonly propose: Propose;
  readonly intent: Intent;
  readonly undo: Undo;
}

type WritableStore = Pick<Store, 'create' | 'upsert'>;

interface Result extends Pick<UpdateResult, 'outcome' | 'stored' | 'answer'> {
  /** What `stored` holds, where it was written just now. */
  readonly written?: KubeObject;
}

/** The name is known only after the steps: it may have been made up, or changed by admission. */
async function storeNew(attempt: Attempt, store: WritableStore): Promise<Result> {
  const { resource, namespace } = attempt.call;
  const gone = goThrough(attempt, undefined);
  const { next } = gone instanceof Promise ? await gone : gone;
  const stored = await store.create(keyBelow(resource.prefix, namespace, next.metadata.name ?? ''), next);
  return { outcome: 'created', stored, written: next };
}

async function storeAt(attempt: Attempt, store: WritableStore): Promise<Result> {
  const { resource, namespace, name } = attempt.call;
  let change: Change | undefined;
  const decided = (draft: Draft): Change => {
    change = draft.change;
    if (!change) throw new Error('no step decided what becomes of the write');
    return change;
  };
  const key = pathKey(resource, namespace, name);
  const result = await store.upsert(key, (current) => {
    const gone = goThrough(attempt, current);
    return gone instanceof Promise ? gone.then(decided) : decided(gone);
  });
  return change && 'write' in change ? { ...result, written: change.write } : result;
}

/** One attempt, on the newest version. */
function goThrough(attempt: Attempt, current: Stored | undefined): Promise<Draft> | Draft {
  const { call, intent, undo } = attempt;
  const { resource } = call;
  // What an attempt took that came to nothing is taken anew.
  if (undo.length > 0) return giveBack(undo).then(() => goThrough(attempt, current));
  if (!current && !intent.creates) throw intent.absent?.() ?? notFound(subjectOf(resource), call.name);
  if (!current && resource.custom?.terminating) throw terminating(resource);
  const shown = current && view(resource, current);
  return shown instanceof Promise
    ? shown.then((live) => goOn(attempt, current, live.value))
    : goOn(attempt, current, shown?.value);
}

/** @param live as the version of the request shows it */
function goOn(attempt: Attempt, current: Stored | undefined, live: KubeObject | undefined): Promise<Draft> | Draft {
  const { propose, intent } = attempt;
  const proposed = propose(live);
  return proposed instanceof Promise
    ? proposed.then((made) => takeSteps(draftOf(attempt, current, live, made), intent))
    : takeSteps(draftOf(attempt, current, live, proposed), intent);
}

function draftOf(
  { call, undo }: Attempt,
  current: Stored | undefined,
  live: KubeObject | undefined,
  { next, managed = false, emptiesBytes = false, emptied = nowhere }: Proposal,
): Draft {
  const { resource, subresource, services } = call;
  return {
    call,
    context: writeContext(call, undo, emptied),
    undo,
    passes: services.admission.passes(live ? 'UPDATE' : 'CREATE', resource, subresource),
    document: subresource ? documentOf(call) : undefined,
    stored: current?.value,
    live,
    storedBytes: current ? current.line.length : 0,
    weight: 'light',
    managed,
    emptiesBytes: emptiesBytes && hasEmptyBytes(resource.served, next),
    shown: next,
    next,
    isAdmitted: false,
    lacksDefaults: true,
    attributes: undefined,
    change: undefined,
  };
}

/** Most steps are done at once: no need to wait a turn for each. */
function takeSteps(draft: Draft, intent: Intent, from = 0): Promise<Draft> | Draft {
  for (let at = from; at < steps.length; at++) {
    const step = steps[at] as Step;
    const done = intent.asProposed && leftOut.has(step) ? undefined : step(draft);
    const wait = done instanceof Promise ? done : draft.weight === 'light' ? undefined : letOthers();
    if (wait) return wait.then(() => takeSteps(draft, intent, at + 1));
  }
  return draft;
}

/** What surrounds a write, for the rules of its kind. */
export const writeContext = (
  { services, resource, user, subresource, options, warn }: Call & { readonly options: { readonly dryRun: boolean } },
  undo: Undo,
  emptied = nowhere,
): WriteContext => ({
  user,
  clock: services.clock,
  ids: services.ids,
  lookup: services.lookup,
  features: services.features,
  allowPrivileged: services.allowPrivileged,
  dryRun: options.dryRun,
  requestVersion: resource.served.apiVersion,
  subresource,
  emptied,
  warn,
  onAbandon: (act) => void undo.push(act),
});

async function answerOf(resource: Resource, { outcome, stored, answer }: Result): Promise<Written> {
  const code = outcome === 'created' ? 201 : 200;
  if (answer) return { code, object: await fromStorage(resource, answer) };
  const shown = resource.served.conversion ? await view(resource, stored) : stored;
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
