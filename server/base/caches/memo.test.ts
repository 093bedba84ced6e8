import { expect, test } from 'vitest';
import { lazily, perKey, perObject } from './memo.ts';

/** Answers with how often it was asked; keeps what it was asked for. */
function counter<K>() {
  const asked: (K | undefined)[] = [];
  return { asked, make: (key?: K) => asked.push(key) };
}

test('a lazy value is made at first use, once, even when it is undefined', () => {
  let made = 0;
  const value = lazily(() => void made++);
  expect(made).toBe(0);
  value();
  value();
  expect(made).toBe(1);
});

test('what follows from an object is made once for each object, even when it is undefined', () => {
  const { asked, make } = counter<object>();
  const [one, other] = [{}, {}];
  const of = perObject((object: object) => {
    make(object);
    return undefined;
  });
  for (const object of [one, other, one, other]) of(object);
  expect(asked).toEqual([one, other]);
});

test('what follows from a key is made once, and again after it had to make room', () => {
  const { asked, make } = counter<string>();
  const of = perKey((key: string) => make(key), 2);
  expect(['a', 'b', 'a', 'c', 'b', 'a'].map(of)).toEqual([1, 2, 1, 3, 2, 4]);
  expect(asked).toEqual(['a', 'b', 'c', 'a']);
});

test('what cannot be made is not kept', () => {
  let fails = true;
  const of = perKey((key: string) => {
    if (fails) throw new Error('not now');
    return key;
  });
  expect(() => of('a')).toThrow('not now');
  fails = false;
  expect(of('a')).toBe('a');
});
