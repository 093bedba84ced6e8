import { describe, expect, test } from 'vitest';
import type { Deployment, ReplicaSet } from '../runtime/resources.ts';
import { setsOf } from './replica-sets.ts';
import { changed, deployment, World, withImage } from './rollout.fixture.ts';
import { statusOf } from './status.ts';

const now = Date.UTC(2024, 0, 1);

describe('the status', () => {
  const conditionsOf = (subject: Deployment, all: readonly ReplicaSet[], at = now, refusal?: string) =>
    Object.fromEntries(
      (statusOf(subject, setsOf(subject, all), at, refusal).status?.conditions ?? []).map(
        ({ type, status, reason }) => [type, `${status} ${reason}`],
      ),
    );
  const settled = () => {
    const world = new World(deployment());
    world.settle();
    return world;
  };

  test('is not written twice', () => {
    const world = settled();
    const { status } = statusOf(world.subject, setsOf(world.subject, world.sets), now);
    expect(status?.conditions?.map(({ reason }) => reason)).toEqual([
      'MinimumReplicasAvailable',
      'NewReplicaSetAvailable',
    ]);
    const stored = { ...world.subject, ...(status && { status }) };
    expect(statusOf(stored, setsOf(stored, world.sets), now + 5_000)).toEqual({});
  });

  test('tells that pods cannot be made, and no more when they can', () => {
    const world = settled();
    const [set] = world.sets as [ReplicaSet];
    const failure = { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: 'exceeded quota' };
    set.status = { ...set.status, replicas: 3, conditions: [failure] };
    const { status } = statusOf(world.subject, setsOf(world.subject, world.sets), now);
    expect(status?.conditions?.find(({ type }) => type === 'ReplicaFailure')).toMatchObject(failure);
    set.status.conditions = [];
    const later = { ...world.subject, ...(status && { status }) };
    expect(conditionsOf(later, world.sets)).not.toHaveProperty('ReplicaFailure');
  });

  test('tells that the set of a new template cannot be made', () => {
    expect(conditionsOf(deployment(), [], now, 'exceeded quota')).toMatchObject({
      Progressing: 'False ReplicaSetCreateError',
    });
    const { status } = statusOf(deployment(), setsOf(deployment(), []), now, 'refused, as attempt 1');
    const told = { ...deployment(), ...(status && { status }) };
    expect(statusOf(told, setsOf(told, []), now + 5_000, 'refused, as attempt 2')).toEqual({});
  });

  test('counts the pods of a surge too among those that are not available yet', () => {
    const world = settled();
    world.subject = withImage(world.subject, 'v2');
    world.step();
    const { status } = statusOf(world.subject, setsOf(world.subject, world.sets), now);
    expect(status).toMatchObject({ replicas: 5, updatedReplicas: 1, availableReplicas: 4, unavailableReplicas: 1 });
  });

  test('tells of a pause and of its end, and of a deadline that was missed', () => {
    const world = settled();
    const stored = (subject: Deployment, at: number): Deployment => {
      const { status } = statusOf(subject, setsOf(subject, world.sets), at);
      return status ? { ...subject, status } : subject;
    };
    (world.sets[0] as ReplicaSet).status = { replicas: 4, availableReplicas: 1 };
    let subject = stored(changed(deployment(), { paused: true }), now);
    const progressing = () => subject.status?.conditions?.find(({ type }) => type === 'Progressing')?.reason;
    expect(progressing()).toBe('DeploymentPaused');
    subject = stored(changed(subject, { paused: false, progressDeadlineSeconds: 60 }), now + 1_000);
    expect(progressing()).toBe('DeploymentResumed');
    subject = stored(subject, now + 30_000);
    expect(progressing()).toBe('ReplicaSetUpdated');
    subject = stored(subject, now + 80_000);
    expect(progressing()).toBe('ReplicaSetUpdated');
    subject = stored(subject, now + 91_000);
    expect(progressing()).toBe('ProgressDeadlineExceeded');
    const missed = subject;
    subject = stored(subject, now + 91_500);
    expect(subject).toBe(missed);
    (world.sets[0] as ReplicaSet).status = { replicas: 4, availableReplicas: 2 };
    subject = stored(subject, now + 92_000);
    expect(progressing()).toBe('ReplicaSetUpdated');
  });
});
