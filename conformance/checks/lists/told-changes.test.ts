import { expect, test } from 'vitest';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { labelSelections } from './selections.ts';
import { tellsSelected } from './told-changes.ts';

const event = (type: string, name: string | undefined): Json => ({ type, object: { metadata: { name } } });

/** What a watch is told of three objects, by those of them that it selects, when the first becomes as the third is. */
const eventsOf = (left: readonly number[], names: readonly string[]): readonly Json[] => {
  const [first, second, third] = [0, 1, 2].map((index) => left.includes(index));
  return [
    ...left.map((index) => event('ADDED', names[index])),
    ...(first && third ? [event('MODIFIED', names[0])] : []),
    ...(first && !third ? [event('DELETED', names[0])] : []),
    ...(!first && third ? [event('ADDED', names[0])] : []),
    ...names.filter((_, index) => [third, second, third][index]).map((name) => event('DELETED', name)),
  ];
};

/** A server that tells its watches so, and what it tells before that. */
function serverOf(before: (names: readonly string[]) => readonly Json[]) {
  const names: string[] = [];
  const watch = async ({ labelSelector }: Json) => {
    const { left = [] } = labelSelections.find(({ query }) => query['labelSelector'] === labelSelector) ?? {};
    const take = async (count: number, accept: (one: Json) => boolean = () => true) =>
      [...before(names), ...eventsOf(left, names)].filter(accept).slice(0, count);
    return { take, close: () => undefined };
  };
  const createMany = async (_: number, __: Json, prefix: string) => {
    names.push(prefix);
    return [{ metadata: { name: prefix } }];
  };
  const objects = {
    ...{
      place: async () => '',
      createMany,
      watch,
      list: async () => ({ metadata: { resourceVersion: '1' }, items: [] }),
    },
    ...{ read: async () => ({ metadata: {} }), put: async () => ({ status: 200 }), remove: async () => undefined },
  };
  return { objects, expect } as unknown as Parameters<typeof tellsSelected>[0] & RuleContext;
}

test('what others write into the namespace meanwhile does not matter', async () => {
  const others = ['ADDED', 'MODIFIED'].map((type) => event(type, 'pull-secret'));
  await expect(tellsSelected(serverOf(() => others))).resolves.toBeUndefined();
});

test('an object of the rule may not be told of to who did not select it', async () => {
  const told = tellsSelected(serverOf((names) => [event('ADDED', names[1])]));
  await expect(told).rejects.toThrow('a watch by');
});
