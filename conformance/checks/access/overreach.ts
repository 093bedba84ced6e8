import type { Answer, Query } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext, Verbs } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { said } from '../../verbs/said.ts';
import { nameOf } from '../../verbs/states.ts';
import type { Subject } from '../../verbs/subjects.ts';
import { onceAllowed } from '../../verbs/until-status.ts';
import type { Write } from '../requests/writes.ts';
import { grantsWhatIsCovered } from './covered-rules.ts';
import { type Guarded, guardsRoles, makesNoneByName } from './guarded-roles.ts';
import { grant, rightFor } from './permissions.ts';

type Cell = RuleContext & { readonly objects: Collection };

/** Kinds by which rights are given. */
const granting = ['roles', 'clusterroles'];

/** Whether a write can give somebody rights. */
export const grants = (kind: Subject, { verb, sub }: Write): boolean =>
  granting.includes(kind.name) && sub === '' && ['create', 'update', 'patch'].includes(verb);

/** Who may write roles and bindings gives by them no right that he does not hold himself. */
export async function grantsNoMore(context: Cell, kind: Subject, write: Write): Promise<void> {
  const { objects, as, unique, waitUntil, expect } = context;
  const name = unique('granter');
  const bindings = kind.namespaced ? context.roleBindings : context.clusterRoleBindings;
  const rights = [rightFor(objects.at, write), rightFor(bindings.at, write), besideThem(objects)];
  await grant(context, name, rights, kind.namespaced);
  const theirs = as({ name });
  const mine = nameOf(await objects.create());
  const send = async (rules?: Json, more: Json = {}, query: Query = {}): Promise<Answer> =>
    write.send({
      query,
      objects: rules ? objects.by(theirs).with({ base: { rules, ...more } }) : objects.by(theirs),
      object: await objects.read(mine),
      kind: rules ? { ...kind, change: () => ({ rules, ...more }) } : kind,
    });
  await waitUntil(
    `${write.name} of what grants nothing is allowed`,
    async () => (await send([])).status,
    (status) => status < 300,
  );
  const held = await onceAllowed(`${write.name} of what is held`, () => send(rights.slice(0, 1)));
  expect(held.status, `${write.name} of what is held: ${said(held)}`).toBeLessThan(300);
  const before = await objects.read(mine);
  expectForbidden(context, await send(), `${write.name} of more than is held`);
  expectForbidden(context, await send(undefined, {}, { dryRun: 'All' }), `a dry run of ${write.name} of more`);
  const paths = [{ nonResourceURLs: ['/touchstone'], verbs: ['get'] }];
  if (!kind.namespaced) expectForbidden(context, await send(paths), `${write.name} of paths that are not held`);
  if (!kind.namespaced)
    expectForbidden(context, await send([], gathering), `${write.name} of what gathers other roles`);
  if (!kind.namespaced && write.verb !== 'create') await leavesGathering(context, objects.by(theirs), write);
  const { rules, aggregationRule } = await objects.read(mine);
  expect([rules, aggregationRule], 'what is stored').toEqual([before.rules, undefined]);
  await givesNothingElse(context, { name, theirs: objects.by(theirs), kind, write }, { bindings, by: theirs });
}

/** Bindings, and who writes them. */
interface Binding {
  readonly bindings: Collection;
  readonly by: Verbs;
}

/** What else gives away rights, by whether roles are made or changed. */
async function givesNothingElse(context: Cell, writer: Guarded, { bindings, by }: Binding): Promise<void> {
  const { name, theirs: roles, kind, write } = writer;
  if (write.name === 'create') {
    await grantsWhatIsCovered(context, { name, roles });
    await makesNoneByName(context, writer);
    await bindsNoMore(context, { name, bindings: by.kind(bindings.at), within: by.kind(context.roleBindings.at) });
    return;
  }
  await bindsNobodyElse(context, { bindings, theirs: bindings.by(by), kind, write });
  await guardsRoles(context, writer);
}

/** To give away what one has not, but in the other of the kinds: a right to do so in one is none in both. */
const besideThem = ({ at: { group, resource } }: Collection): Json => ({
  ...{ apiGroups: [group], resources: granting.filter((other) => other !== resource), verbs: ['escalate', 'bind'] },
});

/** Whoever has it has, in the end, what anybody lets it gather. */
const gathering = { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { 'touchstone/none': 'such' } }] } };

/** So nobody else takes that away either: what it gathers would be given to whom it was not meant for. */
async function leavesGathering(context: Cell, theirs: Collection, { name: write, verb }: Write): Promise<void> {
  const { objects, expect } = context;
  const gatherer = await objects.create({ ...gathering, rules: [] });
  const name = nameOf(gatherer);
  const { aggregationRule: _, ...alone } = await objects.read(name);
  const answer = await (verb === 'update' ? theirs.put(alone) : theirs.patch(name, { aggregationRule: null }));
  expectForbidden(context, answer, `${write} of what gathered other roles`);
  expect((await objects.read(name)).aggregationRule, 'what it gathers').toEqual(gathering.aggregationRule);
}

