import type { Hook } from '../lab/admission-webhook.ts';
import { auditEvents, auditedNamespace } from '../lab/audit.ts';
import { defineRule } from '../rule.ts';
import { misreadHook, uncalled } from '../sabotage/webhooks.ts';
import type { Json } from '../verbs/client.ts';
import type { RuleContext } from '../verbs/context.ts';
import { configure, type HookParts, labelling } from '../verbs/webhooks.ts';

const needs = ['webhooks', 'lab'] as const;
const misnamed = misreadHook('tells of other webhooks', (hook, index) => ({
  ...hook,
  name: `other-${index}.touchstone.example`,
}));
/** The policy of the lab has a kind for each level. */
const kinds = { Metadata: 'networkPolicies', Request: 'leases', RequestResponse: 'roles' } as const;

const changing: HookParts = { respond: () => labelling('a', 'b') };

/** The audit event that is so, once it has been written down. */
const eventThat = ({ lab, waitUntil }: RuleContext, what: string, isIt: (event: Json) => boolean): Promise<Json> =>
  waitUntil(
    `${what} is in the audit log`,
    async () => auditEvents(lab).find(isIt),
    (found) => found !== undefined,
  );

/** The audit event of the create of an object. */
const eventOf = (context: RuleContext, { metadata: { name, namespace } }: Json): Promise<Json> =>
  eventThat(context, 'the request', ({ objectRef }) => objectRef?.name === name && objectRef.namespace === namespace);

/** The audit event of a list, by the selector that it was asked for with; every one of them is told of. */
async function tellsOfList({ networkPolicies, lab, waitUntil, unique, expect }: RuleContext): Promise<void> {
  const labelSelector = `touchstone.example/listed=${unique('listed')}`;
  expect((await networkPolicies.getAll({ labelSelector })).status, 'a list').toBe(200);
  const isIt = ({ requestURI }: Json): boolean => decodeURIComponent(requestURI).includes(labelSelector);
  const look = async () => auditEvents(lab).filter(isIt);
  const [event, ...more] = await waitUntil('the list is in the audit log', look, (found) => found.length > 0);
  expect(event, 'of a list').toMatchObject({ verb: 'list', level: 'Metadata', responseStatus: { code: 200 } });
  expect(event?.objectRef, 'of a list').toMatchObject({ resource: 'networkpolicies', apiGroup: 'networking.k8s.io' });
  expect(event?.objectRef, 'of a list').not.toHaveProperty('name');
  expect(more, 'events of one list').toEqual([]);
}

/** An address of nobody (RFC 5737). */
const madeUp = '192.0.2.77';

/** Who asks for a part of an object, and by which proxies: the other end of the connection is told whatever is said. */
async function tellsOfPart(context: RuleContext): Promise<void> {
  const { ingresses, expect } = context;
  const { name, namespace } = (await ingresses.create()).metadata;
  const headers = { 'x-forwarded-for': madeUp };
  expect((await ingresses.get(name, '', { sub: 'status', headers })).status, 'a status').toBe(200);
  const isIt = ({ objectRef }: Json): boolean => objectRef?.resource === 'ingresses' && objectRef.name === name;
  const event = await eventThat(context, 'who asked for a status', isIt);
  expect(event, 'of a status').toMatchObject({ verb: 'get', level: 'Metadata', responseStatus: { code: 200 } });
  const place = { namespace, apiGroup: 'networking.k8s.io', apiVersion: 'v1' };
  expect(event.objectRef, 'of a status').toMatchObject({ ...place, subresource: 'status' });
  expect(event.sourceIPs, 'from where').toContain(madeUp);
  expect(event.sourceIPs.at(-1), 'the other end of the connection').not.toBe(madeUp);
}

