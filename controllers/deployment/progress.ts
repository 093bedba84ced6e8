import { asTold, type Condition } from '../runtime/conditions.ts';
import { millisecondsOf, nameOf } from '../runtime/kube-object.ts';
import type { Deployment, ReplicaSet } from '../runtime/resources.ts';

type Status = NonNullable<Deployment['status']>;
export type DeploymentCondition = NonNullable<Status['conditions']>[number];
type Verdict = Pick<Condition, 'status' | 'reason' | 'message'>;

/** What progress is judged by. */
export interface Progress {
  readonly newest: ReplicaSet | undefined;
  /** Whether all is as wanted. */
  readonly done: boolean;
  /** Whether there are pods of the newest set alone. */
  readonly alone: boolean;
  /** Whether the counts are nearer to what is wanted than in the last status. */
  readonly nearer: boolean;
  /** Why the set of a new template could not be created. */
  readonly refusal?: string;
  readonly now: number;
}

export interface ProgressVerdict {
  /** Undefined: nothing is said of progress. */
  readonly verdict: Verdict | undefined;
  /** Milliseconds until the deadline, while it runs. */
  readonly wait?: number;
}

/** A deadline so long that it stands for none. */
const noDeadline = 2_147_483_647;

/** The reasons when a rollout is done, and while pods still come and go. */
const available = 'NewReplicaSetAvailable';
export const updated = 'ReplicaSetUpdated';

const timedOut = (name: string): string => `ReplicaSet "${name}" has timed out progressing.`;

/** What the condition `Progressing` says. */
export function progressOf({ spec, status }: Deployment, progress: Progress): ProgressVerdict {
  const { newest, refusal } = progress;
  const seconds = spec?.progressDeadlineSeconds ?? 600;
  if (seconds >= noDeadline) return { verdict: undefined };
  const name = newest ? nameOf(newest) : '';
  const old = status?.conditions?.find(({ type }) => type === 'Progressing');
  if (spec?.paused) return { verdict: paused(old) };
  if (refusal) {
    const failure = { status: 'False', reason: 'ReplicaSetCreateError', message: refusal };
    return { verdict: asTold(status?.conditions ?? [], 'Progressing', failure) };
  }
  const message = `ReplicaSet "${name}" has successfully progressed.`;
  if (isOver(old, message, progress)) return { verdict: { status: 'True', reason: available, message } };
  if (old?.reason === 'DeploymentPaused') {
    return { verdict: { status: 'Unknown', reason: 'DeploymentResumed', message: 'Deployment is resumed' }, wait: 0 };
  }
  return underWay(name, seconds * 1000, old, progress);
}

/** A rollout goes on until it has made no progress for as long as it may. @param most that is, in milliseconds */
function underWay(
  name: string,
  most: number,
  old: DeploymentCondition | undefined,
  { nearer, now }: Progress,
): ProgressVerdict {
  const wait = (millisecondsOf(old?.lastUpdateTime) ?? now) + most - now;
  const began = !old || old.reason === available || nearer;
  const late = { status: 'False', reason: 'ProgressDeadlineExceeded', message: timedOut(name) };
  // A deadline that this set has missed stays missed until it makes progress after all.
  const missed = old?.reason === late.reason && old.message === late.message;
  if ((wait <= 0 || missed) && !began) return { verdict: late };
  const verdict = { status: 'True', reason: updated, message: `ReplicaSet "${name}" is progressing.` };
  return { verdict, wait: began ? most : wait };
}

/** A rollout that was done stays done until the next one: pods that fail later, or another size, are none. */
const isOver = (old: DeploymentCondition | undefined, success: string, { done, alone }: Progress): boolean =>
  done || (alone && old?.reason === available && old.message === success);

/** A deployment that is paused makes no progress and misses no deadline; one that it missed before stays told. */
const paused = (old: DeploymentCondition | undefined): Verdict =>
  old?.reason === 'ProgressDeadlineExceeded'
    ? { status: old.status, reason: old.reason, ...(old.message && { message: old.message }) }
    : { status: 'Unknown', reason: 'DeploymentPaused', message: 'Deployment is paused' };
