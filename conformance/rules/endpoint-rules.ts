import { defineRule, type Rule } from '../rule.ts';
import { answerStatus, loseWrite, notFound, replaceIn } from '../sabotage/transforms.ts';
import type { Answer, Json } from '../verbs/client.ts';
import type { Collection } from '../verbs/collection.ts';
import type { RuleContext } from '../verbs/context.ts';
import { groupPath, type KindName, type KindPath, kindPaths } from '../verbs/kinds.ts';
import type { Watch } from '../verbs/watch.ts';
import { type MakeObject, type MakeRule, putNewest, subresourceRules } from './subresource-rules.ts';

/** What is particular to the endpoints of one kind. */
export interface EndpointParts {
  /** The chapter of the rules' ids. */
  readonly chapter: string;
  readonly kind: KindName;
  /** Parts of an object that is valid now. */
  readonly over?: (context: RuleContext) => Promise<Json>;
  readonly subresources: readonly string[];
  /** What may be told of an object through its status, with as many fields as fit together. */
  readonly status?: Json;
}

/** The answer to a delete: a Status, or the object where it stays for a while. */
function expectDeleted({ expect }: RuleContext, answer: Answer, kind: string): void {
  expect([200, 202]).toContain(answer.status);
  expect(['Status', kind]).toContain(answer.body?.kind);
  if (answer.body.kind === 'Status') expect(answer.body.status).toBe('Success');
}

/** What the rules about one kind's endpoints are made of. */
interface EndpointKit {
  readonly at: KindPath;
  /** Paths of one object and of the collection. */
  readonly item: RegExp;
  readonly collection: RegExp;
  readonly rule: MakeRule;
  readonly over: (context: RuleContext) => Promise<Json>;
  readonly make: MakeObject;
  readonly labelled: MakeLabelled;
}

function kitOf({ chapter, kind, over = async () => ({}) }: EndpointParts): EndpointKit {
  const at = kindPaths[kind];
  return {
    at,
    item: new RegExp(`/${at.resource}/[^/]+$`),
    collection: new RegExp(`/${at.resource}$`),
    rule: (name, sabotage, check) =>
      defineRule(`${chapter}.endpoint.${name}`, { sabotage, check: (context) => check(context[kind], context) }),
    over,
    make: async (objects, context) => objects.create(await over(context)),
    labelled: async (objects, context, mark) =>
      objects.create({ ...(await over(context)), metadata: { labels: { 'touchstone/test': mark } } }),
  };
}

/** The rules that the documents state alike for the endpoints of every kind. */
export function endpointRules(parts: EndpointParts): Rule[] {
  const { chapter, kind, subresources } = parts;
  const kit = kitOf(parts);
  const { at, collection, rule, make, labelled } = kit;
  return [
    ...readRules(kit),
    ...writeRules(kit),
    deleteRule(kit),
    ...(chapter === 'namespace'
      ? []
      : [deleteCollectionRule(rule, collection, at.kind, labelled), baseRule(rule, kind)]),
    ...(at.namespaced ? [listAllRule(rule, collection, labelled)] : []),
    ...subresources.flatMap((sub) =>
      subresourceRules(rule, at.kind, sub, make, sub === 'status' ? parts.status : undefined),
    ),
  ];
}

const readRules = ({ rule, at, item, collection, make, labelled }: EndpointKit): Rule[] => [
  rule(
    'get',
    [
      notFound({ method: 'GET', path: item }),
      answerStatus(203, { method: 'GET', path: item }),
      replaceIn('metadata.uid', { method: 'GET', path: item }),
    ],
    async (objects, context) => {
      const { metadata } = await make(objects, context);
      const { status, body } = await objects.get(metadata.name);
      context.expect(status).toBe(200);
      context.expect(body).toMatchObject({ kind: at.kind, metadata: { uid: metadata.uid } });
    },
  ),
  rule(
    'list',
    [replaceIn('kind', { method: 'GET', path: collection }), answerStatus(400, { query: { watch: true } })],
    async (objects, context) => {
      const mark = context.unique();
      const { metadata } = await labelled(objects, context, mark);
      await expectListed(objects, context, (query) => objects.getAll(query), mark, metadata.uid);
      const watch = await objects.watch({ labelSelector: `touchstone/test=${mark}` });
      await expectTold(objects, context, watch, metadata);
    },
  ),
];

const writeRules = ({ rule, at, item, collection, make, over }: EndpointKit): Rule[] => [
  rule(
    'create',
    [answerStatus(203, { method: 'POST', path: collection }), replaceIn('kind', { method: 'POST', path: collection })],
    async (objects, context) => {
      const { status, body } = await objects.post(objects.sample(await over(context)));
      context.expect([200, 201, 202]).toContain(status);
      context.expect(body.kind).toBe(at.kind);
      context.expect((await objects.get(body.metadata.name)).status, 'the new object').toBe(200);
    },
  ),
  rule(
    'replace',
    [answerStatus(203, { method: 'PUT', path: item }), loseWrite({ method: 'PUT', path: item })],
    async (objects, context) => {
      const object = await make(objects, context);
      const { status, body } = await putNewest(objects, object, (newest) => ({
        ...newest,
        metadata: { ...newest.metadata, labels: { ...newest.metadata.labels, replaced: 'yes' } },
      }));
      context.expect([200, 201]).toContain(status);
      context.expect(body.kind).toBe(at.kind);
      context.expect((await objects.read(object.metadata.name)).metadata.labels).toMatchObject({ replaced: 'yes' });
    },
  ),
  rule(
    'patch',
    [answerStatus(203, { method: 'PATCH', path: item }), loseWrite({ method: 'PATCH', path: item })],
    async (objects, context) => {
      const { metadata } = await make(objects, context);
      const { status, body } = await objects.patch(metadata.name, { metadata: { labels: { patched: 'yes' } } });
      context.expect([200, 201]).toContain(status);
      context.expect(body.kind).toBe(at.kind);
      context.expect((await objects.read(metadata.name)).metadata.labels).toMatchObject({ patched: 'yes' });
    },
  ),
];

