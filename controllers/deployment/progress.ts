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
  /** Whether any count has changed since the last status. */
  readonly moved: boolean;
  /** Why the set of a new template could not be created. */
  readonly refusal?: string;
  readonly now: number;
}

export interface ProgressVerdict {
  readonly verdict: Verdict;
  /** Milliseconds until the deadline, while it runs. */
  readonly wait?: number;
}

/** A deadline so long that it stands for none. */
const noDeadline = 2_147_483_647;

const timedOut = (name: string): string => `ReplicaSet "${name}" has timed out progressing.`;

/** What the condition `Progressing` says. */
export function progressOf({ spec, status }: Deployment, progress: Progress): ProgressVerdict {
  const { newest, done, moved, refusal, now } = progress;
  const name = newest ? nameOf(newest) : '';
  const old = status?.conditions?.find(({ type }) => type === 'Progressing');
  if (spec?.paused) return { verdict: paused(old) };
  if (refusal) {
    const failure = { status: 'False', reason: 'ReplicaSetCreateError', message: refusal };
    return { verdict: asTold(status?.conditions ?? [], 'Progressing', failure) };
  }
  if (done) {
    const message = `ReplicaSet "${name}" has successfully progressed.`;
    return { verdict: { status: 'True', reason: 'NewReplicaSetAvailable', message } };
  }
  if (old?.reason === 'DeploymentPaused') {
    return { verdict: { status: 'Unknown', reason: 'DeploymentResumed', message: 'Deployment is resumed' }, wait: 0 };
  }
  const seconds = spec?.progressDeadlineSeconds ?? 600;
  const since = millisecondsOf(old?.lastUpdateTime) ?? now;
  const wait = seconds >= noDeadline ? undefined : since + seconds * 1000 - now;
  const began = !old || old.reason === 'NewReplicaSetAvailable' || moved;
  const late = { status: 'False', reason: 'ProgressDeadlineExceeded', message: timedOut(name) };
  // A deadline that this set has missed stays missed until it makes progress after all.
  const missed = old?.reason === late.reason && old.message === late.message;
  if (wait !== undefined && (wait <= 0 || missed) && !began) return { verdict: late };
  const message = `ReplicaSet "${name}" is progressing.`;
  const verdict = { status: 'True', reason: 'ReplicaSetUpdated', message };
  return wait === undefined ? { verdict } : { verdict, wait: began ? seconds * 1000 : wait };
}

/** A deployment that is paused makes no progress and misses no deadline; one that it missed before stays told. */
const paused = (old: DeploymentCondition | undefined): Verdict =>
  old?.reason === 'ProgressDeadlineExceeded'
    ? { status: old.status, reason: old.reason, ...(old.message && { message: old.message }) }
    : { status: 'Unknown', reason: 'DeploymentPaused', message: 'Deployment is paused' };
