import { defineRule } from '../rule.ts';
import { answerWith, changeAnswer, notFound, repeatEvent, replaceIn, swallowEvent } from '../sabotage/transforms.ts';
import type { Json } from '../verbs/client.ts';
import { isBuiltIn, servedResources, servedVersions } from '../verbs/discovery.ts';

const secretList = { method: 'GET', path: /\/secrets$/ };
const watches = { method: 'GET', query: { watch: true } };

export default [
  defineRule('service.http-api', {
    sabotage: notFound({ method: 'GET', path: /\/leases\/[^/]+$/ }),
    async check({ secrets, roles, leases, expect }) {
      for (const collection of [secrets, roles, leases]) {
        const created = await collection.post(collection.sample());
        expect(created.status, `create a ${collection.at.kind}`).toBe(201);
        const { name, uid } = created.body.metadata;
        expect((await collection.get(name)).body?.metadata?.uid, `get the ${collection.at.kind}`).toBe(uid);
        expect((await collection.delete(name)).status, `delete the ${collection.at.kind}`).toBe(200);
      }
    },
  }),

  defineRule('service.every-concept-an-object', {
    sabotage: [
      changeAnswer('forgets Secrets in its schema', (body) => ({ ...body, definitions: {} }), {
        path: /^\/openapi\/v2$/,
      }),
      replaceIn('resources', { with: [{ name: 'things', kind: 'Thing', verbs: [] }], path: /^\/apis\/batch\/v1$/ }),
    ],
    async check({ send, expect }) {
      const { body } = await send('GET', '/openapi/v2', { headers: { accept: 'application/json' } });
      const described = new Set<string>();
      for (const definition of Object.values<Json>(body?.definitions ?? {})) {
        for (const { group, version, kind } of definition['x-kubernetes-group-version-kind'] ?? [])
          described.add(`${group}/${version}/${kind}`);
      }
      const versions = (await servedVersions(send)).filter(isBuiltIn);
      expect(versions.length, 'served versions').toBeGreaterThan(1);
      for (const groupVersion of versions) {
        for (const { name, kind } of await servedResources(send, groupVersion)) {
          if (name.includes('/')) continue;
          expect(described, `${name} of ${groupVersion} in the published schema`).toContain(
            `${groupVersion.includes('/') ? '' : '/'}${groupVersion}/${kind}`,
          );
        }
      }
    },
  }),

  defineRule('service.changes-announced-by-watch', {
    sabotage: ['ADDED', 'MODIFIED', 'DELETED'].map((type) => swallowEvent(type, watches)),
    async check({ secrets, watch, expect }) {
      const narrow = await secrets.watch();
      const wide = await watch(secrets.everywhere, {
        fieldSelector: `metadata.namespace=${(await secrets.path()).split('/')[4]}`,
      });
      const { metadata } = await secrets.create();
      await secrets.merge(metadata.name, { data: { a: 'aaaa' } });
      await secrets.remove(metadata.name);
      for (const [what, stream] of Object.entries({ 'of the namespace': narrow, 'of all namespaces': wide })) {
        const events = await stream.take(3);
        expect(
          events.map(({ type }) => type),
          what,
        ).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
        for (const { object } of events) expect(object.metadata.uid, what).toBe(metadata.uid);
      }
    },
  }),

  defineRule('service.lists-consistent', {
    sabotage: changeAnswer(
      'mixes states',
      (body) => ({
        ...body,
        items: [...(body.items ?? []), { metadata: { name: 'item-9', resourceVersion: '99999999' } }],
      }),
      { ...secretList, query: { resourceVersionMatch: 'Exact' } },
    ),
    async check({ secrets, expect }) {
      await secrets.createMany(4);
      const writes = Promise.all([4, 5, 6, 7].map((index) => secrets.create({ metadata: { name: `item-${index}` } })));
      const lists = [];
      for (let round = 0; round < 4; round++) lists.push(await secrets.list());
      await writes;
      for (const { items, metadata } of lists) {
        const again = await secrets.list({ resourceVersion: metadata.resourceVersion, resourceVersionMatch: 'Exact' });
        expect(again.items.map((one: Json) => one.metadata.name)).toEqual(items.map((one: Json) => one.metadata.name));
      }
    },
  }),

  defineRule('service.list-then-watch-tracks-state', {
    sabotage: [swallowEvent('DELETED', watches), repeatEvent('ADDED', watches), swallowEvent('MODIFIED', watches)],
    async check({ secrets, expect }) {
      await secrets.createMany(4);
      const list = await secrets.list();
      const copy = new Map<string, string>(
        list.items.map(({ metadata }: Json) => [metadata.name, metadata.resourceVersion]),
      );
      await secrets.merge('item-0', { data: { a: 'aaaa' } });
      await secrets.remove('item-1');
      const watch = await secrets.watch({ resourceVersion: list.metadata.resourceVersion });
      await secrets.create({ metadata: { name: 'item-9' } });
      await secrets.merge('item-2', { data: { a: 'aaaa' } });
      const seen = new Set<string>();
      for (const { type, object } of await watch.take(4)) {
        const { name, resourceVersion } = object.metadata;
        expect(seen, 'no change comes twice').not.toContain(resourceVersion);
        seen.add(resourceVersion);
        if (type === 'DELETED') copy.delete(name);
        else copy.set(name, resourceVersion);
      }
      const now = (await secrets.list()).items.map(({ metadata }: Json) => [metadata.name, metadata.resourceVersion]);
      expect([...copy].sort()).toEqual(now);
    },
  }),

  defineRule('service.config-apis-not-served', {
    sabotage: [
      answerWith(200, { kind: 'APIGroup' }, { path: /^\/apis\/apiserver\.config\.k8s\.io/ }),
      changeAnswer(
        'lists a configuration group',
        (body) => ({ ...body, groups: [...(body.groups ?? []), { name: 'kubelet.config.k8s.io', versions: [] }] }),
        { path: /^\/apis$/ },
      ),
    ],
    async check({ send, expect }) {
      const { body } = await send('GET', '/apis');
      const groups: string[] = body?.groups?.map((group: Json) => group.name) ?? [];
      expect(groups, 'groups').toContain('apps');
      expect(groups.filter((name) => name.endsWith('.config.k8s.io'))).toEqual([]);
      for (const group of ['apiserver.config.k8s.io', 'kubelet.config.k8s.io']) {
        for (const path of [`/apis/${group}`, `/apis/${group}/v1`])
          expect((await send('GET', path)).status, path).toBe(404);
      }
    },
  }),
];