const deleteRule = ({ rule, at, item, make }: EndpointKit): Rule =>
  rule(
    'delete',
    [answerStatus(204, { method: 'DELETE', path: item }), loseWrite({ method: 'DELETE', path: item })],
    async (objects, context) => {
      for (const body of [undefined, { apiVersion: 'v1', kind: 'DeleteOptions' }]) {
        const { metadata } = await make(objects, context);
        expectDeleted(context, await objects.delete(metadata.name, { body }), at.kind);
        const after = await objects.get(metadata.name);
        if (after.status === 200)
          context.expect(after.body.metadata.deletionTimestamp, 'of an object that stays').toBeTypeOf('string');
        else context.expect(after.status).toBe(404);
      }
    },
  );

async function expectListed(
  objects: Collection,
  { expect }: RuleContext,
  list: (query: string) => Promise<Answer>,
  mark: string,
  uid: string,
): Promise<void> {
  const { status, body } = await list(`labelSelector=touchstone/test=${mark}`);
  expect(status).toBe(200);
  expect(body.kind).toBe(`${objects.at.kind}List`);
  expect(body.items.map((one: Json) => one.metadata.uid)).toEqual([uid]);
}

/** A watch tells of an object that is there, and of its change. */
async function expectTold(objects: Collection, { expect }: RuleContext, watch: Watch, metadata: Json): Promise<void> {
  const { uid, name } = metadata;
  expect(watch.status, 'with watch').toBe(200);
  expect((await watch.next('the object')).object.metadata.uid).toBe(uid);
  await objects.merge(name, { metadata: { labels: { changed: 'yes' } } });
  const { type, object } = await watch.next('its change', (event) => event.object.metadata?.labels?.changed === 'yes');
  expect([type, object.metadata.uid], 'its change').toEqual(['MODIFIED', uid]);
}

type MakeLabelled = (objects: Collection, context: RuleContext, mark: string) => Promise<Json>;

/** Everything is deleted by label, so that nothing of others goes where the kind has no namespace. */
const deleteCollectionRule = (rule: MakeRule, collection: RegExp, kind: string, labelled: MakeLabelled): Rule =>
  rule(
    'deletecollection',
    [answerStatus(202, { method: 'DELETE', path: collection }), loseWrite({ method: 'DELETE', path: collection })],
    async (objects, context) => {
      for (const body of [undefined, { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background' }]) {
        const mark = context.unique();
        const { metadata } = await labelled(objects, context, mark);
        const answer = await objects.deleteAll({ query: { labelSelector: `touchstone/test=${mark}` }, body });
        context.expect(answer.status).toBe(200);
        context.expect(['Status', `${kind}List`]).toContain(answer.body?.kind);
        const after = await objects.get(metadata.name);
        if (after.status === 200)
          context.expect(after.body.metadata.deletionTimestamp, 'of an object that stays').toBeTypeOf('string');
        else context.expect(after.status).toBe(404);
      }
    },
  );

const baseRule = (rule: MakeRule, kind: KindName): Rule => {
  const at = kindPaths[kind];
  const base = groupPath(at);
  const pattern = new RegExp(`^${base.replaceAll('.', '\\.')}$`);
  return rule(
    'base',
    [
      notFound({ path: new RegExp(`^${base.replaceAll('.', '\\.')}/${at.resource}$`) }),
      replaceIn('resources', { with: [], path: pattern }),
    ],
    async (_, context) => {
      const { send, expect } = context;
      const { body } = await send('GET', base);
      const resource = body?.resources?.find((one: Json) => one.name === at.resource);
      expect(resource, `${at.resource} below ${base}`).toMatchObject({ kind: at.kind, namespaced: at.namespaced });
      const list = await send('GET', `${base}/${at.resource}`);
      expect(list.status).toBe(200);
      expect(list.body.kind).toBe(`${at.kind}List`);
    },
  );
};

const listAllRule = (rule: MakeRule, collection: RegExp, labelled: MakeLabelled): Rule =>
  rule(
    'list-all',
    [replaceIn('items', { method: 'GET', path: collection }), answerStatus(400, { query: { watch: true } })],
    async (objects, context) => {
      const mark = context.unique();
      const { metadata } = await labelled(objects, context, mark);
      await expectListed(
        objects,
        context,
        (query) => context.send('GET', objects.everywhere, { query }),
        mark,
        metadata.uid,
      );
      const watch = await context.watch(objects.everywhere, { labelSelector: `touchstone/test=${mark}` });
      await expectTold(objects, context, watch, metadata);
    },
  );