interface Binder {
  readonly bindings: Collection;
  readonly theirs: Collection;
  readonly kind: Subject;
  readonly write: Write;
}

const subject = (name: string): Json => ({ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name });

/** Nor does he let one more have them, by a change of a binding that others have made. */
async function bindsNobodyElse(context: Cell, { bindings, theirs, kind, write }: Binder): Promise<void> {
  const { objects, waitUntil, expect } = context;
  const more = { ...kind, change: () => ({ subjects: [subject('one'), subject('one-more')] }) };
  const bound = async (rules: Json): Promise<Json> => {
    const roleRef = { kind: objects.at.kind, name: nameOf(await objects.create({ rules })) };
    return bindings.create({ subjects: [subject('one')], roleRef });
  };
  const change = async ({ metadata: { name } }: Json): Promise<Answer> =>
    write.send({ objects: theirs, object: await bindings.read(name), kind: more });
  const harmless = await bound([]);
  const isAllowed = ({ status }: Answer): boolean => status < 300;
  const what = `${write.name} of a binding of what grants nothing is allowed`;
  await waitUntil(what, () => change(harmless), isAllowed);
  const before = await bound([{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }]);
  // Servers may hear of a new role a little later.
  const refused = await waitUntil(
    'the role is known',
    () => change(before),
    ({ status }) => status !== 404,
  );
  expectForbidden(context, refused, `${write.name} of a binding of more than is held`);
  expect((await bindings.read(nameOf(before))).subjects, 'who is bound').toEqual(before.subjects);
}

/** A role that grants more is bound by nobody who does not hold all of it, one that grants nothing by anybody. */
async function bindsNoMore(
  context: Cell,
  { name, bindings, within }: { readonly name: string; readonly bindings: Collection; readonly within: Collection },
): Promise<void> {
  const { objects, unique, waitUntil } = context;
  const make = async (rules: Json): Promise<string> => nameOf(await objects.create({ rules }));
  /** Servers may hear of a new role a little later. */
  const bindTo = async (role: string): Promise<Answer> => {
    const roleRef = { kind: objects.at.kind, name: role };
    const send = () => bindings.post(bindings.sample({ metadata: { name: unique('binding') }, roleRef }));
    return waitUntil('the role is known', send, ({ status }) => status !== 404);
  };
  const bind = async (rules: Json): Promise<Answer> => bindTo(await make(rules));
  await waitUntil(
    'a binding of what grants nothing is allowed',
    async () => (await bind([])).status,
    (status) => status === 201,
  );
  const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }];
  expectForbidden(context, await bind(rules), 'a binding of more than is held');
  const [one, other] = [await make(rules), await make(rules)];
  await bindsOne(context, { name, one, other, bindTo });
  if (!objects.at.namespaced) await bindsOneWithin(context, { name, one, other, within });
  await bindsNothing(context, bindings);
}

/** What a role that is not there may grant once it is, nobody can know. */
async function bindsNothing({ objects, unique, expect }: Cell, bindings: Collection): Promise<void> {
  const roleRef = { kind: objects.at.kind, name: unique('none') };
  const { status } = await bindings.post(bindings.sample({ metadata: { name: unique('binding') }, roleRef }));
  expect([403, 404], `a binding of a role that is not there: ${status}`).toContain(status);
}

interface OneRole {
  readonly name: string;
  readonly one: string;
  readonly other: string;
  readonly bindTo: (role: string) => Promise<Answer>;
}

/** Who may bind one role, whatever it grants, may bind no other. */
async function bindsOne(context: Cell, { name, one, other, bindTo }: OneRole): Promise<void> {
  const { group, resource, namespaced } = context.objects.at;
  const right = { apiGroups: [group], resources: [resource], resourceNames: [one], verbs: ['bind'] };
  await grant(context, name, [right], namespaced);
  await context.waitUntil(
    'a binding of the one role that may be bound is allowed',
    async () => (await bindTo(one)).status,
    (status) => status === 201,
  );
  expectForbidden(context, await bindTo(other), 'a binding of another role');
}

/** Nor does he bind another in one namespace alone. */
async function bindsOneWithin(
  context: Cell,
  { name, one, other, within }: Omit<OneRole, 'bindTo'> & { readonly within: Collection },
): Promise<void> {
  const { group, kind } = context.objects.at;
  await grant(context, name, [{ apiGroups: [group], resources: [within.at.resource], verbs: ['create'] }], true);
  const bindTo = (role: string): Promise<Answer> =>
    within.post(within.sample({ metadata: { name: context.unique('binding') }, roleRef: { kind, name: role } }));
  const bound = await onceAllowed('a binding in a namespace of the one role that may be bound', () => bindTo(one));
  context.expect(bound.status, `in a namespace, the one role that may be bound: ${said(bound)}`).toBe(201);
  expectForbidden(context, await bindTo(other), 'a binding of another role in a namespace');
}

function expectForbidden({ expect }: RuleContext, { status, body }: Answer, what: string): void {
  expect(status, what).toBe(403);
  expect(body, what).toMatchObject({ kind: 'Status', status: 'Failure', reason: 'Forbidden' });
}
