import { expect, it } from 'vitest';
import type { Json } from '../../verbs/client.ts';
import type { OracleKind } from '../oracle-kind.ts';
import type { Step } from '../play/scenario.ts';
import { mark } from './end-mark.ts';
import { requestScenarios } from './requests.ts';
import { tourScenarios } from './tours/tours.ts';

const kind = (resource: string, name: string, namespaced = true): OracleKind => ({
  ...{ group: '', version: 'v1', resource, kind: name, namespaced },
  verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
  subresources: [{ name: 'status', verbs: ['get', 'patch', 'update'] }],
});

const every = [
  kind('pods', 'Pod'),
  kind('nodes', 'Node', false),
  kind('roles', 'Role'),
  kind('resourcequotas', 'ResourceQuota'),
];

/** Tours of all kinds by their names. */
const toured = (name: string): readonly Step[] =>
  [...tourScenarios(every, true)].find((one) => one.name === name)?.steps ?? [];

it('weighs Pods by what runs before them while a quota has room for some', () => {
  const steps = toured('quotas');
  const weighed = steps.findIndex(({ body }) => JSON.stringify(body ?? '').includes('before-1'));
  const kept = steps.findIndex(({ what }) => what === 'create pods');
  expect(weighed).toBeGreaterThan(0);
  expect(weighed).toBeLessThan(kept);
});

it('has somebody give up what gathers rules, who may not give all of them', () => {
  const given = toured('giving rights').filter(({ path }) => path.endsWith('/<own>-gathers'));
  expect(given.map(({ body }) => body && 'json' in body && body.json)).toContainEqual({ aggregationRule: null });
});

it('asks webhooks that select namespaces about what is in none', () => {
  const { prepare = [] } = [...tourScenarios(every, true)].find(({ name }) => name === 'webhooks on nodes') ?? {};
  const selecting = prepare.flatMap(({ body }) =>
    body && 'json' in body ? (body.json.webhooks ?? []).filter((one: Json) => one.namespaceSelector?.matchLabels) : [],
  );
  expect(selecting.map(({ objectSelector }) => objectSelector)).toEqual([{ matchLabels: { app: '<own>' } }]);
});

it('puts entries with nothing in their maps into lists, and writes amounts in another way', () => {
  expect(JSON.stringify(toured('directives of pods'))).toContain('"requests":{"cpu":null,');
  const update = toured('oddities of pods').find(({ body }) =>
    JSON.stringify(body ?? '').includes('"memory":"67108864"'),
  );
  expect(update).toMatchObject({ method: 'PUT', query: { dryRun: 'All' } });
});

it('asks for a schema in forms that it has and in others', () => {
  const documents = requestScenarios(every, 1).find(({ name }) => name === 'documents');
  const forms = documents?.steps.filter(({ what }) => what === 'get /openapi/v3/api/v1 accept') ?? [];
  expect(forms.map(({ headers }) => headers?.['accept'])).toEqual(expect.arrayContaining(['*/*', 'text/html']));
});

it('puts what nobody knows into the entries of lists', () => {
  const texts = toured('unknown fields of pods').map(({ body }) => JSON.stringify(body ?? ''));
  expect(texts.some((text) => text.includes('"touchedUnknown":1}],"volumes"'))).toBe(true);
});

it('has a stream beside each tour that has none of its own, and ends it', () => {
  const steps = toured('patches of pods');
  expect(steps[0]?.watch?.until).toBe(mark);
  expect(steps.findLast(({ method }) => method === 'POST')?.body).toMatchObject({ json: { metadata: { name: mark } } });
  expect(toured('streams that end of pods').filter(({ watch }) => watch?.until === mark)).toEqual([]);
});
