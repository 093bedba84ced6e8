import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Deployment, ReplicaSet } from '../runtime/resources.ts';
import { historyAnnotation, revisionAnnotation, scalingAnnotations } from './annotations.ts';
import { limitsOf } from './limits.ts';
import { planDeployment } from './plan.ts';
import { setsOf } from './replica-sets.ts';
import { statusOf } from './status.ts';

const now = Date.UTC(2024, 0, 1);

const deployment = (spec: object = {}, image = 'v1'): Deployment =>
  ({
    metadata: { namespace: 'ns', name: 'web', uid: 'd', generation: 1 },
    spec: {
      replicas: 4,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image }] } },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
      ...spec,
    },
  }) as Deployment;

const rolling = (maxSurge: number | string, maxUnavailable: number | string, replicas = 4) =>
  deployment({ replicas, strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } } });

test.each<[number | string, number | string, number, number, number]>([
  ['25%', '25%', 4, 1, 1],
  ['25%', '25%', 10, 3, 2],
  [2, 0, 4, 2, 0],
  ['100%', '100%', 3, 3, 3],
  [0, 9, 4, 0, 4],
  ['1%', '1%', 1, 1, 0],
  [0, '1%', 1, 0, 1],
])(
  'surge %s and unavailable %s of replicas in %i pods are %i and %i',
  (maxSurge, maxUnavailable, replicas, surge, unavailable) => {
    expect(limitsOf(rolling(maxSurge, maxUnavailable, replicas))).toEqual({ surge, unavailable });
  },
);

/** Sets that do at once what they are told, except that new pods become available one at a time. */
class World {
  sets: ReplicaSet[] = [];
  subject: Deployment;

  constructor(subject: Deployment) {
    this.subject = subject;
  }

  /** Carries out the next plan. Answers whether anything was done. */
  step(): boolean {
    const plan = planDeployment(this.subject, this.sets);
    if (plan.create)
      this.sets.push({ ...plan.create, status: { replicas: plan.create.spec?.replicas ?? 0, availableReplicas: 0 } });
    if (plan.adjust) {
      const { set, annotations, minReadySeconds } = plan.adjust;
      this.#annotate(set, annotations);
      if (minReadySeconds !== undefined) set.spec = { ...set.spec, minReadySeconds } as NonNullable<ReplicaSet['spec']>;
    }
    for (const { set, replicas } of plan.scale) this.#scale(set, replicas);
    this.sets = this.sets.filter((set) => !plan.delete.includes(set));
    return Boolean(plan.create) || Boolean(plan.adjust) || plan.scale.length + plan.delete.length > 0;
  }

  /** One more pod becomes available. Answers whether there was one. */
  ripen(): boolean {
    const unripe = this.sets.find(({ status }) => (status?.availableReplicas ?? 0) < (status?.replicas ?? 0));
    if (unripe?.status)
      unripe.status = { ...unripe.status, availableReplicas: (unripe.status.availableReplicas ?? 0) + 1 };
    return unripe !== undefined;
  }

  settle(check: () => void = () => {}): void {
    for (let turn = 0; turn < 500; turn += 1) {
      const acted = this.step();
      check();
      if (!acted && !this.ripen()) return;
    }
    throw new Error('it never settles');
  }

  total(name: 'replicas' | 'availableReplicas'): number {
    return this.sets.reduce((sum, { status }) => sum + (status?.[name] ?? 0), 0);
  }

  #annotate(set: ReplicaSet, annotations: object): void {
    set.metadata = { ...set.metadata, annotations: { ...set.metadata?.annotations, ...annotations } };
  }

  #scale(set: ReplicaSet, replicas: number): void {
    this.#annotate(set, scalingAnnotations(this.subject));
    set.spec = { ...set.spec, replicas } as NonNullable<ReplicaSet['spec']>;
    set.status = { ...set.status, replicas, availableReplicas: Math.min(replicas, set.status?.availableReplicas ?? 0) };
  }
}

