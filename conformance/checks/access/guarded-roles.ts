import type { Answer, Json } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { nameOf } from '../../verbs/states.ts';
import type { Subject } from '../../verbs/subjects.ts';
import { onceAllowed } from '../../verbs/until-status.ts';
import type { Write } from '../requests/writes.ts';
import { grant } from './permissions.ts';

/** Who writes what grants more than he holds. */
export interface Guarded {
  /** The roles that he may write. */
  readonly theirs: Collection;
  /** What he is called. */
  readonly name: string;
  readonly kind: Subject;
  readonly write: Write;
}

type Cell = RuleContext & { readonly objects: Collection };

const rule = (resource: string): Json => ({ apiGroups: ['touchstone.example'], resources: [resource], verbs: ['get'] });

/** What leaves the rules as they are: by labels roles are gathered into others. */
const besideRules: Readonly<Record<string, Json>> = {
  'a label': { metadata: { labels: { 'touchstone.example/gathered': 'yes' } } },
  'an annotation': { metadata: { annotations: { 'touchstone.example/note': 'a' } } },
};

/** A role that grants more than its writer holds stays as it is in all else, until he may let it grant more. */
export async function guardsRoles(context: Cell, { theirs, name, kind, write }: Guarded): Promise<void> {
  const { objects, expect } = context;
  const role = nameOf(await objects.create({ rules: [rule('guarded')] }));
  const change = async (parts: Json): Promise<Answer> =>
    write.send({ objects: theirs, object: await objects.read(role), kind: { ...kind, change: () => parts } });
  for (const [what, parts] of Object.entries(besideRules))
    expect((await change(parts)).status, `${write.name} of ${what} of what grants more`).toBe(403);
  const { labels = {} } = (await objects.read(role)).metadata;
  expect(labels, 'its labels').not.toHaveProperty(['touchstone.example/gathered']);
  if (!oneOfVerb.includes(write.name)) return;
  await grant(context, name, [escalating(objects, role)], kind.namespaced);
  const what = `${write.name} of the one role that may grant more`;
  const { status } = await onceAllowed(what, () => change({ rules: [rule('guarded'), rule('more')] }));
  expect(status, what).toBeLessThan(300);
}

/** One write for each verb by which a role is changed. */
const oneOfVerb: readonly string[] = ['update', 'merge patch'];

/** Of what is made no name is known yet: the right to let one role grant more is none to make it. */
export async function makesNoneByName(context: Cell, { theirs, name, kind }: Omit<Guarded, 'write'>): Promise<void> {
  const role = context.unique('role');
  await grant(context, name, [escalating(context.objects, role), rule('held')], kind.namespaced);
  const make = (resource: string): Promise<Answer> =>
    theirs.post(theirs.sample({ metadata: { name: role }, rules: [rule(resource)] }), { dryRun: 'All' });
  await onceAllowed('a role that grants what is held', () => make('held'));
  context.expect((await make('guarded')).status, 'the one role that may grant more, made anew').toBe(403);
}

const escalating = ({ at: { group, resource } }: Collection, role: string): Json => ({
  ...{ apiGroups: [group], resources: [resource], resourceNames: [role], verbs: ['escalate'] },
});
