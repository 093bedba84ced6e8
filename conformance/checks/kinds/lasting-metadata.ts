import type { Answer } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { preparePods } from '../../verbs/pods.ts';
import { said } from '../../verbs/said.ts';
import { nameOf } from '../../verbs/states.ts';
import { changed } from '../unfit/judged-objects.ts';

const nameLabel = 'kubernetes.io/metadata.name';
const other = { metadata: { labels: { [nameLabel]: 'touchstone-other' } } };
const none = { metadata: { labels: { [nameLabel]: null } } };
const status = { sub: 'status' };

/** As a controller finalizes a namespace whose labels it made up. */
async function finalizedUnnamed(namespaces: Collection, name: string): Promise<Answer> {
  const { metadata, ...namespace } = await namespaces.read(name);
  const { resourceVersion: _, labels, ...rest } = metadata;
  const { [nameLabel]: __, ...others } = labels;
  return namespaces.put({ ...namespace, metadata: { ...rest, labels: others } }, '', { sub: 'finalize' });
}

/** Ways to take from a namespace the label that tells its name, or to give it another. */
const renaming = {
  'an update': (namespaces, name) => changed(namespaces, name, { metadata: { labels: { [nameLabel]: undefined } } }),
  'an update by another name': (namespaces, name) => changed(namespaces, name, other),
  'a merge patch': (namespaces, name) => namespaces.patch(name, none),
  'a patch by another name': (namespaces, name) => namespaces.patch(name, other),
  'an apply by another name': (namespaces, name) => namespaces.tryApply(name, other, 'renamer', { force: 'true' }),
  'a patch of its status': (namespaces, name) => namespaces.patch(name, none, status),
  'a patch of its status by another name': (namespaces, name) => namespaces.patch(name, other, status),
  'what finalizes it': finalizedUnnamed,
} satisfies Record<string, (namespaces: Collection, name: string) => Promise<Answer>>;

/** By its label a namespace is selected by its name: the label tells that after whatever write. */
export async function keepsNameLabel({ namespaces, unique, expect }: RuleContext): Promise<void> {
  const generated = { name: undefined, generateName: `${unique('namespace')}-` };
  for (const metadata of [{}, generated]) {
    const name = nameOf(await namespaces.create({ metadata }));
    for (const [what, write] of Object.entries(renaming)) {
      const answer = await write(namespaces, name);
      expect(answer.status, `${what}: ${said(answer)}`).toBe(200);
      for (const namespace of [answer.body, await namespaces.read(name)])
        expect(namespace.metadata.labels?.[nameLabel], `the label of ${name} after ${what}`).toBe(name);
    }
  }
}

/** Owners of a pod are not told with its status: agents of older nodes sent those of long ago along. */
export async function keepsOwnersBesideStatus(context: RuleContext): Promise<void> {
  const { pods, secrets, expect } = context;
  await preparePods(context);
  const owned = async (): Promise<Json> => {
    const { name, uid } = (await secrets.create()).metadata;
    return { apiVersion: 'v1', kind: 'Secret', name, uid };
  };
  const ownerReferences = [await owned()];
  const spec = { schedulerName: 'touchstone.example/nobody' };
  const pod = nameOf(await pods.create({ metadata: { ownerReferences }, spec }));
  for (const [what, owners] of Object.entries({ none: null, another: [await owned()] })) {
    const told = { metadata: { ownerReferences: owners }, status: { message: what } };
    const answer = await pods.patch(pod, told, status);
    expect(answer.status, `${what} beside a status: ${said(answer)}`).toBe(200);
    const { metadata } = await pods.read(pod);
    expect(metadata.ownerReferences, `the owners of a pod after ${what} beside its status`).toEqual(ownerReferences);
  }
}
