import { isAlreadyExists } from './api-error.ts';
import type { Request } from './controller.ts';
import { type KubeObject, labelsOf, managedBy, nameOf, namespaceOf, uidOf } from './kube-object.ts';
import { orderedText, shortHash } from './ordered-text.ts';
import { claimChildren, type Family } from './ownership.ts';
import { apiVersionOf, type ControllerRevision, controllerRevisions, type Resource } from './resources.ts';

export const revisionHashLabel = 'controller-revision-hash';

type Owners<O extends KubeObject> = Pick<Family<O, KubeObject>, 'owners' | 'selector'>;

interface Parts {
  readonly owner: KubeObject & { readonly spec?: { readonly template?: object | undefined } };
  readonly resource: Resource;
  /** The revisions of the owner. */
  readonly all: readonly ControllerRevision[];
}

/** The revision of the owner's template as it is: one that is there, or one to be created. A number above all others. */
function planRevision({ owner, resource, all }: Parts): {
  readonly revision: ControllerRevision;
  readonly isNew: boolean;
  readonly number: number;
} {
  const template = owner.spec?.template ?? {};
  const text = orderedText(template);
  const hash = shortHash(text);
  const name = `${nameOf(owner)}-${hash}`;
  const found = all.find((each) => nameOf(each) === name) ?? all.find((each) => keeps(each, text));
  const highest = Math.max(0, ...all.map(({ revision }) => revision));
  if (found) return { revision: found, isNew: false, number: found.revision === highest ? highest : highest + 1 };
  const revision: ControllerRevision = {
    metadata: {
      name,
      namespace: namespaceOf(owner),
      labels: { ...labelsOfTemplate(template), [revisionHashLabel]: hash },
      ownerReferences: [managedBy(owner, apiVersionOf(resource), resource.kind)],
    },
    data: { spec: { template: { ...template, $patch: 'replace' } } },
    revision: highest + 1,
  };
  return { revision, isNew: true, number: highest + 1 };
}

/** One of another name that keeps the same template is as good: somebody may have copied it. */
const keeps = (revision: ControllerRevision, text: string): boolean =>
  labelsOf(revision)[revisionHashLabel] !== undefined && orderedText(templateOf(revision)) === text;

const labelsOfTemplate = (template: { readonly metadata?: { readonly labels?: Record<string, string> } }) =>
  template.metadata?.labels ?? {};

/** The revisions that an owner keeps: like its pods, it adopts those that its selector fits. */
export const revisionsOf = <O extends KubeObject>({ owners, selector }: Owners<O>): Family<O, ControllerRevision> => ({
  owners,
  children: controllerRevisions,
  selector,
});

/** Stores the revision of the owner's template, raised above all others. */
export async function currentRevision<O extends Parts['owner']>(
  request: Request,
  owner: O,
  family: Owners<O>,
): Promise<ControllerRevision> {
  const { write } = request;
  const all = await claimChildren(request, owner, revisionsOf(family));
  const { revision, isNew, number } = planRevision({ owner, resource: family.owners, all });
  if (isNew) {
    try {
      return await write(controllerRevisions).create(revision);
    } catch (error) {
      // Somebody else's, or one that an owner of the same name left: its content is what its name says.
      if (isAlreadyExists(error)) return revision;
      throw error;
    }
  }
  return number === revision.revision ? revision : write(controllerRevisions).patch(revision, { revision: number });
}

/** Deletes an owner's revisions beyond its history limit, the oldest first. @param used names of those that are in use */
export async function dropOutdated(
  { read, write }: Request,
  owner: KubeObject & { readonly spec?: { readonly revisionHistoryLimit?: number } },
  used: readonly string[],
): Promise<void> {
  const all = read(controllerRevisions).ownedBy(uidOf(owner));
  const idle = all.filter((each) => !used.includes(nameOf(each))).sort((a, b) => a.revision - b.revision);
  const most = owner.spec?.revisionHistoryLimit ?? 10;
  for (const revision of idle.slice(0, Math.max(0, idle.length - most)))
    await write(controllerRevisions).delete(revision);
}

/** The template that a revision keeps. */
export function templateOf<T>(revision: ControllerRevision): T {
  const data = revision.data as { readonly spec?: { readonly template?: Record<string, unknown> } } | undefined;
  const { $patch: _, ...template } = data?.spec?.template ?? {};
  return template as T;
}
