import { expect, test } from 'vitest';
import type { SendOptions } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { kindPaths } from '../../verbs/kinds.ts';
import { judged } from './judged-kind.ts';
import { changing, judgesKind, posted } from './judged-objects.ts';

const context = { unique: (word: string) => word } as unknown as RuleContext;

/** A server that answers so, and otherwise to who may do everything. */
const answering = (status: number, mighty: number): Collection =>
  ({
    post: async (_: Json, __: Json, { headers }: SendOptions = {}) => ({
      status: headers?.['impersonate-group'] ? mighty : status,
    }),
  }) as unknown as Collection;

test.each([
  ['refuses it', 422, 201, 422],
  ['takes it', 201, 422, 201],
  ['fails for who is asked what he may give away, and refuses it of who is not', 500, 422, 422],
  ['fails for everybody', 500, 500, 500],
])('a server that %s', async (_, status, mighty, seen) => {
  expect((await posted(context, answering(status, mighty), {}, {})).status).toBe(seen);
});

/** An object that is read so often, and updates of it that are answered so, one after the other. */
function asking(...answers: readonly number[]) {
  const left = [...answers];
  const asked: string[] = [];
  const objects = {
    async read() {
      asked.push('read');
      return {};
    },
    async put() {
      asked.push('put');
      return { status: left.shift() };
    },
  } as unknown as Collection;
  return { change: changing(objects, 'one'), asked };
}

test.each([
  ['once for all that is refused', [422, 422], 'read put put'],
  ['anew after what was taken', [200, 422], 'read put read put'],
  ['anew where somebody was quicker', [409, 422], 'read put read put'],
])('the newest state is read %s', async (_, answers, expected) => {
  const { change, asked } = asking(...answers);
  while (asked.filter((each) => each === 'put').length < answers.length) await change({});
  expect(asked.join(' ')).toBe(expected);
});

test('an object that is refused and stored all the same is told of by what is wrong with it', async () => {
  const named = (name: string, parts: Json = {}): Json => ({ metadata: { name }, ...parts });
  const objects = {
    with: () => objects,
    sample: (parts: Json) => named(parts ? 'unfit' : 'sound', parts),
    create: async () => named('sound'),
    post: async () => ({ status: 422, body: { kind: 'Status', status: 'Failure', reason: 'Invalid' }, text: '' }),
    list: async () => ({ items: [named('sound'), named('unfit')] }),
  };
  const judging = judgesKind(
    { expect, kind: () => objects } as unknown as RuleContext,
    judged(kindPaths.secrets, { refused: { 'an immutability that is no yes or no': { immutable: 'often' } } }),
  );
  await expect(judging).rejects.toThrow(/stored all the same: an immutability that is no yes or no/);
});
