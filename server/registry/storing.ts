import type { KubeObject } from '../base/kube-object.ts';
import { noSuchPath } from '../base/status-error.ts';
import { carryOut } from '../base/turns/work.ts';
import { keyBelow } from '../store/object-keys.ts';
import { type Change, KeyExistsError, type Store, TakenError, type UpdateResult } from '../store/store.ts';
import { type Attempt, goThrough, terminating } from './attempt.ts';
import type { WriteCall } from './call.ts';
import { pathKey } from './resource.ts';

type WritableStore = Pick<Store, 'create' | 'upsert'>;

/** What came of a write in the store. */
export interface Result extends Pick<UpdateResult, 'outcome' | 'stored' | 'answer'> {
  /** What `stored` holds, where it was written just now. */
  readonly written?: KubeObject;
}

/** Tries a write until it fits what is stored by then. @throws what the steps and the store throw */
export function storeAttempt<T>(attempt: Attempt<T>, store: WritableStore): Promise<Result> {
  const keep = attempt.intent.creates === 'always' ? storeNew : storeAt;
  return attempt.call.services.store.isShared ? unlessTaken(keep<T>, attempt, store) : keep(attempt, store);
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

/** Tried anew by the store itself where another write came between. */
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