/** A rule about a namespace is about nothing outside of it: neither about all of them at once nor about what is in none. */
async function tellsOfNamespace(context: RuleContext): Promise<void> {
  const { send, unique, lab, expect } = context;
  const group = '/apis/networking.k8s.io/v1';
  const places = ['/namespaces/default/ingresses', '/ingresses', '/ingressclasses'];
  const mark = unique('routes');
  for (const place of [...places, `/namespaces/${auditedNamespace}/ingresses`]) {
    const query = { labelSelector: `touchstone.example/listed=${mark}` };
    expect((await send('GET', `${group}${place}`, { query })).status, place).toBe(200);
  }
  const isIt = ({ requestURI }: Json): boolean => decodeURIComponent(requestURI).includes(mark);
  const inside = ({ objectRef }: Json): boolean => objectRef?.namespace === auditedNamespace;
  await eventThat(context, 'a list in the namespace', (event) => isIt(event) && inside(event));
  // Those were answered before.
  const outside = auditEvents(lab).filter((event) => isIt(event) && !inside(event));
  expect(
    outside.map(({ requestURI }) => requestURI),
    'lists outside of the namespace',
  ).toEqual([]);
}

/** From level Request on, what was sent is there, though it is no object. */
async function tellsOfPatch(context: RuleContext): Promise<void> {
  const { leases, expect } = context;
  const { name } = (await leases.create()).metadata;
  const patch = [{ op: 'add', path: '/spec/holderIdentity', value: 'touchstone' }];
  expect((await leases.patch(name, patch, { type: 'json' })).status, 'a patch').toBe(200);
  const isIt = ({ verb, objectRef }: Json): boolean => verb === 'patch' && objectRef?.name === name;
  const event = await eventThat(context, 'a patch', isIt);
  expect(event, 'of a patch').toMatchObject({ level: 'Request', requestObject: patch });
}

/** Has an object created under mutating webhooks; gives its audit event, once it has been written down. */
async function audited(
  context: RuleContext,
  level: keyof typeof kinds,
  parts: readonly HookParts[],
): Promise<{ event: Json; configuration: string; hooks: readonly Hook[] }> {
  const objects = context[kinds[level]];
  const { group, version, resource } = objects.at;
  const rules = [{ apiGroups: [group], apiVersions: [version], resources: [resource], operations: ['CREATE'] }];
  const { name: configuration, hooks } = await configure(
    context,
    'mutating',
    parts.map((hook) => ({ ...hook, over: { ...hook.over, rules } })),
  );
  return { event: await eventOf(context, await objects.create()), configuration, hooks };
}

/** The annotations with this key that are about this configuration, by their rounds and places, which may be any. */
function annotationsOf(event: Json, key: string, configuration: string): Json[] {
  const told = Object.entries(event.annotations ?? {}).filter(([name]) =>
    new RegExp(`^${key}/round_\\d+_index_\\d+$`).test(name),
  );
  told.sort(([one], [other]) => one.localeCompare(other, 'en', { numeric: true }));
  return told.map(([, value]) => JSON.parse(value as string)).filter((value) => value.configuration === configuration);
}

/** The annotations about the one webhook that was called, and changed something. */
async function toldOfOne(context: RuleContext, level: keyof typeof kinds, key: string): Promise<Json[]> {
  const { event, configuration } = await audited(context, level, [changing]);
  context.expect(event.level).toBe(level);
  return annotationsOf(event, key, configuration);
}

/** The annotations, one for each call, where a webhook is called again: each puts its own label in the place of all others. */
async function toldOfEachCall(context: RuleContext, level: keyof typeof kinds, key: string): Promise<Json[]> {
  const { event, configuration, hooks } = await audited(context, level, [
    { respond: () => labelling('e', 'f'), over: { reinvocationPolicy: 'IfNeeded' } },
    { respond: () => labelling('c', 'd') },
  ]);
  const calls = hooks.flatMap(({ received }, index) => received.map(() => `hook-${index}.touchstone.example`));
  const told = annotationsOf(event, key, configuration);
  context.expect(told.map(({ webhook }) => webhook).sort(), 'one for each call').toEqual(calls);
  return told;
}

