import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { nameOf } from '../../verbs/states.ts';
import { applied } from './applied-pods.ts';

const container = (name: string, more: Json = {}): Json => ({ name, image: 'registry.example/pause:1', ...more });
const sized = (name: string, request: string, limit: string): Json =>
  container(name, { resources: { requests: { cpu: request }, limits: { cpu: limit } } });
const sizes = (containers: readonly Json[], initContainers: readonly Json[] = []): Json => ({
  containers,
  initContainers,
});
const one = sized('one', '200m', '400m');
const storage = (amount: string): Json => ({ resources: { requests: { storage: amount } } });

/** What a range bounds, with an object that is within its bounds and others that are not. */
export interface BoundedRange {
  readonly name: string;
  readonly of: 'pods' | 'persistentVolumeClaims';
  readonly limits: Json;
  readonly within: Json;
  readonly beyond: Readonly<Record<string, Json>>;
  /** Is about what is not said: where others have put a range into the namespace as well, that may say it. */
  readonly alone?: true;
}

export const boundedRanges: readonly BoundedRange[] = [
  {
    name: 'LimitRanger, of containers',
    of: 'pods',
    limits: { type: 'Container', min: { cpu: '100m' }, max: { cpu: '1' }, maxLimitRequestRatio: { cpu: '4' } },
    within: sizes([one, sized('two', '200m', '800m')], [sized('first', '1', '1')]),
    beyond: {
      'a container below the least': sizes([one, sized('two', '50m', '100m')]),
      'a container above the most': sizes([one, sized('two', '1', '1100m')]),
      'a container whose limit is too many times its request': sizes([one, sized('two', '100m', '600m')]),
      'a first container below the least': sizes([one], [sized('first', '50m', '100m')]),
      'a first container above the most': sizes([one], [sized('first', '1', '1100m')]),
      'a first container whose limit is too many times its request': sizes([one], [sized('first', '100m', '600m')]),
    },
  },
  {
    name: 'LimitRanger, of pods',
    of: 'pods',
    limits: { type: 'Pod', min: { cpu: '300m' }, max: { cpu: '1' }, maxLimitRequestRatio: { cpu: '3' } },
    within: sizes([one, sized('two', '200m', '400m')], [sized('first', '500m', '1')]),
    beyond: {
      'containers that together are below the least': sizes([one]),
      'containers that together are above the most': sizes([one, sized('two', '400m', '700m')]),
      'a first container above the most': sizes([one, sized('two', '200m', '400m')], [sized('first', '1', '1100m')]),
      'limits that are too many times the requests': sizes([sized('one', '250m', '900m'), sized('two', '50m', '100m')]),
    },
  },
  {
    name: 'LimitRanger, of what containers say',
    of: 'pods',
    alone: true,
    limits: { type: 'Container', maxLimitRequestRatio: { cpu: '4' } },
    within: sizes([one], [sized('first', '1', '1')]),
    beyond: {
      'a container without a limit': sizes([one, container('two', { resources: { requests: { cpu: '1' } } })]),
      'a container that says nothing': sizes([one, container('two')]),
      'a first container that says nothing': sizes([one], [container('first')]),
    },
  },
  {
    name: 'LimitRanger, of claims',
    of: 'persistentVolumeClaims',
    limits: { type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '2Gi' } },
    within: storage('2Gi'),
    beyond: { 'a claim below the least': storage('512Mi'), 'a claim above the most': storage('3Gi') },
  },
];

/** About other objects than pods. */
const ofOthers = { type: 'PersistentVolumeClaim', max: { storage: '1Ti' } };

/** LimitRanger: what is beyond the bounds of a range is refused. */
export async function bounds(context: RuleContext, { of, limits, within, beyond, alone }: BoundedRange): Promise<void> {
  const { limitRanges, waitUntil, allHeard, expect } = context;
  const objects = context[of];
  const tried = async (spec: Json): Promise<number> =>
    (await objects.post(objects.sample({ spec }), { dryRun: 'All' })).status;
  const range = nameOf(await limitRanges.create({ spec: { limits: [limits] } }));
  if (alone && (await limitRanges.list()).items.length > 1) return;
  const some = Object.values(beyond)[0];
  await waitUntil(
    'the range counts',
    () => tried(some),
    (status) => status === 403,
  );
  await allHeard();
  expect(await tried(within), 'what is within its bounds').toBe(201);
  for (const [what, spec] of Object.entries(beyond)) expect(await tried(spec), what).toBe(403);
  expect((await applied(objects, some)).status, 'what is beyond them, by an apply').toBe(403);
  expect((await objects.post(objects.sample({ spec: some }))).status, 'what is no dry run').toBe(403);
  expect((await objects.list()).items, 'what is stored').toEqual([]);
  if (alone) await boundsNoMore(context, range, () => tried(some));
}

/** A range that is gone bounds nothing. */
async function boundsNoMore(
  { limitRanges, waitUntil }: RuleContext,
  range: string,
  tried: () => Promise<number>,
): Promise<void> {
  // Of a namespace without any range servers may remember those that were there for half a minute.
  await limitRanges.create({ spec: { limits: [ofOthers] } });
  await limitRanges.remove(range);
  await waitUntil('a range that is gone bounds nothing', tried, (status) => status === 201);
}

/** LimitRanger: each container gets what it does not say itself. */
export async function fillsFromRange({ limitRanges, pods, waitUntil, expect }: RuleContext): Promise<void> {
  const range = { type: 'Container', default: { cpu: '700m' }, defaultRequest: { cpu: '300m' } };
  const ours = nameOf(await limitRanges.create({ spec: { limits: [range] } }));
  const own = { resources: { requests: { cpu: '100m' } } };
  const spec = sizes(
    [container('one'), container('two'), container('own', own)],
    [container('first'), container('second')],
  );
  const tried = async (): Promise<Json> => (await pods.post(pods.sample({ spec }), { dryRun: 'All' })).body?.spec;
  const isFilled = (seen: Json): boolean => Boolean(seen?.containers?.[0]?.resources?.limits);
  const { containers, initContainers } = await waitUntil('the range counts', tried, isFilled);
  // Where others have put a range into the namespace as well, either may come first.
  if ((await limitRanges.list()).items.some((one: Json) => nameOf(one) !== ours)) return;
  for (const { name, resources } of [...containers, ...initContainers])
    expect(resources, name).toMatchObject({
      limits: { cpu: '700m' },
      requests: { cpu: name === 'own' ? '100m' : '300m' },
    });
}