const withImage = (subject: Deployment, image: string): Deployment => ({
  ...subject,
  spec: {
    ...deployment(subject.spec, image).spec,
    ...{ template: deployment({}, image).spec?.template },
  } as NonNullable<Deployment['spec']>,
});

describe('a rolling update', () => {
  test('never has more pods nor fewer available ones than allowed, and ends with the new template alone', () => {
    const amount = fc.oneof(
      fc.nat(6),
      fc.nat(100).map((percent) => `${percent}%`),
    );
    fc.assert(
      fc.property(amount, amount, fc.integer({ min: 1, max: 12 }), (maxSurge, maxUnavailable, replicas) => {
        const world = new World(rolling(maxSurge, maxUnavailable, replicas));
        world.settle();
        expect(world.total('availableReplicas')).toBe(replicas);
        world.subject = withImage(world.subject, 'v2');
        const { surge, unavailable } = limitsOf(world.subject);
        world.settle(() => {
          expect(world.total('replicas')).toBeLessThanOrEqual(replicas + surge);
          expect(world.total('availableReplicas')).toBeGreaterThanOrEqual(replicas - unavailable);
        });
        expect(world.sets.map(({ spec }) => spec?.replicas).sort((a = 0, b = 0) => a - b)).toEqual([0, replicas]);
      }),
      { numRuns: 200 },
    );
  });

  test('keeps old pods that do not work just now, as many as new ones do not make up for', () => {
    const world = new World(rolling(1, 1, 4));
    world.settle();
    for (const set of world.sets) set.status = { ...set.status, replicas: 4, availableReplicas: 0 };
    world.subject = withImage(world.subject, 'v2');
    while (world.step());
    expect(sizes(world)).toEqual([3, 2]);
  });

  test('how long pods of the set have to be ready follows the deployment', () => {
    const world = new World(deployment());
    world.settle();
    world.subject = changed(world.subject, { minReadySeconds: 30 });
    world.settle();
    expect(world.sets.map(({ spec }) => spec?.minReadySeconds)).toEqual([30]);
    world.subject = changed(world.subject, { minReadySeconds: undefined });
    world.settle();
    expect(world.sets.map(({ spec }) => spec?.minReadySeconds)).toEqual([0]);
  });

  test('going back takes the old set up again, as a new revision', () => {
    const world = new World(deployment());
    world.settle();
    world.subject = withImage(world.subject, 'v2');
    world.settle();
    world.subject = withImage(world.subject, 'v1');
    world.settle();
    expect(world.sets).toHaveLength(2);
    expect(
      world.sets.map(({ metadata, spec }) => [metadata?.annotations?.[revisionAnnotation], spec?.replicas]),
    ).toEqual([
      ['3', 4],
      ['2', 0],
    ]);
  });

  test('revisions count on, however high the highest is', () => {
    const world = new World(deployment());
    world.settle();
    for (const set of world.sets)
      Object.assign(set.metadata?.annotations ?? {}, { [revisionAnnotation]: '3546343826724305832' });
    world.subject = withImage(world.subject, 'v2');
    world.settle();
    expect(world.sets.map(({ metadata }) => metadata?.annotations?.[revisionAnnotation])).toEqual([
      '3546343826724305832',
      '3546343826724305833',
    ]);
  });

  test('old sets beyond the history limit go', () => {
    const world = new World(deployment({ revisionHistoryLimit: 2 }));
    for (const image of ['a', 'b', 'c', 'd', 'e']) {
      world.subject = withImage(world.subject, image);
      world.settle();
    }
    expect(world.sets.map(({ metadata }) => metadata?.annotations?.[revisionAnnotation])).toEqual(['3', '4', '5']);
  });
});

