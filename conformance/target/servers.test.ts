import { expect, test } from 'vitest';
import type { Answer, Json, Send } from '../verbs/client.ts';
import { serversOf } from './servers.ts';

const telling = (items: Json): Send => (async () => ({ status: 200, body: { items } }) as Answer) as Send;
const slice = (...addresses: readonly string[]) => ({ endpoints: addresses.map((one) => ({ addresses: [one] })) });

test('servers are counted by the addresses that they publish, of one sort of them', async () => {
  expect(await serversOf(telling([slice('10.0.0.1', '10.0.0.2'), slice('fd00::1', 'fd00::2')]))).toBe(2);
  expect(await serversOf(telling([slice('10.0.0.1'), slice('fd00::1')]))).toBe(1);
});

test.each([[undefined], [[]], [[{}]], [[{ endpoints: null }]], ['none']])('%j tells of one', async (items) => {
  expect(await serversOf(telling(items))).toBe(1);
});

test('where one address is published for all of them, servers are told apart by when they started', async () => {
  const starts = ['1.6e+09', '1.7e+09', '1.6e+09', '1.8e+09'];
  const send = (async (_, path, options) => {
    if (path !== '/metrics') return telling([slice('10.0.0.1')])('GET', path);
    expect(options?.headers, 'a connection of its own').toEqual({ connection: 'close' });
    return { status: 200, text: `# TYPE any gauge\nprocess_start_time_seconds ${starts.shift()}\nany 1\n` } as Answer;
  }) as Send;
  expect(await serversOf(send)).toBe(3);
});

test('who does not answer is one server', async () => {
  expect(await serversOf((() => Promise.reject(new Error('gone'))) as Send)).toBe(1);
});
