import { expect, it } from 'vitest';
import type { Json } from '../../verbs/client.ts';
import { toldFor, valuesOfType } from './typed-values.ts';

const schemas = { 'a.b.Quantity': { type: 'string' }, 'a.Inner': { properties: { size: { type: 'integer' } } } };
const ref = (name: string): object => ({ allOf: [{ $ref: `#/components/schemas/${name}` }] });

it.each<[string, Json, Json[]]>([
  ['texts', { type: 'string' }, ['', 'fd00::1', '101%']],
  ['words, and none of them', { type: 'string', enum: ['A', 'B'] }, ['A', 'B', 'NobodyKnowsThis']],
  ['whole numbers', { type: 'integer' }, [0, -1, 65_536]],
  ['amounts, which nothing else can be read as', ref('a.b.Quantity'), ['1.5Gi', '1e3']],
  ['moments', { type: 'string', format: 'date-time' }, ['2024-05-06T07:08:09Z']],
  ['lists', { type: 'array', items: { type: 'boolean' } }, [[], [true], [true, false], [false, false]]],
  ['maps', { type: 'object', additionalProperties: { type: 'integer' } }, [{}, { key: 0 }, { 'Not a key!': 0 }]],
  ['structs', ref('a.Inner'), [{}, { size: 1 }]],
])('knows %s', (_, schema, some) => {
  expect(valuesOfType(schema, schemas)).toEqual(expect.arrayContaining(some));
});

it('gives nothing of another type', () => {
  expect(valuesOfType(ref('a.b.Quantity'), schemas)).not.toContain('some-name');
  expect(valuesOfType({ type: 'integer' }, schemas).every((value) => Number.isInteger(value))).toBe(true);
  expect(valuesOfType({ type: 'string', format: 'date-time' }, schemas)).not.toContain('');
});

it('knows words of samples, of the kind itself first', () => {
  const words = toldFor('ClusterRoleBinding', 'kind', { type: 'string' }, {});
  expect(words.slice(0, 4)).toEqual(expect.arrayContaining(['User', 'Group', 'ServiceAccount']));
  expect(toldFor('Pod', 'cpu', ref('a.b.Quantity'), schemas)).toEqual([]);
  expect(toldFor('Pod', 'kind', { type: 'integer' }, {})).toEqual([]);
});