test('Recreate begins the new only when the old is gone', () => {
  const world = new World(deployment({ strategy: { type: 'Recreate' } }));
  world.settle();
  world.subject = withImage(world.subject, 'v2');
  const mixed: boolean[] = [];
  world.settle(() => mixed.push(world.sets.filter(({ status }) => (status?.replicas ?? 0) > 0).length > 1));
  expect(mixed).not.toContain(true);
  expect(world.total('replicas')).toBe(4);
});

const changed = (subject: Deployment, spec: object, metadata: object = {}): Deployment => ({
  ...subject,
  metadata: { ...subject.metadata, ...metadata },
  spec: { ...subject.spec, ...spec } as NonNullable<Deployment['spec']>,
});

const sizes = (world: World) => world.sets.map(({ spec }) => spec?.replicas);

describe('a paused deployment', () => {
  test('begins no new template', () => {
    const world = new World(deployment());
    world.settle();
    world.subject = changed(withImage(world.subject, 'v2'), { paused: true });
    expect(world.step()).toBe(false);
    expect(planDeployment(world.subject, world.sets).revision).toBeUndefined();
  });

  test('is scaled all the same', () => {
    const world = new World(deployment());
    world.settle();
    world.subject = changed(withImage(world.subject, 'v2'), { paused: true, replicas: 7 });
    world.settle();
    expect(sizes(world)).toEqual([7]);
  });
});

describe('scaling in the middle of a rollout', () => {
  /** Eight of the old and five of the new, as ten with a surge of three leave them when nothing new gets ready. */
  const stuck = () => {
    const world = new World(rolling(3, 2, 10));
    world.settle();
    world.subject = withImage(world.subject, 'v2');
    while (world.step());
    expect(sizes(world)).toEqual([8, 5]);
    return world;
  };

  test.each([
    ['up', 15, [11, 7]],
    ['to twice', 20, [14, 9]],
    ['down', 5, [5, 3]],
    ['to none', 0, [0, 0]],
  ])('%s shares the change in proportion', (_, replicas, expected) => {
    const world = stuck();
    world.subject = changed(world.subject, { replicas });
    world.step();
    expect(sizes(world)).toEqual(expected);
  });

  test('is over after one step, and the rollout goes on', () => {
    const world = stuck();
    world.subject = changed(world.subject, { replicas: 15 });
    world.settle();
    expect(sizes(world)).toEqual([0, 15]);
  });
});

describe('annotations', () => {
  test('of the deployment reach the newest set, but not what is its own', () => {
    const cause = 'kubernetes.io/change-cause';
    const own = 'kubectl.kubernetes.io/last-applied-configuration';
    const world = new World(changed(deployment(), {}, { annotations: { [cause]: 'first', [own]: '{}' } }));
    world.settle();
    world.subject = changed(world.subject, {}, { annotations: { [cause]: 'second', [own]: '{}' } });
    world.settle();
    expect(world.sets[0]?.metadata?.annotations).toMatchObject({ [cause]: 'second' });
    expect(world.sets[0]?.metadata?.annotations).not.toHaveProperty([own]);
  });

  test('keep the earlier revisions of a set that comes back', () => {
    const world = new World(deployment());
    for (const image of ['v1', 'v2', 'v1', 'v2', 'v1']) {
      world.subject = withImage(world.subject, image);
      world.settle();
    }
    expect(world.sets[0]?.metadata?.annotations).toMatchObject({
      [revisionAnnotation]: '5',
      [historyAnnotation]: '1,3',
    });
  });
});

test.each([
  ['RollingUpdate', 'True MinimumReplicasAvailable'],
  ['Recreate', 'False MinimumReplicasUnavailable'],
])('three of four pods are enough or not: %s', (type, expected) => {
  const world = new World(deployment({ strategy: { type } }));
  world.settle();
  for (const set of world.sets) set.status = { ...set.status, replicas: 4, availableReplicas: 3 };
  const { status } = statusOf(world.subject, setsOf(world.subject, world.sets), now);
  const available = status?.conditions?.find((condition) => condition.type === 'Available');
  expect(`${available?.status} ${available?.reason}`).toBe(expected);
});

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
