import { describe, expect, it } from 'vitest';
import type { Divergence } from './compare/duel.ts';
import { campaign } from './run.ts';

/** A create that the judged server let through and the other refused for these fields. */
function letThrough(...fields: readonly string[]): Divergence {
  const causes = fields.map((field) => ({ reason: 'FieldValueInvalid', field }));
  return {
    step: { id: 's1', what: 'create jobs dry', method: 'POST', path: '/jobs' },
    seen: { status: 201, headers: {}, body: {} },
    expected: { status: 422, headers: {}, body: { details: { causes } } },
    differences: [
      { at: 'status', seen: 201, expected: 422 },
      { at: 'details.causes', seen: undefined, expected: causes },
    ],
  };
}

async function foundIn(divergences: readonly Divergence[]): Promise<readonly [string, number][]> {
  const piece = { name: 'some', generator: 'fields', compare: async () => ({ divergences, answers: 9 }) };
  const limits = { budget: 10_000, width: 1, shrinks: 0, shrinkLimit: 0 };
  const { found } = await campaign({ pieces: [piece], stopped: new AbortController().signal, ...limits });
  return found.map(({ signature, hits }) => [signature, hits]);
}

it('tells faults of one kind apart by the field that a refusal is about, wherever in a list that is', async () => {
  const all = [letThrough('spec.list[0].one'), letThrough('spec.list[1].one', 'spec.two'), letThrough('spec.two')];
  expect(await foundIn(all)).toEqual([
    ['create jobs dry: status 201 for 422, field spec.list[].one', 2],
    ['create jobs dry: status 201 for 422, field spec.two', 1],
  ]);
});

it('names no field where a refusal is about none', async () => {
  const [one, causes] = [letThrough(), [{ message: 'a webhook does not answer' }]];
  const differences = [
    { at: 'status', seen: 201, expected: 500 },
    { at: 'details.causes', seen: undefined, expected: causes },
  ];
  expect(await foundIn([{ ...one, differences }])).toEqual([['create jobs dry: status 201 for 500', 1]]);
});

it('does not tell of a server that refuses nothing field by field', async () => {
  const all = Array.from({ length: 40 }, (_, at) => letThrough(`spec.field${at}`));
  expect((await foundIn(all)).map(([, hits]) => hits)).toEqual([36, 1, 1, 1, 1]);
});

/** What each kind is answered to a list of nothing. */
const ofNothing = (resource: string, rows: unknown): Divergence => ({
  step: { id: 's1', what: `list all ${resource}.v1 Table`, method: 'GET', path: `/apis/some.example/v1/${resource}` },
  seen: { status: 200, headers: {}, body: { rows } },
  expected: { status: 200, headers: {}, body: { rows: [] } },
  differences: [{ at: 'rows', seen: rows, expected: [] }],
});

it('does not tell of one fault kind by kind', async () => {
  const all = Array.from({ length: 40 }, (_, at) => ofNothing(`things${'abcdefgh'[at % 8]}${'xyzuv'[at % 5]}`, 'none'));
  expect((await foundIn(all)).map(([, hits]) => hits)).toEqual([36, 1, 1, 1, 1]);
  const others = Array.from({ length: 8 }, (_, at) => ofNothing(`things${'abcdefgh'[at]}`, `none ${at}`));
  expect(await foundIn(others)).toHaveLength(8);
});

const silence = { status: 0, headers: {}, body: undefined };
const unanswered = { ...letThrough(), seen: silence, differences: [{ at: 'status', seen: 0, expected: 201 }] };
const breaksOff = async (): Promise<never> => {
  throw new Error('connect ECONNREFUSED');
};

describe('a server that does not answer any more', () => {
  const limits = { stopped: new AbortController().signal, budget: 10_000, width: 2, shrinks: 0, shrinkLimit: 0 };
  const lost = async (): Promise<string> => 'https://some does not answer any more';

  it.each([
    ['breaks pieces off', breaksOff],
    ['shows as no answer', async () => ({ divergences: [unanswered], answers: 1 })],
  ])('ends the work and is told of, with what was under way, where it %s', async (_, compare) => {
    let begun = 0;
    const pieces = Iterator.from(
      Array.from({ length: 50 }, (__, at) => ({ name: `piece ${at}`, generator: 'rules', compare })),
    ).map((one) => {
      begun++;
      return one;
    });
    const outcome = await campaign({ ...limits, pieces, lost });
    expect(outcome.lost).toBe('https://some does not answer any more. Under way were piece 0; piece 1');
    expect([outcome.complete, outcome.found, outcome.counts.broken]).toEqual([false, [], []]);
    expect(begun).toBeLessThan(5);
  });

  it('is none where it answers again: then the piece alone is broken off', async () => {
    const piece = { name: 'some', generator: 'fields', compare: breaksOff };
    const outcome = await campaign({ ...limits, pieces: [piece], lost: async () => undefined });
    expect(outcome).toMatchObject({ complete: true, counts: { broken: ['some: connect ECONNREFUSED'] } });
    expect(outcome.lost).toBeUndefined();
  });
});
