import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { historyAnnotation, revisionAnnotation } from './annotations.ts';
import { limitsOf } from './limits.ts';
import { planDeployment } from './plan.ts';
import { setsOf } from './replica-sets.ts';
import { changed, deployment, World, withImage } from './rollout.fixture.ts';
import { statusOf } from './status.ts';

const now = Date.UTC(2024, 0, 1);

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
