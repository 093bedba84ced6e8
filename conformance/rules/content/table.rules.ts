import { defineRule } from '../../rule.ts';
import { removeIn, replaceIn, requestHeader } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/client.ts';

const headers = { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' };
const tables = { method: 'GET', header: { accept: /as=Table/ } };

export default [
  defineRule('content.table.kind', {
    sabotage: [requestHeader('accept', undefined, tables), replaceIn('apiVersion', tables)],
    async check({ secrets, expect }) {
      await secrets.create();
      const { status, body } = await secrets.getAll('', { headers });
      expect(status).toBe(200);
      expect(body).toMatchObject({ kind: 'Table', apiVersion: 'meta.k8s.io/v1' });
    },
  }),

  defineRule('content.table.item-and-list', {
    sabotage: [
      requestHeader('accept', undefined, { ...tables, path: /\/[^/]+s$/ }),
      replaceIn('rows', { ...tables, with: [] }),
    ],
    async check({ secrets, jobs, namespaces, namespace, expect }) {
      const secret = await secrets.create();
      const job = await jobs.create();
      for (const [kind, name] of [
        [secrets, secret.metadata.name],
        [jobs, job.metadata.name],
        [namespaces, await namespace()],
      ] as const) {
        const one = await kind.get(name, '', { headers });
        expect(one.body, `one ${kind.at.kind}`).toMatchObject({ kind: 'Table' });
        expect(one.body.rows, `one ${kind.at.kind}`).toHaveLength(1);
        const all = await kind.getAll('', { headers });
        expect(all.body, `all of ${kind.at.resource}`).toMatchObject({ kind: 'Table' });
        expect(all.body.rows.map((row: Json) => row.cells[0])).toContain(name);
      }
    },
  }),

  defineRule('content.table.columns', {
    sabotage: [removeIn('columnDefinitions', tables), removeIn('columnDefinitions.*.type', tables)],
    async check({ jobs, expect }) {
      await jobs.create();
      const { columnDefinitions, rows } = (await jobs.getAll('', { headers })).body;
      expect(columnDefinitions, 'columns').toBeInstanceOf(Array);
      expect(columnDefinitions.length, 'columns').toBeGreaterThan(0);
      for (const column of columnDefinitions) {
        expect(column.name).toBeTypeOf('string');
        expect(column.type).toBeTypeOf('string');
      }
      for (const { cells } of rows) expect(cells, 'one cell a column').toHaveLength(columnDefinitions.length);
    },
  }),

  defineRule('content.table.default-columns', {
    sabotage: [replaceIn('columnDefinitions.*.name', tables), replaceIn('columnDefinitions.*.type', tables)],
    async check({ roles, expect }) {
      const { metadata } = await roles.create();
      const { columnDefinitions, rows } = (await roles.getAll('', { headers })).body;
      expect(columnDefinitions.map(({ name, type }: Json) => `${name} ${type}`)).toEqual([
        'Name string',
        'Created At date',
      ]);
      expect(rows.map((row: Json) => row.cells)).toEqual([[metadata.name, metadata.creationTimestamp]]);
    },
  }),
];