export default [
  // Audit events are of kind `Event` in `audit.k8s.io/v1` and have annotations.
  defineRule('audit.event-shape', {
    needs,
    sabotage: uncalled,
    async check(context) {
      const { event } = await audited(context, 'Metadata', [changing]);
      const text = context.expect.stringMatching(/./);
      const time = context.expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
      context.expect(event).toMatchObject({
        ...{ kind: 'Event', apiVersion: 'audit.k8s.io/v1', level: 'Metadata' },
        ...{ auditID: text, stage: context.expect.stringMatching(/^(Request|Response)[A-Z]/), verb: 'create' },
        requestURI: context.expect.stringMatching(/\/namespaces\/[^/]+\/networkpolicies/),
        user: { username: text, groups: context.expect.arrayContaining(['system:authenticated']) },
        objectRef: { resource: 'networkpolicies', apiGroup: 'networking.k8s.io', apiVersion: 'v1' },
        ...{ sourceIPs: context.expect.arrayContaining([text]), responseStatus: { code: 201 } },
        ...{ requestReceivedTimestamp: time, stageTimestamp: time },
      });
      const stages = auditEvents(context.lab).map(({ stage }) => stage);
      context.expect(stages, 'a stage that the policy omits').not.toContain('RequestReceived');
      context.expect(event, 'from level Request on').not.toHaveProperty('requestObject');
      context
        .expect(Object.keys(event.annotations ?? {}), 'what a webhook leaves in the annotations')
        .toContainEqual(context.expect.stringMatching(/^mutation\./));
      for (const value of Object.values(event.annotations)) context.expect(value).toBeTypeOf('string');
      await tellsOfList(context);
      await tellsOfPart(context);
      await tellsOfNamespace(context);
      await tellsOfPatch(context);
      context.expect(event, 'who acts as themselves').not.toHaveProperty('impersonatedUser');
      const other = { name: context.unique('other'), groups: ['system:masters'] };
      const acted = await eventOf(context, await context.networkPolicies.by(context.as(other)).create());
      context.expect(acted.user.username, 'who acts').toBe(event.user.username);
      context.expect(acted.impersonatedUser, 'as whom').toMatchObject({
        // Who acts is told with the groups that count, not with those alone that were asked for.
        ...{ username: other.name, groups: context.expect.arrayContaining([...other.groups, 'system:authenticated']) },
      });
    },
  }),

  // From level Metadata on, every call of a mutating webhook is annotated with who was called and whether it changed
  // anything.
  defineRule('audit.mutation', {
    needs,
    sabotage: [uncalled, misnamed],
    async check(context) {
      const { configuration: earlier } = await audited(context, 'Metadata', [{}]);
      // The third has a patch, which leaves the object as the first has made it.
      const { event, configuration } = await audited(context, 'Metadata', [changing, {}, changing]);
      context.expect(annotationsOf(event, 'mutation.webhook.admission.k8s.io', configuration)).toEqual([
        { configuration, webhook: 'hook-0.touchstone.example', mutated: true },
        { configuration, webhook: 'hook-1.touchstone.example', mutated: false },
        { configuration, webhook: 'hook-2.touchstone.example', mutated: false },
      ]);
      const others = annotationsOf(event, 'mutation.webhook.admission.k8s.io', earlier);
      context.expect(others, 'of those of another configuration').toHaveLength(1);
      const told = await toldOfEachCall(context, 'Metadata', 'mutation.webhook.admission.k8s.io');
      for (const one of told) context.expect(one, 'each call changes something').toMatchObject({ mutated: true });
      const one = [{ webhook: 'hook-0.touchstone.example', mutated: true }];
      for (const level of ['Request', 'RequestResponse'] as const)
        context
          .expect(await toldOfOne(context, level, 'mutation.webhook.admission.k8s.io'), `at level ${level}`)
          .toMatchObject(one);
    },
  }),

  // From level Request on, every patch by a webhook is annotated with the patch.
  defineRule('audit.patch', {
    needs,
    sabotage: [uncalled, misnamed],
    async check(context) {
      const patch = [{ op: 'add', path: '/metadata/labels', value: { a: 'b' } }];
      const one = { configuration: context.expect.any(String), webhook: 'hook-0.touchstone.example' };
      for (const level of ['Request', 'RequestResponse'] as const)
        context
          .expect(await toldOfOne(context, level, 'patch.webhook.admission.k8s.io'), `at level ${level}`)
          .toEqual([{ ...one, patchType: 'JSONPatch', patch }]);
      await toldOfEachCall(context, 'Request', 'patch.webhook.admission.k8s.io');
    },
  }),
];
