import { formatTime } from '../runtime/clock.ts';
import { type Condition, withCondition } from '../runtime/conditions.ts';
import type { Deployment, ReplicaSet } from '../runtime/resources.ts';
import { limitsOf } from './limits.ts';
import { type DeploymentCondition, progressOf } from './progress.ts';
import { type Sets, sum } from './replica-sets.ts';

type Status = NonNullable<Deployment['status']>;

export interface DeploymentStatus {
  /** The status to store; undefined when it is stored already. */
  readonly status?: Status;
  readonly checkAgainAfter?: number;
}

const counts = ['replicas', 'updatedReplicas', 'readyReplicas', 'availableReplicas'] as const;

/** The status of a deployment with these sets. @param refusal why the set of a new template could not be created */
export function statusOf(deployment: Deployment, sets: Sets, now: number, refusal?: string): DeploymentStatus {
  const before = deployment.status ?? {};
  const wanted = deployment.spec?.replicas ?? 1;
  const numbers = numbersOf(sets, wanted);
  const moved = counts.some((key) => (before[key] ?? 0) !== numbers[key]);
  const done = counts.every((key) => key === 'readyReplicas' || numbers[key] === wanted);
  const { verdict, wait } = progressOf(deployment, {
    newest: sets.newest,
    done,
    moved,
    now,
    ...(refusal !== undefined && { refusal }),
  });
  const enough = numbers.availableReplicas >= wanted - limitsOf(deployment).unavailable;
  let conditions: readonly DeploymentCondition[] = before.conditions ?? [];
  conditions = withCondition(conditions, 'Available', availability(enough), now);
  conditions = withCondition(conditions, 'Progressing', verdict, now);
  conditions = withCondition(conditions, 'ReplicaFailure', failureOf(sets), now);
  const observedGeneration = deployment.metadata?.generation ?? 0;
  const same = !moved && conditions === before.conditions && before.observedGeneration === observedGeneration;
  const told = withTimes(conditions, before.conditions ?? [], moved, now);
  return {
    ...(!same && { status: { ...before, ...numbers, observedGeneration, conditions: told } }),
    ...(wait !== undefined && { checkAgainAfter: wait }),
  };
}

function numbersOf({ newest, all }: Sets, wanted: number) {
  const total = (name: 'replicas' | 'readyReplicas' | 'availableReplicas') =>
    sum(all.map((set) => set.status?.[name] ?? 0));
  const availableReplicas = total('availableReplicas');
  return {
    replicas: total('replicas'),
    updatedReplicas: newest?.status?.replicas ?? 0,
    readyReplicas: total('readyReplicas'),
    availableReplicas,
    unavailableReplicas: Math.max(0, wanted - availableReplicas),
  };
}

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

/** `lastUpdateTime` says when a condition was last worth telling: progress tells with every pod. */
const withTimes = (
  conditions: readonly DeploymentCondition[],
  before: readonly DeploymentCondition[],
  moved: boolean,
  now: number,
): DeploymentCondition[] =>
  conditions.map((condition) => {
    const old = before.find(({ type }) => type === condition.type);
    const stays = old === condition && !(moved && condition.type === 'Progressing');
    return { ...condition, lastUpdateTime: (stays && old?.lastUpdateTime) || formatTime(now) };
  });
