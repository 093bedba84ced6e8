import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Deployment, ReplicaSet } from '../runtime/resources.ts';
import { limitsOf, planDeployment, revisionAnnotation } from './plan.ts';

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
    const plan = planDeployment(this.subject, this.sets, now);
    if (plan.create)
      this.sets.push({ ...plan.create, status: { replicas: plan.create.spec?.replicas ?? 0, availableReplicas: 0 } });
    if (plan.revise)
      plan.revise.set.metadata = {
        ...plan.revise.set.metadata,
        annotations: { [revisionAnnotation]: plan.revise.revision },
      };
    for (const { set, replicas } of plan.scale) this.#scale(set, replicas);
    this.sets = this.sets.filter((set) => !plan.delete.includes(set));
    return Boolean(plan.create) || Boolean(plan.revise) || plan.scale.length + plan.delete.length > 0;
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

  #scale(set: ReplicaSet, replicas: number): void {
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

test('a paused deployment begins no new template', () => {
  const world = new World(deployment());
  world.settle();
  world.subject = withImage(
    { ...world.subject, spec: { ...world.subject.spec, paused: true } as NonNullable<Deployment['spec']> },
    'v2',
  );
  world.subject = {
    ...world.subject,
    spec: { ...world.subject.spec, paused: true } as NonNullable<Deployment['spec']>,
  };
  expect(world.step()).toBe(false);
});
