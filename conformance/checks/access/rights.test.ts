import { expect, test } from 'vitest';
import type { RuleContext } from '../../verbs/context.ts';
import { waitUntil } from '../../verbs/wait-until.ts';
import { expectRights, may, mayNot } from './rights.ts';

const made = { create: async () => ({ metadata: { name: 'made' } }) };
const context = {
  ...{ roles: made, roleBindings: made, as: () => ({}), unique: () => 'user', expect },
  waitUntil: (...[what, look, accept]: Parameters<typeof waitUntil>) => waitUntil(what, look, accept, { limit: 200 }),
} as unknown as RuleContext;

/** What these servers answer, one after the other as a balancer picks them; the last goes on. */
const answering = (...statuses: readonly number[]) => {
  let asked = 0;
  return async () => ({ status: statuses[Math.min(asked++, statuses.length - 1)] ?? 0 });
};

test('of several servers the next may hear of a right later than the first', async () => {
  const attempts = { first: may(answering(403, 200)), second: may(answering(403, 403, 200)) };
  await expectRights(context, [], attempts);
});

test('what is not granted is refused at once, and what is granted is not refused for good', async () => {
  const granted = { first: may(answering(200)) };
  await expect(expectRights(context, [], { ...granted, more: mayNot(answering(200, 403)) })).rejects.toThrow('more');
  await expect(expectRights(context, [], { first: may(answering(403)) })).rejects.toThrow('first is allowed');
});
