import { cannotBeRead, cannotBeWatched, isNotAllowed } from '../../checks/requests/made-alone.ts';
import { subresourceWrites, type Write } from '../../checks/requests/writes.ts';
import { defineRule } from '../../rule.ts';
import {
  answerStatus,
  answerWith,
  changeMethod,
  ignoreQuery,
  notFound,
  redirectPath,
  removeIn,
  replaceIn,
} from '../../sabotage/transforms.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { leasedType } from '../../verbs/custom-types.ts';
import { isBuiltIn, servedResources, servedVersions } from '../../verbs/discovery.ts';
import { apiVersionOf } from '../../verbs/kinds.ts';
import { nameOf } from '../../verbs/states.ts';
import { generalKinds, type Subject } from '../../verbs/subjects.ts';

const subresource = { method: 'GET', path: /\/(status|approval)$/ };

/** What discovery tells of the methods that the subresources of every kind take. */
const verbsBelow: Readonly<Record<string, readonly string[]>> = {
  ...{ status: ['get', 'patch', 'update'], scale: ['get', 'patch', 'update'], approval: ['get', 'patch', 'update'] },
  ...{ finalize: ['update'], eviction: ['create'], binding: ['create'], token: ['create'], log: ['get'] },
};

/** Writes through subresources of objects that are there; a Service may be made by its status, as by itself. */
const writesOf = (kind: Subject): readonly Write[] =>
  subresourceWrites.filter(({ verb, fits }) => verb !== 'create' && fits(kind) && kind.name !== 'services');

async function tellsVerbs({ send, expect }: RuleContext, groupVersion: string): Promise<readonly string[]> {
  const resources = await servedResources(send, groupVersion);
  for (const { name, verbs } of resources) {
    const known = verbsBelow[name.split('/')[1] ?? ''];
    if (known) expect([...verbs].sort(), `the verbs of ${name} of ${groupVersion}`).toEqual(known);
  }
  return resources.map(({ name }) => name);
}

/** Those of the server itself, and of a custom type, of which discovery tells as well. */
async function tellsAllVerbs(context: RuleContext): Promise<void> {
  for (const groupVersion of (await servedVersions(context.send)).filter(isBuiltIn))
    await tellsVerbs(context, groupVersion);
  if (!context.capabilities.includes('crd')) return;
  const { at } = await leasedType(context, 'Cluster');
  // A server may tell of a type a moment after it serves it.
  const told = await context.waitUntil(
    `discovery tells of ${at.resource}`,
    () => tellsVerbs(context, apiVersionOf(at)),
    (names) => names.includes(at.resource),
  );
  const below = [at.resource, `${at.resource}/scale`, `${at.resource}/status`];
  context.expect(told.filter((name) => below.includes(name)).sort(), 'what a custom type has').toEqual(below);
}

