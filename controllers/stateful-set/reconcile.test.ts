import { expect, test } from 'vitest';
import { ApiError } from '../runtime/api-error.ts';
import type { Read } from '../runtime/controller.ts';
import type { Note } from '../runtime/events.ts';
import { FakeClock } from '../runtime/fake-clock.fixture.ts';
import { type KubeObject, nameOf } from '../runtime/kube-object.ts';
import { requestOf } from '../runtime/request.fixture.ts';
import { persistentVolumeClaims, type Resource, type StatefulSet, statefulSets } from '../runtime/resources.ts';
import { statefulSetLoops } from './reconcile.ts';

const claims = [{ metadata: { name: 'data' }, spec: {} }];
const setOf = (name: string, volumeClaimTemplates: object[] = claims): StatefulSet =>
  ({
    metadata: { namespace: 'ns', name, uid: name },
    spec: { replicas: 1, selector: { matchLabels: { app: 'web' } }, template: {}, volumeClaimTemplates },
  }) as unknown as StatefulSet;
const claimOf = (name: string, deletionTimestamp?: string) => ({
  metadata: { namespace: 'ns', name, ...(deletionTimestamp && { deletionTimestamp }) },
});
const ownedByPod = (name: string, pod: string) => ({
  metadata: {
    ...claimOf(name).metadata,
    ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: pod, uid: 'earlier' }],
  },
});
const going = '2024-05-06T07:08:09Z';

/** What a set makes, and what it tells, where this claim is there, or none, or one that was not seen yet. */
async function madeBeside(claim: KubeObject | undefined, trouble?: ApiError) {
  const [made, told]: [string[], string[]] = [[], []];
  const request = requestOf({
    key: 'ns/web',
    clock: new FakeClock(),
    events: { record: (_: StatefulSet, { reason, note }: Note) => told.push(`${reason}: ${note}`) },
    read: (resource: Resource) => ({
      find: () => (resource === statefulSets ? setOf('web') : claim),
      ownedBy: () => [],
      withoutManager: () => [],
    }),
    write: ({ kind }: Resource) => ({
      replace: async () => {},
      async create(object: KubeObject) {
        if (kind === 'PersistentVolumeClaim' && trouble) throw trouble;
        if (kind !== 'ControllerRevision') made.push(`${kind} ${nameOf(object)}`);
        return object;
      },
    }),
  });
  const failure = await statefulSetLoops[0]?.reconcile(request).catch((error: Error) => error.message);
  return { made, told, failure };
}

const [pod, podTold] = ['Pod web-0', 'SuccessfulCreate: Created pod: web-0'];
test.each<[string, KubeObject | undefined, ApiError | undefined, string[], string[]]>([
  [
    'is not there is made first, and told of',
    undefined,
    undefined,
    ['PersistentVolumeClaim data-web-0', pod],
    ['SuccessfulCreate: Created claim: data-web-0', podTold],
  ],
  ['is there is taken', claimOf('data-web-0'), undefined, [pod], [podTold]],
  ['goes with another pod is taken', ownedByPod('data-web-0', 'web-1'), undefined, [pod], [podTold]],
  ['was not seen yet is taken', undefined, new ApiError(409, { reason: 'AlreadyExists' }, 'create'), [pod], [podTold]],
])('the claim of a pod that %s', async (_, claim, trouble, made, told) => {
  expect(await madeBeside(claim, trouble)).toEqual({ made, told, failure: undefined });
});

test.each<[string, KubeObject | undefined, ApiError | undefined, string]>([
  ['is being deleted', claimOf('data-web-0', going), undefined, 'the claim data-web-0 is being deleted'],
  [
    'goes with an earlier pod',
    ownedByPod('data-web-0', 'web-0'),
    undefined,
    'the claim data-web-0 goes with an earlier pod',
  ],
  ['is refused', undefined, new ApiError(403, { message: 'exceeded quota' }, 'create'), 'exceeded quota'],
])('a pod waits whose claim %s', async (_, claim, trouble, why) => {
  const { made, told, failure } = await madeBeside(claim, trouble);
  expect(made).toEqual([]);
  expect(failure).toContain(why);
  expect(told).toEqual([expect.stringContaining(why)]);
});

test.each([
  ['that is being deleted brings the sets that have it', 'data-web-0', going, ['ns/web']],
  ['that stays brings none', 'data-web-0', undefined, []],
  ['of no set brings none', 'data-other-0', going, []],
  ['of no number brings none', 'data-web-x', going, []],
])('a claim %s', (_, name, deletionTimestamp, keys) => {
  const sets = [setOf('web'), setOf('bare', [])];
  const read = (() => ({ in: () => sets })) as unknown as Read;
  const watching = statefulSetLoops[0]?.watches.find(({ resource }) => resource === persistentVolumeClaims);
  expect(watching?.keys(claimOf(name, deletionTimestamp), read)).toEqual(keys);
});
