import type { Answer, Query } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { merged } from '../../verbs/merged.ts';
import type { PatchType } from '../../verbs/patch-types.ts';
import { preparePods } from '../../verbs/pods.ts';
import { said } from '../../verbs/said.ts';

const image = 'registry.example/look:1';

/** What a patch of this type makes of the containers that were added to a running pod. */
export const patchAdded = (
  pods: Collection,
  name: string,
  type: PatchType,
  ephemeralContainers: readonly Json[],
  query: Query,
): Promise<Answer> => pods.patch(name, { spec: { ephemeralContainers } }, { type, sub: 'ephemeralcontainers', query });

/** Containers come to a pod that is there one by one; none of them changes or goes. */
export async function keepsAddedContainers(context: RuleContext): Promise<void> {
  const { pods, expect } = context;
  await preparePods(context);
  const initContainers = [{ name: 'begins', image }];
  const { spec, metadata } = await pods.create({
    spec: { schedulerName: 'touchstone.example/nobody', initContainers },
  });
  const { name } = metadata;
  const [{ name: runs }] = spec.containers;
  const add = (type: PatchType, containers: readonly Json[], query: Query = {}) =>
    patchAdded(pods, name, type, containers, query);
  await rehearsesAdded(expect, (containers) => add('strategic', containers, { dryRun: 'All' }), runs);
  for (const one of ['first', 'second']) {
    const answer = await add('strategic', [{ name: one, image }]);
    expect(answer.status, `the ${one}: ${said(answer)}`).toBe(200);
  }
  const { ephemeralContainers } = (await pods.read(name)).spec;
  const [first] = ephemeralContainers;
  const names = ephemeralContainers.map((one: Json) => one.name);
  expect(names.sort(), 'as added').toEqual(['first', 'second']);
  const refused = {
    'one that is changed': await add('strategic', [{ name: 'second', image: 'registry.example/other:1' }]),
    'one that is left out': await add('merge', [first]),
    'none of them': await add('merge', []),
  };
  for (const [what, { status }] of Object.entries(refused)) expect(status, what).toBe(422);
  const late = await add('strategic', [{ name: 'late', image, targetContainerName: 'first' }], { dryRun: 'All' });
  expect(late.status, 'one beside another that was added').toBe(422);
  expect((await pods.read(name)).spec.ephemeralContainers, 'after all of that').toEqual(ephemeralContainers);
  await addsNothingElse(context, name);
}

/** One may be added, also beside another; nothing is there then. @param runs the name of the container that is there */
async function rehearsesAdded(
  expect: RuleContext['expect'],
  rehearse: (containers: readonly Json[]) => Promise<Answer>,
  runs: string,
): Promise<void> {
  const tried = await rehearse([{ name: 'tried', image }]);
  expect(tried.status, 'one that is tried').toBe(200);
  for (const [targetContainerName, code] of [
    [runs, 200],
    ['begins', 200],
    ['none', 422],
  ] as const) {
    const beside = await rehearse([{ name: 'tried', image, targetContainerName }]);
    expect(beside.status, `one beside ${targetContainerName}: ${said(beside)}`).toBe(code);
  }
  for (const taken of [runs, 'begins'])
    expect((await rehearse([{ name: taken, image }])).status, `another ${taken}`).toBe(422);
}

/** What else a pod is said to become where a container is added to it. */
const beside = {
  metadata: {
    labels: { 'touchstone.example/beside': 'yes' },
    annotations: { 'touchstone.example/beside': 'yes' },
    finalizers: ['example.com/beside'],
  },
  spec: { activeDeadlineSeconds: 60 },
};

async function addsNothingElse({ pods, expect }: RuleContext, name: string): Promise<void> {
  const before = await pods.read(name);
  const patch = merged(beside, { spec: { ephemeralContainers: [{ name: 'third', image }] } });
  const answered = await pods.patch(name, patch, { type: 'strategic', sub: 'ephemeralcontainers' });
  expect(answered.status, `one beside other changes: ${said(answered)}`).toBe(200);
  const { metadata, spec } = await pods.read(name);
  expect(spec.ephemeralContainers, 'one that is added beside other changes').toHaveLength(3);
  expect(spec.activeDeadlineSeconds, 'the time of the pod').toBeUndefined();
  for (const field of Object.keys(beside.metadata)) expect(metadata[field], field).toEqual(before.metadata[field]);
}
