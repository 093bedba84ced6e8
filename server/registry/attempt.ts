import type { KubeObject } from '../base/kube-object.ts';
import { notFound, statusAnswer } from '../base/status-error.ts';
import { known, type Work } from '../base/turns/work.ts';
import type { Change, Stored } from '../store/store.ts';
import type { WriteCall } from './call.ts';
import { draftOf, type Proposal } from './draft.ts';
import { type Resource, subjectOf, view } from './resource.ts';
import { stepsOf } from './steps/steps.ts';
import { giveBack, type Undo } from './undo.ts';

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

/** A write that is tried until it fits what is stored. */
export interface Attempt<T> {
  readonly call: WriteCall;
  readonly propose: Propose<T>;
  readonly given: T;
  readonly intent: Intent;
  readonly undo: Undo;
  /** What the last one came to. */
  change: Change | undefined;
}

/**
 * One try on the newest version: what it took before is given back, there must be what it needs, the verb proposes, and
 * the proposal goes through the steps.
 */
export function* goThrough<T>(attempt: Attempt<T>, current: Stored | undefined): Work<Change> {
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

/** @throws 404 or what stands for it, 405 */
function demandPossible({ resource, name }: WriteCall, { creates, absent }: Intent, current: Stored | undefined): void {
  if (!current && !creates) throw absent?.() ?? notFound(subjectOf(resource), name);
  if (creates === 'always' && resource.custom?.terminating) throw terminating(resource);
}

/** No object is made of a type that is going. */
export const terminating = ({ group, plural }: Resource) =>
  statusAnswer(405, 'create not allowed while custom resource definition is terminating', 'MethodNotAllowed', {
    group,
    kind: plural,
  });
