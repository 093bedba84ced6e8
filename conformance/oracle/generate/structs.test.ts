import { expect, it } from 'vitest';
import type { OracleKind } from '../oracle-kind.ts';
import type { KnownKind } from './schema.ts';
import { changeScenarios, structScenarios, structsOf, valuesOf } from './structs.ts';

const ref = (name: string): object => ({ allOf: [{ $ref: `#/components/schemas/${name}` }], default: {} });
const text = { type: 'string' };
const root = { properties: { spec: ref('Spec'), kind: text, globalDefault: { type: 'boolean' } } };
const schemas = {
  Spec: { properties: { first: ref('Part'), second: ref('Part'), parts: { type: 'array', items: ref('Entry') } } },
  Part: {
    required: ['mode'],
    properties: {
      mode: { type: 'string', enum: ['A', 'B'] },
      size: { type: 'integer' },
      limit: { type: 'integer' },
      names: { type: 'array', items: text },
      other: ref('Inner'),
    },
  },
  Entry: { required: ['name'], properties: { name: text, inner: ref('Inner') } },
  Inner: { properties: { seconds: { type: 'integer' } } },
};

const kind = (resource: string, name: string): OracleKind => ({
  ...{ group: '', version: 'v1', resource, kind: name, namespaced: true },
  ...{ verbs: ['create', 'get', 'list', 'update', 'patch', 'delete'], subresources: [] },
});

const known = (resource: string, name: string): KnownKind => ({
  kind: kind(resource, name),
  fields: [],
  root,
  schemas,
});

it('meets a type by each member that holds it', () => {
  expect(structsOf({ root, schemas }).map(({ path }) => path.join('.'))).toEqual([
    'spec',
    'spec.first',
    'spec.second',
    'spec.first.other',
    'spec.parts.0',
    'spec.parts.0.inner',
  ]);
});

it('says as little as a type has to, each member beside that, each word, and one value of all of a sort', () => {
  const values = valuesOf({ name: 'Part', path: ['spec', 'first'], schema: schemas.Part }, schemas);
  for (const value of [
    { mode: 'A' },
    { mode: 'A', size: 1 },
    { mode: 'A', other: { seconds: 1 } },
    { mode: 'A', other: {} },
    { mode: 'B', size: 1, limit: 1, names: ['some-name'] },
    { mode: 'B', size: 1, limit: 1, names: [] },
    { mode: 'A', size: -1, limit: -1 },
  ])
    expect(values).toContainEqual(value);
});

it('tries what is in an entry of a list in a new one too, and what several kinds have in two of them', () => {
  const all = ['secrets', 'configmaps', 'serviceaccounts'].map((resource, at) =>
    known(resource, ['Secret', 'ConfigMap', 'ServiceAccount'][at] as string),
  );
  const scenarios = [...structScenarios(all, 1)];
  expect(scenarios.filter(({ name }) => name.startsWith('structs of')).map(({ name }) => name)).toEqual([
    'structs of secrets, 1',
    'structs of configmaps, 1',
    'structs of secrets, 2',
    'structs of configmaps, 2',
  ]);
  const bodies = scenarios.flatMap(({ steps }) => steps.map(({ body }) => JSON.stringify(body)));
  expect(bodies.some((body) => body?.includes('"parts":[{"name":"some-name","inner":{"seconds":65536}}]'))).toBe(true);
});

it('stores what a sample does not say, and says it otherwise and not any more', () => {
  const [scenario] = changeScenarios([known('secrets', 'Secret')]);
  const told = scenario?.steps.map(({ method, body }) => `${method} ${JSON.stringify(body)}`) ?? [];
  expect(told[0]).toMatch(/^POST .*"spec":{"first":{"mode":"A","size":1/);
  expect(told[1]).toMatch(/^PATCH .*"size":2/);
  expect(told.at(-1)).toMatch(/^PUT .*"spec":null/);
  // Others would notice.
  expect(told.join()).not.toContain('globalDefault');
});
