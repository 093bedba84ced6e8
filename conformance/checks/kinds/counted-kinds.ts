import { sampleOf } from '../../../fixtures/objects.ts';
import type { MinorRange } from '../../holds-for.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { type KindPath, kindPaths } from '../../verbs/kinds.ts';
import { merged } from '../../verbs/merged.ts';
import { flowsOfNobody, spec } from '../unfit/judged-kind.ts';
import { template, workload } from '../unfit/workload-parts.ts';

/** A kind that no general rule speaks of and that counts its generations: with changes that count, and some that do not. */
export interface CountedKind {
  readonly name: string;
  readonly holds?: MinorRange;
  readonly at: KindPath;
  readonly base: Json;
  /** Each is a new generation. */
  readonly counted: readonly Json[];
  /** Changes of the object that are none, beside labels and annotations. */
  readonly uncounted: readonly Json[];
  /** What is told of it through its status. */
  readonly told?: Json;
  /** The generation of a new object, 1 unless it is said. */
  readonly first?: number;
}

const counted = (at: KindPath, changes: readonly Json[], more: Partial<CountedKind> = {}): CountedKind => ({
  ...{ name: at.resource, at, base: {}, counted: changes, uncounted: [] },
  ...more,
});

const none = { nodeSelector: { 'touchstone.example/none': 'such' } };
const load = { base: workload({ replicas: 0 }), told: { replicas: 0, observedGeneration: 7 } };
const otherPods = spec({ template: template('judged', { terminationGracePeriodSeconds: 7 }) });
const jobTemplate = { spec: { template: { spec: { ...template('a').spec, restartPolicy: 'Never' } } } };
const parameters = { apiGroup: 'example.com', kind: 'Front', name: 'a' };
const condition = {
  type: 'Judged',
  status: 'True',
  lastTransitionTime: '2024-05-06T07:08:09Z',
  reason: 'A',
  message: '',
};

const [harmless] = sampleOf('ValidatingWebhookConfiguration', '', '').webhooks;
const inTime = (timeoutSeconds: number): Json => ({ webhooks: [{ ...harmless, timeoutSeconds }] });
const twice = { webhooks: [inTime(2).webhooks[0], { ...harmless, name: 'second.touchstone.example' }] };

export const countedKinds: readonly CountedKind[] = [
  counted(kindPaths.statefulSets, [spec({ minReadySeconds: 7 }), otherPods], load),
  counted(kindPaths.replicaSets, [spec({ minReadySeconds: 7 }), otherPods], load),
  counted(
    kindPaths.daemonSets,
    [spec({ minReadySeconds: 7 }), spec({ template: template('judged', { ...none, hostPID: true }) })],
    {
      base: workload({ template: template('judged', none) }),
      told: { observedGeneration: 7 },
    },
  ),
  counted(
    kindPaths.replicationControllers,
    [spec({ minReadySeconds: 7 }), spec({ template: template('other'), selector: { app: 'other' } })],
    {
      base: spec({ selector: { app: 'judged' }, template: template('judged') }),
      told: { replicas: 0, observedGeneration: 7 },
    },
  ),
  counted(kindPaths.cronJobs, [spec({ schedule: '0 1 1 1 *' }), spec({ failedJobsHistoryLimit: 0 })], {
    base: spec({ schedule: '0 0 1 1 *', suspend: true, jobTemplate }),
    told: { lastScheduleTime: condition.lastTransitionTime },
  }),
  counted(
    kindPaths.podDisruptionBudgets,
    [spec({ minAvailable: 2 }), spec({ selector: { matchLabels: { app: 'b' } } })],
    {
      base: spec({ minAvailable: 1, selector: { matchLabels: { app: 'touchstone-none' } } }),
      told: { observedGeneration: 7 },
    },
  ),
  counted(kindPaths.networkPolicies, [
    spec({ policyTypes: ['Egress'] }),
    spec({ podSelector: { matchLabels: { a: 'b' } } }),
  ]),
  counted(kindPaths.ingressClasses, [spec({ parameters }), spec({ parameters: { name: 'b' } })]),
  counted(
    kindPaths.flowSchemas,
    [spec({ matchingPrecedence: 9998 }), spec({ distinguisherMethod: { type: 'ByUser' } })],
    {
      base: flowsOfNobody,
      told: { conditions: [condition] },
    },
  ),
  counted(kindPaths.mutatingWebhooks, [inTime(2), twice]),
  counted(kindPaths.validatingWebhooks, [inTime(2), twice]),
  counted(kindPaths.csiDrivers, [spec({ requiresRepublish: true }), spec({ tokenRequests: [{ audience: 'a' }] })], {
    ...{ holds: { to: 28 }, first: 0, uncounted: [spec({ storageCapacity: true })] },
  }),
  counted(kindPaths.podTemplates, [{ template: template('other') }, { template: template('other', none) }], {
    ...{ base: { template: template('judged') }, holds: { from: 25 } },
  }),
  counted(kindPaths.priorityClasses, [], { uncounted: [{ description: 'other' }, { globalDefault: false }] }),
];

