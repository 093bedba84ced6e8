import { expect, test } from 'vitest';
import { ApiError } from './api-error.ts';
import type { Request } from './controller.ts';
import { uidOf } from './kube-object.ts';
import { requestOf } from './request.fixture.ts';
import { type ControllerRevision, type StatefulSet, statefulSets } from './resources.ts';
import { currentRevision, dropOutdated, templateOf } from './revisions.ts';

const owner = (image: string, spec: object = {}): StatefulSet =>
  ({
    metadata: { namespace: 'ns', name: 'web', uid: 'u' },
    spec: { template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image }] } }, ...spec },
  }) as unknown as StatefulSet;
const family = { owners: statefulSets, selector: () => ({ matchLabels: { app: 'web' } }) };

/** The revisions of a set, whoever writes them. */
function world() {
  let stored: ControllerRevision[] = [];
  const read = () => ({ ownedBy: () => stored, withoutManager: () => [] });
  const write = () => ({
    create: async (revision: ControllerRevision) => stored.push(revision) && revision,
    patch: async (revision: ControllerRevision, change: object) => {
      const next = { ...revision, ...change };
      stored = stored.map((each) => (each === revision ? next : each));
      return next;
    },
    delete: async (revision: ControllerRevision) => {
      stored = stored.filter((each) => each !== revision);
    },
  });
  const request = requestOf({ read, write });
  return {
    numbers: () => stored.map(({ revision }) => revision),
    request,
    write,
    now: (image: string) => currentRevision(request, owner(image), family),
  };
}

test('each template has a revision, with a number above all others while it is the current one', async () => {
  const { now, numbers } = world();
  const first = await now('one');
  expect(templateOf(first)).toEqual(owner('one').spec?.template);
  expect(first.metadata?.ownerReferences).toMatchObject([{ kind: 'StatefulSet', uid: uidOf(owner('one')) }]);
  await now('two');
  await now('two');
  expect(numbers()).toEqual([1, 2]);
  const back = await now('one');
  expect([back.metadata?.name, back.revision, numbers()]).toEqual([first.metadata?.name, 3, [3, 2]]);
});

test('a revision that cannot be stored is no revision, unless it is there already', async () => {
  const { request, write } = world();
  const refusing = (code: number, reason: string): Request => {
    const create = async () => {
      throw new ApiError(code, { reason }, 'create');
    };
    return requestOf({ ...request, write: () => ({ ...write(), create }) });
  };
  expect(await currentRevision(refusing(409, 'AlreadyExists'), owner('one'), family)).toMatchObject({ revision: 1 });
  await expect(currentRevision(refusing(403, 'Forbidden'), owner('one'), family)).rejects.toThrow('Forbidden');
});

test.each<[string, object, readonly number[]]>([
  ['ten where it does not say', {}, [1, ...Array.from({ length: 11 }, (_, index) => index + 4)]],
  ['none where it says so', { revisionHistoryLimit: 0 }, [1, 14]],
  ['two', { revisionHistoryLimit: 2 }, [1, 12, 13, 14]],
])('beside those in use a set keeps so many revisions, the newest: %s', async (_, spec, left) => {
  const { now, numbers, request } = world();
  const first = await now('one');
  let last = first;
  for (let image = 2; image <= 14; image++) last = await now(String(image));
  const used = [first, last].map(({ metadata }) => metadata?.name ?? '');
  await dropOutdated(request, owner('14', spec), used);
  expect(numbers()).toEqual(left);
});
