import { expect, test } from 'vitest';
import type { RuleContext } from '../../verbs/context.ts';
import { waitUntil } from '../../verbs/wait-until.ts';
import { unlessBehind } from './leaving-namespaces.ts';

/** A cluster that tells of so many namespaces that are going, one look after the other. */
function cluster(...looks: readonly number[]) {
  let looked = 0;
  const going = (name: number) => ({ metadata: { name: `n${name}`, deletionTimestamp: 'now' } });
  const list = async () => ({ items: Array.from({ length: looks[looked++] ?? 0 }, (_, at) => going(at)) });
  return { namespaces: { list }, patience: 10 } as unknown as RuleContext;
}

/** Waits for what never comes, by looks that take their time. */
const never = (isOver: () => boolean) =>
  waitUntil(
    'it is gone',
    () => new Promise((resolve) => setTimeout(resolve, 20)),
    () => false,
    { isOver },
  );
const yes = async () => true;

test('what becomes of it in time is judged', async () => {
  await expect(unlessBehind(cluster(5, 4), async () => {}, yes)).resolves.toBeUndefined();
});

test('a controller that is at work on those before it is not judged, though looks take long', async () => {
  await expect(unlessBehind(cluster(5, 4), never, yes)).rejects.toThrow('4 namespaces behind');
});

test.each([
  ['has nothing before it', cluster(0, 0), yes],
  ['does nothing', cluster(5, 5), yes],
  ['has begun with this one', cluster(5, 4), async () => false],
])('a controller that %s is judged', async (_, context, isUntouched) => {
  await expect(unlessBehind(context, never, isUntouched)).rejects.toThrow('until it is gone');
});