/** What is wanted counts, once; what is told of it, and what is about it, do not. */
export async function countsFurther(context: RuleContext, kind: CountedKind): Promise<void> {
  const { expect } = context;
  const { at, base, told, first = 1 } = kind;
  const objects = context.kind(at).with({ base });
  const { name, generation } = (await objects.create({ metadata: { generation: first && 99 } })).metadata;
  const now = async (): Promise<number> => (await objects.read(name)).metadata.generation ?? 0;
  expect(generation ?? 0, 'of a new object').toBe(first);
  let wanted = first;
  for (const parts of kind.counted) {
    wanted += 1;
    for (const again of ['', ', once more']) {
      const changed = await objects.merge(name, merged(parts, { metadata: { generation: 99 } }));
      expect([changed.metadata.generation, await now()], JSON.stringify(parts) + again).toEqual([wanted, wanted]);
    }
  }
  const about = [{ metadata: { labels: { a: 'b' } } }, { metadata: { annotations: { a: 'b' } } }];
  for (const parts of [...about, ...kind.uncounted]) {
    await objects.merge(name, parts);
    expect(await now(), JSON.stringify(parts)).toBe(wanted);
  }
  if (!told) return;
  await objects.merge(name, { status: told }, 'status');
  expect(await now(), 'after a status').toBe(wanted);
}

const ofTemplate = 'deprecated.daemonset.template.generation';

/** What it counts of its pods alone, a DaemonSet tells in an annotation, which is the server's. */
export async function countsTemplates({ daemonSets, expect }: RuleContext): Promise<void> {
  const objects = daemonSets.with({ base: workload({ template: template('judged', none) }) });
  const { name, annotations } = (await objects.create()).metadata;
  expect(annotations?.[ofTemplate], 'of a new one').toBe('1');
  const changes: readonly (readonly [string, Json, string])[] = [
    ['after another change', spec({ minReadySeconds: 7 }), '1'],
    ['after other pods', spec({ template: template('judged', { ...none, hostPID: true }) }), '2'],
    ['after it was written', { metadata: { annotations: { [ofTemplate]: '77' } } }, '2'],
  ];
  for (const [what, parts, wanted] of changes)
    expect((await objects.merge(name, parts)).metadata.annotations?.[ofTemplate], what).toBe(wanted);
  await writesInStatus(objects, name);
  expect((await objects.read(name)).metadata.annotations?.[ofTemplate], 'after a status').toBe('2');
}

const writesInStatus = (objects: Collection, name: string): Promise<Json> =>
  objects.merge(
    name,
    { metadata: { annotations: { [ofTemplate]: '77' } }, status: { observedGeneration: 7 } },
    'status',
  );
