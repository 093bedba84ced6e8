import { rehearsing } from '../store/rehearsal.ts';
import type { Attempt, Intent, Propose } from './attempt.ts';
import type { WriteCall, Written } from './call.ts';
import { fromStorage, type Resource, view } from './resource.ts';
import { type Result, storeAttempt } from './storing.ts';
import { giveBack } from './undo.ts';
import { writeAnswer } from './write-answer.ts';

/**
 * Carries out a write: what the verb proposes goes through the steps (`attempt.ts`) and is stored (`storing.ts`), all
 * under the store's retry, since each step needs the newest version. Whatever ends it before it is stored gives back what
 * its steps took. A dry run is the same on a store that keeps nothing.
 *
 * @throws 403 refused, 404 missing, 405 cannot be created, 409 exists or stale, 422 invalid, and what `propose` throws
 */
export async function write<T>(call: WriteCall, propose: Propose<T>, given: T, intent: Intent = {}): Promise<Written> {
  const { services, options, resource } = call;
  const store = options.dryRun ? rehearsing(services.store) : services.store;
  const attempt: Attempt<T> = { call, propose, given, intent, undo: [], change: undefined };
  let stands = false;
  try {
    const result = await storeAttempt(attempt, store);
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

async function answerOf(resource: Resource, { outcome, stored, answer }: Result): Promise<Written> {
  const code = outcome === 'created' ? 201 : 200;
  if (answer) return { code, object: await fromStorage(resource, answer) };
  const shown = resource.served.conversion ? await view(resource, stored) : stored;
  return { code, object: shown.value, stored: shown };
}
