import { cloneJson } from '../base/clone.ts';
import type { KubeObject } from '../base/kube-object.ts';
import { noSuchPath, notFound, statusAnswer } from '../base/status-error.ts';
import { carryOut, known, type Work } from '../base/turns/work.ts';
import { nowhere } from '../schema/checked.ts';
import { keyBelow } from '../store/object-keys.ts';
import { rehearsing } from '../store/rehearsal.ts';
import { type Change, KeyExistsError, type Store, type Stored, TakenError, type UpdateResult } from '../store/store.ts';
import type { WriteCall, Written } from './call.ts';
import { draftOf, type Proposal } from './draft.ts';
import { fromStorage, pathKey, type Resource, subjectOf, view } from './resource.ts';
import { stepsOf } from './steps/steps.ts';
import { giveBack, type Undo } from './undo.ts';
import { writeAnswer } from './write-answer.ts';

/**
 * What is to be written, made of the newest version, which is in the request's version and shared; undefined when there
 * is none. Called anew when another write came between. What it throws ends the write. It is no closure: to call a
 * generator the first time costs more than a whole small write.
 * @param given what the write was begun with
 */
export type Propose<T> = (call: WriteCall, given: T, live: KubeObject | undefined) => Work<Proposal>;

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
  write(call, asSent, { next: sent, emptied }, { creates: 'always' });

// biome-ignore lint/correctness/useYield: there is nothing to wait for
function* asSent({ services }: WriteCall, sent: Proposal): Work<Proposal> {
  // Where others write too, an attempt may find taken what it picked: then there is another one, with what was sent.
  return services.store.isShared ? { ...sent, next: cloneJson(sent.next) } : sent;
}

/**
 * Carries out a write: proposes, goes through the steps and stores, all under the store's retry, since each step needs
 * the newest version. Whatever ends it before it is stored gives back what its steps took. A dry run is the same on a
 * store that keeps nothing.
 *
 * @throws 403 refused, 404 missing, 405 cannot be created, 409 exists or stale, 422 invalid, and what `propose` throws
 */
export async function write<T>(call: WriteCall, propose: Propose<T>, given: T, intent: Intent = {}): Promise<Written> {
  const { services, options, resource } = call;
  const store = options.dryRun ? rehearsing(services.store) : services.store;
  const attempt: Attempt<T> = { call, propose, given, intent, undo: [], change: undefined };
  const keep = intent.creates === 'always' ? storeNew : storeAt;
  let stands = false;
  try {
    const result = await (services.store.isShared ? unlessTaken(keep<T>, attempt, store) : keep(attempt, store));
    const { outcome, stored, written } = result;
    stands = !options.dryRun && (outcome === 'created' || outcome === 'written');
    if (!written || resource.served.conversion) return await answerOf(resource, result);
    return { code: outcome === 'created' ? 201 : 200, object: written, stored };
  } catch (error) {
    throw writeAnswer(error, call);
  } finally {
    if (!stands && attempt.undo.length > 0) await giveBack(attempt.undo);
  }
}

type Keep<T> = (attempt: Attempt<T>, store: WritableStore) => Promise<Result>;

/** How often what a write picked may be gone already, because another server gave it to somebody else meanwhile. */
const picks = 10;

async function unlessTaken<T>(keep: Keep<T>, attempt: Attempt<T>, store: WritableStore): Promise<Result> {
  for (let pick = 1; ; pick++) {
    try {
      return await keep(attempt, store);
    } catch (error) {
      if (!(error instanceof TakenError) || pick === picks) throw error;
    }
  }
}

interface Attempt<T> {
  readonly call: WriteCall;
  readonly propose: Propose<T>;
  readonly given: T;
  readonly intent: Intent;
  readonly undo: Undo;
  /** What the last one came to. */
  change: Change | undefined;
}

type WritableStore = Pick<Store, 'create' | 'upsert'>;

