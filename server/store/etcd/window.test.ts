import { expect, it } from 'vitest';
import { UnavailableError } from '../store.ts';
import { Window } from './window.ts';

/** A window for two, and things that are done when the test says so, in the order in which they have begun. */
function things() {
  const clock = { now: 0 };
  const window = new Window(2, 1000, () => clock.now);
  const begun: string[] = [];
  const open = new Map<string, PromiseWithResolvers<string>>();
  const add = (name: string, isUrgent = false) =>
    window.run(isUrgent, () => {
      begun.push(name);
      const thing = Promise.withResolvers<string>();
      open.set(name, thing);
      return thing.promise;
    });
  const done = async (name: string) => {
    open.get(name)?.resolve(name);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { clock, begun, open, add, done };
}

it('lets so many begin, and then one for each that is done, in their order', async () => {
  const { begun, add, done } = things();
  const all = ['a', 'b', 'c', 'd'].map((name) => add(name));
  expect(begun).toEqual(['a', 'b']);
  await done('b');
  expect(begun).toEqual(['a', 'b', 'c']);
  for (const name of ['a', 'c', 'd']) await done(name);
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
});

it('lets what is urgent pass those that wait', async () => {
  const { begun, add, done } = things();
  for (const name of ['a', 'b', 'c']) void add(name);
  void add('urgent', true);
  await done('a');
  expect(begun).toEqual(['a', 'b', 'urgent']);
});

it('goes on after one that failed', async () => {
  const { begun, open, add } = things();
  const failing = add('a');
  for (const name of ['b', 'c']) void add(name);
  open.get('a')?.reject(new Error('lost'));
  await expect(failing).rejects.toThrow('lost');
  await new Promise((resolve) => setImmediate(resolve));
  expect(begun).toEqual(['a', 'b', 'c']);
});

it('gives up those that waited too long, and begins those that came later', async () => {
  const { clock, begun, add, done } = things();
  for (const name of ['a', 'b']) void add(name);
  const early = add('early');
  clock.now = 600;
  void add('late');
  clock.now = 1000;
  const over = done('a');
  await expect(early).rejects.toThrow(UnavailableError);
  await over;
  expect(begun).toEqual(['a', 'b', 'late']);
});
