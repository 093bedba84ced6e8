import { expect, it } from 'vitest';
import type { Json } from '../verbs/client.ts';
import { edgePieces, edgesOf, numbersOf } from './edges.ts';
import type { KnownKind } from './generate/schema.ts';
import type { Side } from './play/side.ts';

/** How a server with these bounds speaks of a number. */
const within = (least: number, most: number) => async (number: number) =>
  number < least ? 'too low' : number > most ? 'too high' : 'good';

it.each([
  [1, 3600, [0, 1, 3600, 3601]],
  [600, 1800, [599, 600, 1800, 1801]],
  [0, 65_535, [-1, 0, 65_535, 65_536]],
  [-5, 2 ** 40, []],
])('finds where a bound from %i to %i lies', async (least, most, edges) => {
  expect(await edgesOf(within(least, most))).toEqual(edges);
});

const integer = { type: 'integer' };
const spec = { properties: { hard: { type: 'object' }, scopes: { type: 'array', items: { $ref: '#/Scope' } } } };
const scope = { properties: { weight: integer, name: { type: 'string' } }, required: ['name'] };

const quotas: KnownKind = {
  kind: {
    ...{ group: '', version: 'v1', resource: 'resourcequotas', kind: 'ResourceQuota', namespaced: true },
    ...{ verbs: ['create'], subresources: [] },
  },
  fields: [],
  root: { properties: { spec: { $ref: '#/Spec' }, generation: integer } },
  schemas: { Spec: { ...spec, properties: { ...spec.properties, count: integer } }, Scope: scope },
};

it('puts a number in the place of each member that is one, in an entry of its own where that is in a list', () => {
  const objects = numbersOf(quotas, new Set()).map((numbered) => numbered(7));
  expect(objects).toHaveLength(3);
  expect(objects[0]).toMatchObject({ kind: 'ResourceQuota', generation: 7 });
  expect(objects[1]).toMatchObject({ spec: { hard: expect.anything(), count: 7 } });
  expect(objects[2]?.spec.scopes.at(-1)).toEqual({ name: 'some-name', weight: 7 });
});

it('tries a type in one kind alone', () => {
  const tried = new Set<string>();
  numbersOf(quotas, tried);
  expect(numbersOf(quotas, tried)).toEqual([]);
});

const refused = (field: string): Json => ({ details: { causes: [{ reason: 'FieldValueInvalid', field }] } });

/** A server that takes a count up to a bound, and anything else. */
function bounded(most: number): Side {
  const send = async (_: string, path: string, { body }: { body?: string | Json } = {}) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body ?? {});
    const isGood = !path.endsWith('/resourcequotas') || (JSON.parse(text).spec.count ?? 0) <= most;
    const answer = isGood ? {} : refused('spec.count');
    const headers = { 'content-type': 'application/json' };
    const bytes = Buffer.from(JSON.stringify(answer));
    return { status: isGood ? 201 : 422, headers, all: () => [], bytes, text: bytes.toString(), body: answer };
  };
  const stopped = new AbortController().signal;
  return { name: 'some', run: 'r', target: {}, stopped, client: { send } } as unknown as Side;
}

it('notices a bound that is off by one', async () => {
  const pair = { judged: bounded(3601), other: bounded(3600), ownWords: () => 'town' };
  const [piece] = edgePieces(pair, [quotas]);
  const { divergences } = (await piece?.compare({ quiet: 1, mark: 1 })) ?? {};
  expect(divergences?.map(({ step, differences: [first] }) => [step.body, first])).toEqual([
    [
      { json: expect.objectContaining({ spec: expect.objectContaining({ count: 3601 }) }) },
      { at: 'status', seen: 201, expected: 422 },
    ],
  ]);
});
