import { followsPaths } from '../../checks/custom/custom-columns.ts';
import { showsVersions } from '../../checks/custom/version-forms.ts';
import { shownKinds, showsCells, showsProgress } from '../../checks/kinds/shown-cells.ts';
import { shownFurther } from '../../checks/kinds/shown-further.ts';
import { showsNodes } from '../../checks/kinds/shown-nodes.ts';
import { shownStatuses, showsSaid } from '../../checks/kinds/shown-statuses.ts';
import { showsStatus } from '../../checks/lists/answered-forms.ts';
import { includesAsAsked } from '../../checks/lists/row-objects.ts';
import { defineRule } from '../../rule.ts';
import {
  editEvent,
  ignoreQuery,
  redirectPath,
  removeIn,
  replaceIn,
  requestHeader,
  retypeEvent,
} from '../../sabotage/transforms.ts';
import type { Answer, Json } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { nameOf, versionOf } from '../../verbs/states.ts';
import { generalKinds, marking, named, type Subject } from '../../verbs/subjects.ts';

const headers = { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' };
const older = { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1beta1' };
/** Kinds that are watched as Tables, too. */
const watchedKinds = named('secrets', 'leases', 'roles', 'clusterroles', 'widgets', 'gadgets');

/** An Event has the same row whichever of its groups it is asked of, but for how long ago it was. */
async function saysTheSame({ events, send, expect }: RuleContext, name: string): Promise<void> {
  const path = await events.path(name);
  const [row, other] = await Promise.all(
    [path, path.replace(/^\/apis\/[^/]+/, '/api')].map(async (each) => {
      const { columnDefinitions, rows } = (await send('GET', each, { headers })).body;
      const told = columnDefinitions.map((column: Json, at: number) => [column.name, rows[0].cells[at]]);
      return told.filter(([column]: readonly [string]) => !/Seen$/.test(column));
    }),
  );
  expect(row, 'in events.k8s.io as in the core group').toEqual(other);
}

const tables = { method: 'GET', header: { accept: /as=Table/ } };

/** With the objects of a cell's kind. */
type InCell = RuleContext & { readonly objects: Collection };

/** The scale of a Deployment as a Table: a row of what was asked for and what there is. */
async function showsScale({ objects, expect }: InCell, name: string): Promise<void> {
  const { body } = await objects.get(name, '', { sub: 'scale', headers });
  const columns = body.columnDefinitions?.map(({ name }: Json) => name);
  expect(columns, 'of a scale').toEqual(['Name', 'Desired', 'Available', 'Age']);
  expect(body.rows, 'a scale').toHaveLength(1);
  const { spec, status } = (await objects.get(name, '', { sub: 'scale' })).body;
  const age = expect.stringMatching(/^\d+[smh]/);
  expect(body.rows[0].cells, 'a scale').toEqual([name, spec.replicas ?? 0, status.replicas ?? 0, age]);
}

/** A change and a removal after a page was read, watched as Tables, of which the first alone tells the columns. */
async function watchesTables({ objects, expect }: InCell, made: readonly string[], page: Json): Promise<void> {
  const { resourceVersion } = page.metadata;
  const open = (form: typeof headers) => objects.viewed('labels').watch({ resourceVersion }, form);
  const [watch, other] = [await open(headers), await open(older)];
  await objects.merge(made[0] ?? '', marking('new'));
  await objects.delete(made[1] ?? '', { query: { propagationPolicy: 'Background' } });
  const events = await watch.take(2);
  const types = events.map(({ type }) => type);
  expect(types, 'in a watch').toEqual(['MODIFIED', 'DELETED']);
  for (const [index, { object }] of events.entries()) {
    isTable(object, 'v1', expect);
    expect(object.rows.map((row: Json) => row.object?.metadata?.name)).toEqual([made[index]]);
    const columns = page.columnDefinitions;
    expect(object.columnDefinitions ?? [], 'columns in a watch').toEqual(index === 0 ? columns : []);
    expect(object.rows[0].cells, 'a cell for each column').toHaveLength(columns.length);
    expect(object.metadata?.resourceVersion, 'the version in a watch').toBe(versionOf(object.rows[0].object));
    const before = versionOf(page.rows[index].object);
    expect(versionOf(object.rows[0].object), 'the version from which to go on').not.toBe(before);
  }
  for (const { object } of await other.take(2)) isTable(object, 'v1beta1', expect);
}

/** The Table and the metadata in its first row are of the version that was asked for. */
function isTable(table: Json, version: string, expect: RuleContext['expect']): void {
  const apiVersion = `meta.k8s.io/${version}`;
  expect(table, version).toMatchObject({ kind: 'Table', apiVersion });
  expect(table.rows[0].object, version).toMatchObject({ kind: 'PartialObjectMetadata', apiVersion });
}

/** A Table has the same columns however many objects it shows, and a cell for each. */
async function tellsColumns(context: RuleContext, kind: Subject): Promise<void> {
  const { expect } = context;
  const objects = await kind.open(context);
  const viewed = objects.viewed('labels');
  const none = await viewed.getAll('', { headers });
  const name = nameOf(await objects.create());
  const one = await viewed.getAll('', { headers });
  await objects.create();
  for (const [answer, count] of [
    [none, 0],
    [one, 1],
    [await viewed.getAll('', { headers }), 2],
    [await viewed.getAll({ limit: '1' }, { headers }), 1],
    [await objects.get(name, '', { headers }), 1],
  ] as const) {
    const { columnDefinitions, rows } = answer.body;
    expect(rows ?? [], 'rows').toHaveLength(count);
    expect(columnDefinitions, 'columns').toBeInstanceOf(Array);
    expect(columnDefinitions.length, 'columns').toBeGreaterThan(0);
    for (const column of columnDefinitions) {
      expect(column.name).toBeTypeOf('string');
      expect(column.type).toBeTypeOf('string');
      // Clients find what an object is called by the format, whatever the column is called.
      expect(column.format === 'name', `the format of ${column.name}`).toBe(column.name === 'Name');
    }
    if (kind.custom)
      expect(columnDefinitions.map(({ name: called, priority }: Json) => `${called} ${priority}`)).toEqual([
        'Name 0',
        'Size 0',
        'Colour 1',
      ]);
    for (const { cells } of rows ?? []) expect(cells, 'one cell a column').toHaveLength(columnDefinitions.length);
  }
  if (kind.name === 'events') await saysTheSame(context, name);
}

export default [
  // Asking for a Table by `Accept` gives one, of `meta.k8s.io/v1`.
  defineRule('content.table.kind', {
    sabotage: [
      requestHeader('accept', undefined, tables),
      replaceIn('apiVersion', tables),
      replaceIn('rows.*.object.apiVersion', tables),
      requestHeader('accept', 'application/json', { ...tables, path: /touchstone\.example\/v2\// }),
      requestHeader('accept', 'application/json', {
        ...{ method: 'GET', path: /touchstone\.example\/v2\// },
        header: { accept: /as=PartialObjectMetadata/ },
      }),
    ],
    matrix: { kind: generalKinds },
    async check(context, { kind }) {
      const { objects, expect } = context;
      const name = nameOf(await objects.create());
      if (kind.name === 'widgets') await showsVersions(context);
      for (const [version, form] of Object.entries({ v1: headers, v1beta1: older })) {
        for (const { status, body } of [
          await objects.viewed('labels').getAll('', { headers: form }),
          await objects.get(name, '', { headers: form }),
        ]) {
          expect(status, version).toBe(200);
          isTable(body, version, expect);
        }
      }
    },
  }),

  // Objects and collections can both be had as a Table.
  defineRule('content.table.item-and-list', {
    sabotage: [
      requestHeader('accept', undefined, { ...tables, path: /\/[^/]+s$/ }),
      replaceIn('rows', { ...tables, with: [] }),
      replaceIn('metadata.resourceVersion', { ...tables, path: /\/secrets\/[^/]+$/, with: '1' }),
      removeIn('columnDefinitions', { ...tables, query: { continue: true } }),
      requestHeader('accept', undefined, { ...tables, path: /\/status$/ }),
      redirectPath(/\/scale$/, '', tables),
      retypeEvent('DELETED', 'MODIFIED', tables),
      editEvent('object.rows.*.object.apiVersion', { header: { accept: /v=v1beta1/ }, with: 'meta.k8s.io/v1' }),
      ignoreQuery('includeObject', tables),
      replaceIn('rows', { ...tables, query: { includeObject: 'None' }, with: [] }),
    ],
    matrix: { kind: generalKinds },
    async check(context, { kind }) {
      const { objects, version, expect } = context;
      const made = (await objects.createMany(3)).map(nameOf);
      const one = await objects.get(made[0] ?? '', '', { headers });
      expect(one.body, 'one').toMatchObject({ kind: 'Table' });
      expect(one.body.rows, 'one').toHaveLength(1);
      expect(one.body.rows[0].object?.metadata?.name).toBe(made[0]);
      expect(one.body.metadata?.resourceVersion, 'the version of one').toBe(versionOf(one.body.rows[0].object));
      const names = ({ body }: Answer): string[] => body.rows.map((row: Json) => row.object?.metadata?.name);
      const viewed = objects.viewed('labels');
      const all = await viewed.getAll('', { headers });
      expect(all.body, 'all').toMatchObject({ kind: 'Table' });
      expect(names(all).sort()).toEqual(made);
      const page = await viewed.getAll({ limit: 2 }, { headers });
      const rest = await viewed.getAll({ limit: 2, continue: page.body.metadata.continue }, { headers });
      expect([...names(page), ...names(rest)], 'page by page').toEqual(made);
      expect(rest.body.columnDefinitions, 'columns of a later page').toEqual(page.body.columnDefinitions);
      const none = await viewed.getAll({ labelSelector: 'touchstone/none' }, { headers });
      expect(none.body?.kind, 'of nothing').toBe('Table');
      expect(none.body.rows ?? [], 'of nothing').toEqual([]);
      await includesAsAsked(context, objects, made);
      if (kind.status && showsStatus(version)) {
        const status = await objects.get(made[0] ?? '', '', { sub: 'status', headers });
        expect(status.body, 'a status').toMatchObject({ kind: 'Table' });
        expect(names(status), 'a status').toEqual([made[0]]);
      }
      if (kind.name === 'deployments' && showsStatus(version)) await showsScale(context, made[0] ?? '');
      if (watchedKinds.includes(kind)) await watchesTables(context, made, page.body);
    },
  }),

  // A Table tells its columns, each with at least a name and a type.
  defineRule('content.table.columns', {
    matrix: {
      of: [
        ...generalKinds.map((kind) => ({
          ...{ name: kind.name, needs: kind.needs },
          check: (context: RuleContext) => tellsColumns(context, kind),
        })),
        ...[...shownKinds, ...shownFurther].map((kind) => ({
          ...{ name: `what is shown of ${[kind.at.resource, kind.which].filter(Boolean).join(' ')}` },
          ...{ holds: { from: 23 }, check: (context: RuleContext) => showsCells(context, kind, headers) },
        })),
        ...shownStatuses.map(({ kind, needs }) => ({
          ...{ name: `what is shown of the status of ${kind.at.resource}`, needs, holds: kind.holds ?? { from: 24 } },
          check: (context: RuleContext) => showsSaid(context, kind, headers),
        })),
        {
          ...{ name: 'what is shown of nodes', holds: { from: 24 } },
          check: (context: RuleContext) => showsNodes(context, headers),
        },
        {
          ...{ name: 'what is shown of requests for certificates', holds: { from: 23 } },
          check: (context: RuleContext) => showsProgress(context, headers),
        },
        {
          ...{ name: 'the paths of a custom type', needs: ['crd'] as const },
          check: (context: RuleContext) => followsPaths(context, headers),
        },
      ],
    },
    sabotage: [
      removeIn('columnDefinitions', tables),
      removeIn('columnDefinitions.*.type', tables),
      removeIn('rows.*.cells', { ...tables, path: /^\/apis\/events/ }),
      removeIn('rows.*.cells.4', { ...tables, path: /^\/apis\/events.*\/events\// }),
      replaceIn('columnDefinitions.*.priority', { ...tables, path: /touchstone\.example/, with: 0 }),
      replaceIn('rows.*.cells', { ...tables, path: /touchstone\.example\/v1\/.*s\/[^/]+$/, with: [] }),
      replaceIn('rows.*.cells', { ...tables, path: /\/ingresses\/[^/]+$/, with: [] }),
    ],
    check: (context, { of }) => of.check(context),
  }),

  // A kind that defines no table gets `Name` and `Created At`.
  defineRule('content.table.default-columns', {
    sabotage: [replaceIn('columnDefinitions.*.name', tables), replaceIn('columnDefinitions.*.type', tables)],
    matrix: { kind: named('roles', 'clusterroles') },
    async check({ objects, expect }) {
      const { metadata } = await objects.create();
      const { columnDefinitions, rows } = (await objects.viewed('labels').getAll('', { headers })).body;
      expect(columnDefinitions.map(({ name, type }: Json) => `${name} ${type}`)).toEqual([
        'Name string',
        'Created At date',
      ]);
      expect(rows.map((row: Json) => row.cells)).toEqual([[metadata.name, metadata.creationTimestamp]]);
    },
  }),
];
