import { expect, test } from 'vitest';
import type { Answer, Send } from '../verbs/client.ts';
import { asking } from './inspect.ts';
import { isNarrow } from './narrow-rights.ts';
import { startReference } from './reference.ts';

const answering = (status: number, body?: unknown): Send => (async () => ({ status, body }) as Answer) as Send;

test.each([
  [true, answering(201, { status: { allowed: false } })],
  [false, answering(201, { status: { allowed: true } })],
  [false, answering(201, {})],
  [false, answering(404)],
  [false, (() => Promise.reject(new Error('gone'))) as Send],
])('%s', async (narrow, send) => {
  expect(await isNarrow(send)).toBe(narrow);
});

test('an administrator of the reference server has no narrow rights', async () => {
  const { target, stop } = await startReference();
  try {
    expect(await asking(target, isNarrow)).toBe(false);
  } finally {
    await stop();
  }
});
