import { afterAll, beforeAll, expect, it } from 'vitest';
import { MemoryStore } from '../store/memory-store.ts';
import { OverloadedError, StorageError, UnavailableError } from '../store/store.ts';
import { isFailure, startTestServer, type TestServer } from '../stories/test-server.fixture.ts';

const secrets = '/api/v1/namespaces/default/secrets';

let server: TestServer;
/** What the store says instead of doing anything. */
let trouble: Error | undefined;

beforeAll(async () => {
  const failing = new Proxy(new MemoryStore(), {
    get(store, name) {
      const method = Reflect.get(store, name);
      if (typeof method !== 'function') return method;
      return (...args: unknown[]) => (trouble ? Promise.reject(trouble) : method.apply(store, args));
    },
  });
  server = await startTestServer({ store: failing });
});
afterAll(() => server.stop());

const write = () => server.post(secrets, { metadata: { generateName: 'a-' } });
const read = () => server.get(`${secrets}/some`);
const list = () => server.get(secrets);

it.each([
  ['a full disk', new StorageError('ENOSPC'), 507, 'InsufficientStorage', undefined],
  ['a full memory', new OverloadedError('nearly used up'), 429, 'TooManyRequests', '1'],
  ['an etcd that does not answer', new UnavailableError('no answer'), 504, 'Timeout', undefined],
])('%s is told to all who ask, until it is over', async (_, failure, code, reason, retryAfter) => {
  for (const ask of [write, read, list]) {
    trouble = failure;
    const answer = await ask();
    trouble = undefined;
    expect([answer.status, answer.body.reason, answer.headers['retry-after']]).toEqual([code, reason, retryAfter]);
    expect(answer.body.message).toContain(failure.message);
    expect(isFailure(answer.body, code)).toBe(true);
  }
  expect((await write()).status).toBe(201);
  expect((await list()).status).toBe(200);
});
