import { comesAndGoes, followsDefinition, goesWithDefinition } from '../../checks/custom/coming-and-going.ts';
import { warnsOfDeprecated } from '../../checks/custom/deprecated-versions.ts';
import { waitsForNames } from '../../checks/custom/taken-names.ts';
import { defineRule } from '../../rule.ts';
import { changeEvent, loseWrite, notFound, redirectPath, replaceIn } from '../../sabotage/transforms.ts';
import type { Answer } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { customType } from '../../verbs/custom-types.ts';
import { apiVersionOf } from '../../verbs/kinds.ts';
import { nameOf } from '../../verbs/states.ts';
import { marking } from '../../verbs/subjects.ts';

const item = { method: 'GET', path: /^\/apis\/rbac\.authorization\.k8s\.io\/v1\/namespaces\/[^/]+\/roles\/[^/]+$/ };

/** Types with the versions in which their objects are shown: of events there is a second one in another group. */
const types = [
  { name: 'roles', open: async ({ roles }: RuleContext) => [roles] },
  {
    name: 'events',
    async open({ events, kind, namespace }: RuleContext): Promise<readonly Collection[]> {
      const reference = { namespace: await namespace() };
      const core = kind({ ...events.at, group: '' });
      return [events, core.with({ base: { involvedObject: reference, reportingComponent: 'example.com/touchstone' } })];
    },
  },
  {
    name: 'a custom type',
    needs: ['crd'],
    async open(context: RuleContext): Promise<readonly Collection[]> {
      const stored = await customType(context, { others: ['v2'] });
      return [stored, context.kind({ ...stored.at, version: 'v2' })];
    },
  },
] as const;

/** What a delete does not take away at once it shows. */
const held = { metadata: { finalizers: ['example.com/one'] } };
const query = { dryRun: 'All' };

/** Further ways to be shown an object. */
const rehearsals = (objects: Collection, name: string): Readonly<Record<string, () => Promise<Answer>>> => ({
  update: async () => objects.put(await objects.read(name), query),
  apply: () => objects.tryApply(name, marking('applied'), 'applier', { ...query, force: 'true' }),
  delete: () => objects.delete(name, { query }),
  deletecollection: () => objects.viewed('labels').deleteAll({ query }),
});

async function findsRoles({ roles, send, namespace, expect }: RuleContext): Promise<void> {
  const { metadata } = await roles.create();
  const base = '/apis/rbac.authorization.k8s.io/v1';
  const answer = await send('GET', `${base}/namespaces/${await namespace()}/roles/${metadata.name}`);
  expect(answer.status).toBe(200);
  expect(answer.body.metadata.uid).toBe(metadata.uid);
}

const groups = [
  { name: 'roles', check: findsRoles },
  { name: 'the versions of a custom type', needs: ['crd'], check: comesAndGoes },
  { name: 'a custom type that changes', needs: ['crd'], check: followsDefinition },
  { name: 'a version that is deprecated', needs: ['crd'], check: warnsOfDeprecated },
  { name: 'custom types of one name', needs: ['crd'], check: waitsForNames },
  { name: 'a custom type that is gone', needs: ['crd'], check: goesWithDefinition },
] as const;

export default [
  // A named group has its resources below `/apis/{group}/{version}/`.
  defineRule('paths.group.prefix', {
    matrix: { of: groups },
    sabotage: [
      notFound(item),
      replaceIn('metadata.uid', item),
      redirectPath(/^(\/apis\/touchstone\.example)\/v(?:2|77)\//, '$1/v1/', { method: 'GET' }),
      loseWrite({ method: 'DELETE', path: /\/customresourcedefinitions\/[^/]+$/ }),
      loseWrite({ method: 'PATCH', path: /\/customresourcedefinitions\/[^/]+$/, body: /shortNames/ }),
    ],
    check: (context, { of }) => of.check(context),
  }),

  // The `apiVersion` of an object in a named group joins group and version by a slash.
  defineRule('paths.group.api-version', {
    matrix: { type: types },
    sabotage: [
      replaceIn('apiVersion', item),
      replaceIn('items.*.apiVersion', { method: 'GET', path: /\/t[a-z0-9]+s$/ }),
      changeEvent(
        'tells of objects in another version',
        (event) => [{ ...event, object: { ...event.object, apiVersion: 'example.com/v7' } }],
        { query: { watch: true } },
      ),
    ],
    async check(context, { type }) {
      const { expect } = context;
      const versions = await type.open(context);
      for (const objects of versions) {
        const apiVersion = apiVersionOf(objects.at);
        const made = await objects.create(held);
        expect(made.apiVersion, `${apiVersion}, create`).toBe(apiVersion);
        for (const shown of versions) {
          const own = apiVersionOf(shown.at);
          const what = `${own}, made as ${apiVersion}`;
          expect((await shown.read(nameOf(made))).apiVersion, `${what}, get`).toBe(own);
          expect((await shown.merge(nameOf(made), marking(own))).apiVersion, `${what}, patch`).toBe(own);
          for (const [write, send] of Object.entries(rehearsals(shown, nameOf(made))))
            expect((await send()).body?.apiVersion, `${what}, ${write}`).toBe(own);
          // Items of built-in kinds leave out what the list says.
          for (const one of (await shown.list()).items)
            expect([undefined, own], `${what}, list`).toContain(one.apiVersion);
          const watch = await shown.watch();
          expect((await watch.next('an object')).object.apiVersion, `${what}, watch`).toBe(own);
          watch.close();
        }
      }
    },
  }),
];
