import { describe, expect } from 'vitest';
import { test } from './vitest.ts';

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
