import nock from 'nock';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { Client } from './client.ts';
import type { Clock } from './clock.ts';
import { connect } from './connection/connection.ts';

// Plain, because nock's pretended TLS sockets do not bear being closed early.
export const host = 'http://api.example:6443';
export const path = '/api/v1/namespaces/ns/configmaps';
export const place = { namespace: 'ns', name: 'a' };

/** Time that passes when someone waits for it, and says how long they waited. */
export function setUp() {
  const waits: number[] = [];
  let now = 0;
  const clock: Clock = {
    now: () => now,
    after: (milliseconds, callback) => {
      waits.push(milliseconds);
      now += milliseconds;
      const handle = setImmediate(callback);
      return () => clearImmediate(handle);
    },
  };
  const pass = (milliseconds: number) => {
    now += milliseconds;
  };
  return { waits, clock, pass };
}

/** A client of what nock plays. */
export async function clientFor(
  clock: Clock,
  signal = new AbortController().signal,
  warned = (_: string): void => undefined,
) {
  const text = JSON.stringify({
    clusters: [{ name: 'c', cluster: { server: host } }],
    users: [{ name: 'u', user: { token: 'secret' } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  });
  return new Client({ connection: await connect({ text }), clock, signal, warned, userAgent: 'test' });
}

export const status = (code: number, reason: string) => ({
  kind: 'Status',
  status: 'Failure',
  code,
  reason,
  message: `it is ${reason}`,
});

/** In the tests of a file that calls this nock plays the server, and no other is reached. */
export function playServer(): void {
  beforeAll(() => nock.disableNetConnect());
  afterEach(() => nock.cleanAll());
  afterAll(() => {
    nock.enableNetConnect();
    nock.restore();
  });
}
