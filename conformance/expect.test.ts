import { expect, test } from 'vitest';
import { expect as ours } from './expect.ts';

test('the assertions of whoever runs rules in a vitest stay as they are', async () => {
  await expect(Promise.reject(new Error('one of two'))).rejects.toThrow('one of');
  await expect(Promise.resolve('one')).resolves.toBe('one');
});

test('a failed assertion says what was expected, seen and meant', () => {
  const failed = (): void => ours({ a: 1 }, 'what it has').toMatchObject({ a: 2 });
  expect(failed).toThrow(/^what it has: expected \{ a: 1 \} to match object \{ a: 2 \}/);
});
