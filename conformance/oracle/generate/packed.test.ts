import { expect, it } from 'vitest';
import type { Json } from '../../verbs/client.ts';
import type { OracleKind } from '../oracle-kind.ts';
import type { Scenario } from '../play/scenario.ts';
import { packedScenarios } from './packed.ts';
import type { KnownKind } from './schema.ts';

const ref = (name: string): object => ({ allOf: [{ $ref: `#/components/schemas/${name}` }] });
const text = { type: 'string' };
const schemas = {
  Spec: { properties: { tolerations: { type: 'array', items: ref('io.v1.Toleration') }, nodeName: text } },
  'io.v1.Toleration': {
    properties: { key: text, operator: text, tolerationSeconds: { type: 'integer' }, inner: ref('io.v1.Inner') },
  },
  'io.v1.Inner': { properties: { seconds: { type: 'integer' } } },
};
const root = { properties: { spec: ref('Spec') } };

const kind: OracleKind = {
  ...{ group: '', version: 'v1', resource: 'pods', kind: 'Pod', namespaced: true },
  ...{ verbs: ['create', 'get', 'list', 'update', 'patch', 'delete'], subresources: [] },
};
const pods: KnownKind = { kind, fields: [], root, schemas };

const tolerationsOf = ({ steps }: Scenario): Json[] =>
  steps.flatMap(({ body }) => (body && 'json' in body ? (body.json.spec?.tolerations ?? []) : []));

it('tries many entries at once, and then again those that were not refused', () => {
  for (const { steps } of packedScenarios([pods], 1)) {
    const sent = steps.filter(({ body }) => body && 'json' in body && (body.json.spec?.tolerations?.length ?? 0) > 2);
    const again = steps.filter(({ body }) => body && 'passedOf' in body && sent.some(({ id }) => id === body.passedOf));
    expect(sent.length).toBeGreaterThan(0);
    expect(again).toHaveLength(sent.length);
    expect(sent.every(({ query }) => (query as Record<string, string>)['dryRun'] === 'All')).toBe(true);
  }
});

it('says each member of each type by many values, words that samples know among them', () => {
  const entries = [...packedScenarios([pods], 1)].flatMap(tolerationsOf);
  const said = (member: string): Set<Json> => new Set(entries.map((entry) => entry[member]));
  expect([...said('operator')]).toEqual(expect.arrayContaining(['Exists', 'Equal']));
  expect(said('tolerationSeconds').size).toBeGreaterThan(10);
  expect(entries.some(({ inner }) => inner?.seconds !== undefined)).toBe(true);
  // Two are said otherwise at once, or one is not said at all.
  expect(entries.some(({ key, operator }) => key === undefined && operator !== undefined)).toBe(true);
});

it('tries a type once, whichever versions have it', () => {
  const later = { ...pods, kind: { ...kind, version: 'v2' }, schemas: renamed('.v2.') };
  expect([...packedScenarios([pods, later], 1)].every(({ name }) => !name.includes('v2'))).toBe(true);
});

const renamed = (version: string): typeof schemas => JSON.parse(JSON.stringify(schemas).replaceAll('.v1.', version));

it('is the same for the same seed, and another for another one', () => {
  const told = (seed: number): string => JSON.stringify([...packedScenarios([pods], seed)]);
  expect(told(1)).toBe(told(1));
  expect(told(1)).not.toBe(told(2));
});
