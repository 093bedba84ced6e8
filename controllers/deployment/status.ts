import { formatTime } from '../runtime/clock.ts';
import { type Condition, withCondition } from '../runtime/conditions.ts';
import type { Deployment, ReplicaSet } from '../runtime/resources.ts';
import { limitsOf } from './limits.ts';
import { type DeploymentCondition, progressOf, updated } from './progress.ts';
import { replicasOf, type Sets, sum } from './replica-sets.ts';

type Status = NonNullable<Deployment['status']>;

export interface DeploymentStatus {
  /** The status to store; undefined when it is stored already. */
  readonly status?: Status;
  readonly checkAgainAfter?: number;
}

const counts = ['replicas', 'updatedReplicas', 'readyReplicas', 'availableReplicas'] as const;
const told = [...counts, 'unavailableReplicas'] as const;

/** The status of a deployment with these sets. @param refusal why the set of a new template could not be created */
export function statusOf(deployment: Deployment, sets: Sets, now: number, refusal?: string): DeploymentStatus {
  const before = deployment.status ?? {};
  const wanted = deployment.spec?.replicas ?? 1;
  const numbers = numbersOf(sets);
  const nearer = isNearer(before, numbers);
  const { verdict, wait } = progressOf(deployment, {
    newest: sets.newest,
    done: counts.every((key) => key === 'readyReplicas' || numbers[key] === wanted),
    alone: numbers.updatedReplicas === numbers.replicas,
    nearer,
    now,
    ...(refusal !== undefined && { refusal }),
  });
  const enough = numbers.availableReplicas >= wanted - limitsOf(deployment).unavailable;
  let conditions: readonly DeploymentCondition[] = before.conditions ?? [];
  conditions = withCondition(conditions, 'Available', availability(enough), now);
  conditions = withCondition(conditions, 'Progressing', verdict, now);
  conditions = withCondition(conditions, 'ReplicaFailure', failureOf(sets), now);
  const observedGeneration = deployment.metadata?.generation ?? 0;
  const counted = told.every((key) => (before[key] ?? 0) === numbers[key]);
  const same = counted && conditions === before.conditions && before.observedGeneration === observedGeneration;
  const timed = withTimes(conditions, before.conditions ?? [], nearer, now);
  return {
    ...(!same && { status: { ...before, ...numbers, observedGeneration, conditions: timed } }),
    ...(wait !== undefined && { checkAgainAfter: wait }),
  };
}

function numbersOf({ newest, all }: Sets): Record<(typeof told)[number], number> {
  const total = (name: 'replicas' | 'readyReplicas' | 'availableReplicas') =>
    sum(all.map((set) => set.status?.[name] ?? 0));
  const availableReplicas = total('availableReplicas');
  return {
    replicas: total('replicas'),
    updatedReplicas: newest?.status?.replicas ?? 0,
    readyReplicas: total('readyReplicas'),
    availableReplicas,
    // Of all that are asked for, those of a surge included.
    unavailableReplicas: Math.max(0, sum(all.map(replicasOf)) - availableReplicas),
  };
}

/** Whether more pods are new, ready or available than were, or fewer old: pods that are lost are no progress. */
const isNearer = (before: Status, next: ReturnType<typeof numbersOf>): boolean => {
  const { replicas = 0, updatedReplicas = 0, readyReplicas = 0, availableReplicas = 0 } = before;
  return (
    next.updatedReplicas > updatedReplicas ||
    next.replicas - next.updatedReplicas < replicas - updatedReplicas ||
    next.readyReplicas > readyReplicas ||
    next.availableReplicas > availableReplicas
  );
};

const availability = (enough: boolean) =>
  enough
    ? {
        status: 'True',
        reason: 'MinimumReplicasAvailable',
        message: 'Deployment has minimum availability.',
      }
    : {
        status: 'False',
        reason: 'MinimumReplicasUnavailable',
        message: 'Deployment does not have minimum availability.',
      };

/** The failure of a set to make its pods: the newest set's before another's. */
function failureOf({ newest, all }: Sets): Omit<Condition, 'type'> | undefined {
  const failure = (set: ReplicaSet | undefined) =>
    set?.status?.conditions?.find(({ type, status }) => type === 'ReplicaFailure' && status === 'True');
  const found = failure(newest) ?? all.map(failure).find(Boolean);
  return (
    found && {
      status: found.status,
      ...(found.reason && { reason: found.reason }),
      ...(found.message && { message: found.message }),
    }
  );
}

/** `lastUpdateTime` says when a condition was last worth telling: progress tells with every pod until it is done. */
const withTimes = (
  conditions: readonly DeploymentCondition[],
  before: readonly DeploymentCondition[],
  nearer: boolean,
  now: number,
): DeploymentCondition[] =>
  conditions.map((condition) => {
    const old = before.find(({ type }) => type === condition.type);
    const stays = old === condition && !(nearer && condition.reason === updated);
    return { ...condition, lastUpdateTime: (stays && old?.lastUpdateTime) || formatTime(now) };
  });
