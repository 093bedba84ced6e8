import { expect, it } from 'vitest';
import type { OracleKind } from '../oracle-kind.ts';
import type { KnownKind } from './schema.ts';
import { statusScenarios } from './statuses.ts';
import { structsOf } from './structs.ts';
import { workOf } from './work.ts';

const root = {
  properties: {
    spec: { properties: { size: { type: 'integer' } } },
    status: {
      properties: {
        ready: { type: 'integer' },
        parts: { type: 'array', items: { required: ['name'], properties: { name: { type: 'string' } } } },
      },
    },
  },
};

const kind = (resource: string, name: string, subs: readonly string[]): OracleKind => ({
  ...{ group: '', version: 'v1', resource, kind: name, namespaced: true },
  ...{ verbs: ['create', 'get', 'list', 'update', 'patch', 'delete'] },
  subresources: subs.map((sub) => ({ name: sub, verbs: ['get', 'patch', 'update'] })),
});

const known = (one: OracleKind): KnownKind => ({ kind: one, fields: [], root, schemas: {} });

it('knows the types of a status apart from all others', () => {
  expect(structsOf({ root, schemas: {} }, 'status').map(({ path }) => path.join('.'))).toEqual([
    'status',
    'status.parts.0',
  ]);
  expect(structsOf({ root, schemas: {} }).map(({ path }) => path.join('.'))).toEqual(['spec']);
});

it('tells statuses by their own door alone, as rehearsals that are shown as rows', () => {
  const kinds = [kind('jobs', 'Job', ['status']), kind('secrets', 'Secret', [])].map(known);
  const [first, ...rest] = [...statusScenarios(kinds, 1)];
  expect(rest).toEqual([]);
  const [made, ...told] = first?.steps ?? [];
  expect(made?.method).toBe('POST');
  for (const { path, query, headers } of told)
    expect({ path, query, headers }).toMatchObject({
      path: '/api/v1/namespaces/<own>-1/jobs/a/status',
      query: { dryRun: 'All', includeObject: 'Object' },
      headers: { accept: expect.stringContaining('as=Table') },
    });
  const bodies = told.map(({ body }) => (body as { json: { status: Record<string, unknown> } }).json.status);
  expect(bodies.map(({ ready }) => ready)).toContain(0);
  expect(bodies.map(({ parts }) => parts)).toContainEqual([{ name: '' }]);
});

it('is told of early, beside the types of all else and what may become of members', () => {
  const job = kind('jobs', 'Job', ['status']);
  const work = workOf({ seed: 1, generators: ['fields'] }, { kinds: [job], known: [known(job)], hooked: false });
  const names = [...work].map(({ name }) => name.replace(/ of .*/, '')).filter((name) => !/^(packs|much)/.test(name));
  expect(names.slice(0, 3).sort()).toEqual(['changes', 'statuses', 'structs']);
});