interface Result extends Pick<UpdateResult, 'outcome' | 'stored' | 'answer'> {
  /** What `stored` holds, where it was written just now. */
  readonly written?: KubeObject;
}

/** The name is known only after the steps: it may have been made up, or changed by admission. */
async function storeNew<T>(attempt: Attempt<T>, store: WritableStore): Promise<Result> {
  const { resource, namespace } = attempt.call;
  const decided = carryOut(goThrough(attempt, undefined));
  const change = decided instanceof Promise ? await decided : decided;
  if (!('write' in change)) throw new Error('what is new can only be written');
  const { write: next } = change;
  const key = keyBelow(resource.prefix, namespace, next.metadata.name ?? '');
  const stored = await (resource.custom ? storeCustom(attempt, store, key, next) : store.create(key, next));
  return { outcome: 'created', stored, written: next };
}

async function storeAt<T>(attempt: Attempt<T>, store: WritableStore): Promise<Result> {
  const { resource, namespace, name } = attempt.call;
  const key = pathKey(resource, namespace, name);
  const result = await store.upsert(key, (current) => {
    const decided = carryOut(goThrough(attempt, current));
    return resource.custom && !current ? based(attempt.call, decided) : decided;
  });
  const { change } = attempt;
  return change && 'write' in change ? { ...result, written: change.write } : result;
}

async function storeCustom<T>({ call }: Attempt<T>, store: WritableStore, key: string, write: KubeObject) {
  const { stored } = await store.upsert(key, (current) => {
    if (current) throw new KeyExistsError(current);
    return based(call, { write });
  });
  return stored;
}

/**
 * A new custom object is based on its definition: whoever removes that one, after all its objects, leaves none behind that a
 * server makes which does not know of it yet. @throws 404 when it is gone, 405
 */
async function based({ services, resource }: WriteCall, change: Change | Promise<Change>): Promise<Change> {
  const wanted = await change;
  const definition = resource.custom?.definition;
  if (!definition || !('write' in wanted)) return wanted;
  const basis = await services.store.get(definition.key, { any: true });
  if (!basis || basis.value.metadata.uid !== definition.uid) throw noSuchPath();
  if (definition.isTerminating(basis.value)) throw terminating(resource);
  return { ...wanted, basis };
}

/** @throws 404 or what stands for it, 405 */
function demandPossible({ resource, name }: WriteCall, { creates, absent }: Intent, current: Stored | undefined): void {
  if (!current && !creates) throw absent?.() ?? notFound(subjectOf(resource), name);
  if (creates === 'always' && resource.custom?.terminating) throw terminating(resource);
}

/** One attempt, on the newest version. */
function* goThrough<T>(attempt: Attempt<T>, current: Stored | undefined): Work<Change> {
  const { call, propose, given, intent, undo } = attempt;
  // What an attempt took that came to nothing is taken anew.
  if (undo.length > 0) yield giveBack(undo);
  demandPossible(call, intent, current);
  const shown = current && view(call.resource, current);
  const live = shown instanceof Promise ? (yield* known(shown)).value : shown?.value;
  const proposal = yield* propose(call, given, live);
  const draft = draftOf(attempt, current, live, proposal);
  for (const step of stepsOf(draft, intent.asProposed)) {
    const work = step(draft);
    if (work) yield* work;
    if (draft.weight !== 'light') yield;
  }
  if (!draft.change) throw new Error('no step decided what becomes of the write');
  attempt.change = draft.change;
  return draft.change;
}

async function answerOf(resource: Resource, { outcome, stored, answer }: Result): Promise<Written> {
  const code = outcome === 'created' ? 201 : 200;
  if (answer) return { code, object: await fromStorage(resource, answer) };
  const shown = resource.served.conversion ? await view(resource, stored) : stored;
  return { code, object: shown.value, stored: shown };
}

const terminating = ({ group, plural }: Resource) =>
  statusAnswer(405, 'create not allowed while custom resource definition is terminating', 'MethodNotAllowed', {
    group,
    kind: plural,
  });
