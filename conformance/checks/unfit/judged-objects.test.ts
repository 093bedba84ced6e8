import { expect, test } from 'vitest';
import type { SendOptions } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { posted } from './judged-objects.ts';

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
