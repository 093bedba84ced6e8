import { afterEach, beforeEach, describe, expect, test as plain, vi } from 'vitest';
import { test, testWith } from './vitest.ts';

const own = testWith({ controllers: [] });
const aConfigMap = '{ apiVersion: v1, kind: ConfigMap, metadata: { name: a } }';

describe('a fault that nobody takes back', () => {
  test.fails('ends with its test, also with one that fails', async ({ server, namespace }) => {
    await server.faults.inject({ fault: 'fail', code: 403, times: 0 });
    expect(namespace).toBe('');
  });

  test('is none of the next one', async ({ apply }) => {
    await expect(apply(aConfigMap)).resolves.toHaveLength(1);
  });
});

describe('a test with fake timers', () => {
  afterEach(() => void vi.useRealTimers());

  test('is answered as any other, and may stop its server', { timeout: 10_000 }, async ({ apply, client, fork }) => {
    vi.useFakeTimers();
    await apply(aConfigMap);
    await expect(client.read('/api/v1/namespaces?limit=1')).resolves.toBeDefined();
    await fork.settle({ quiet: 20 });
    await fork.stop();
  });

  test('leaves a server that answers the next one', async ({ apply }) => {
    await expect(apply(aConfigMap)).resolves.toHaveLength(1);
  });
});

describe('the start of a server', () => {
  let begun: boolean;
  beforeEach(({ task }) => {
    begun = 'server' in task.context;
  });

  own('is over when the time of the first test begins', ({ server }) => {
    expect([begun, server.url]).toEqual([true, expect.stringContaining('https://')]);
  });

  plain('is spared where a test is none of those', () => expect(begun).toBe(false));
});