export default [
  // For a cluster-scoped object a subresource's path continues the path of the object.
  defineRule('paths.subresource.cluster', {
    sabotage: [
      notFound(subresource),
      replaceIn('metadata.uid', subresource),
      redirectPath(/\/nothing$/, '', { method: 'GET' }),
    ],
    async check({ signingRequests, expect }) {
      const { metadata } = await signingRequests.create();
      for (const sub of ['status', 'approval']) {
        const answer = await signingRequests.get(metadata.name, '', { sub });
        expect(answer.status, sub).toBe(200);
        expect(answer.body.metadata.uid, sub).toBe(metadata.uid);
      }
      const none = await signingRequests.get(metadata.name, '', { sub: 'nothing' });
      expect(none.status, 'one that there is not').toBe(404);
    },
  }),

  // For a namespaced object a subresource's path continues the path of the object.
  defineRule('paths.subresource.namespaced', {
    sabotage: [
      notFound(subresource),
      replaceIn('metadata.uid', subresource),
      redirectPath(/\/scale$/, '', { method: 'GET' }),
    ],
    async check({ ingresses, expect }) {
      const { metadata } = await ingresses.create();
      const answer = await ingresses.get(metadata.name, '', { sub: 'status' });
      expect(answer.status).toBe(200);
      expect(answer.body.metadata.uid).toBe(metadata.uid);
      for (const sub of ['scale', 'nothing'])
        expect((await ingresses.get(metadata.name, '', { sub })).status, `${sub}, which it has not`).toBe(404);
    },
  }),

  // Which methods a subresource takes depends on it: `finalize` of a Namespace knows PUT alone, `approval` of a
  // signing request GET, PUT and PATCH.
  defineRule('paths.subresource.verbs-by-kind', {
    sabotage: [
      answerStatus(200, { method: 'GET', path: /\/finalize$/, instead: 405 }),
      removeIn('reason', { method: 'PATCH', path: /\/finalize$/ }),
      answerStatus(405, { method: 'PATCH', path: /\/approval$/ }),
      redirectPath(/\/finalize$/, '', { method: 'GET' }),
      redirectPath(/\/finalize$/, '', { method: 'PATCH' }),
      answerStatus(200, { method: 'GET', path: /\/eviction$/, instead: 405 }),
      removeIn('reason', { method: 'GET', path: /\/bindings$/ }),
      ignoreQuery('watch', { path: /\/componentstatuses$/ }),
      removeIn('resources.*.verbs.1', { path: /^\/apis\/[^/]*touchstone\.example\/[^/]+$/ }),
    ],
    async check(context) {
      const { namespaces, signingRequests, namespace, expect } = context;
      await tellsAllVerbs(context);
      await cannotBeRead(context);
      await cannotBeWatched(context);
      const name = await namespace();
      const put = await namespaces.put(await namespaces.read(name), '', { sub: 'finalize' });
      expect(put.status, 'PUT finalize').toBe(200);
      const refusals = {
        'GET finalize': await namespaces.get(name, '', { sub: 'finalize' }),
        'PATCH finalize': await namespaces.patch(name, {}, { sub: 'finalize' }),
      };
      for (const [what, answer] of Object.entries(refusals)) isNotAllowed(answer, what, expect);
      const request = await signingRequests.create();
      const sub = 'approval';
      expect((await signingRequests.get(request.metadata.name, '', { sub })).status, 'GET approval').toBe(200);
      expect((await signingRequests.put(request, '', { sub })).status, 'PUT approval').toBe(200);
      expect((await signingRequests.patch(request.metadata.name, {}, { sub })).status, 'PATCH approval').toBe(200);
    },
  }),

  // A subresource belongs to one named object; collections have none.
  defineRule('paths.subresource.single-only', {
    matrix: { kind: generalKinds.filter((kind) => writesOf(kind).length > 0) },
    sabotage: [
      answerWith(200, { kind: 'IngressList', items: [] }, { method: 'GET', path: /\/ingresses\/status$/ }),
      redirectPath(/\/ingresses\/status$/, '/ingresses', { method: 'GET' }),
      answerStatus(201, { method: 'PATCH', path: /\/scale$/, instead: 404 }),
      redirectPath(/(\/jobs\/[^/]+)\/status$/, '$1', { method: 'PATCH' }),
      changeMethod('PUT', { method: 'POST', path: /\/status$/ }),
      redirectPath(/(\/jobs\/[^/]+)\/status$/, '$1', { method: 'DELETE' }),
    ],
    async check({ objects, send, expect }, { kind }) {
      const made = await objects.create();
      for (const sub of new Set(writesOf(kind).map((write) => write.sub))) {
        // Whom a namespace is finalized by is written, and nothing else.
        if (sub !== 'finalize')
          expect((await objects.get(nameOf(made), '', { sub })).status, `${sub} of one object`).toBe(200);
        expect((await send('GET', `${await objects.path()}/${sub}`)).status, `${sub} of the collection`).toBe(404);
        isNotAllowed(await objects.postTo(nameOf(made), sub, made), `POST ${sub}`, expect);
        isNotAllowed(await send('DELETE', await objects.path(nameOf(made), sub)), `DELETE ${sub}`, expect);
      }
      expect((await objects.read(nameOf(made))).metadata.deletionTimestamp, 'after all that').toBeUndefined();
      const object = await objects.draft();
      for (const write of writesOf(kind))
        expect((await write.send({ objects, object, kind })).status, `${write.name} of what is not there`).toBe(404);
      expect((await objects.get(object.metadata.name)).status, 'what was not there').toBe(404);
    },
  }),
];
