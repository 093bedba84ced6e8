import { startServer } from '../../server/start.ts';
import { Client } from '../runtime/client.ts';
import { systemClock } from '../runtime/clock.ts';
import { connect } from '../runtime/connection/connection.ts';
import { startRelay } from './relay.fixture.ts';
import { type Server, startSeparateServer } from './separate-server.fixture.ts';

/** Set to 1, tests run against a server in a process of its own. */
const separate = process.env['TEST_SEPARATE_SERVER'] === '1';

/** A server and a client of it, for tests. */
export async function startLab(options: Parameters<typeof startServer>[0] = {}) {
  const server: Server = separate ? await startSeparateServer(options) : await startServer(options);
  const connection = await connect({ text: server.kubeconfig });
  const ending = new AbortController();
  const client = new Client({ connection, clock: systemClock, signal: ending.signal, userAgent: 'test' });
  const relays: { close(): void }[] = [];
  return {
    server,
    client,
    kubeconfig: server.kubeconfig,
    async relay() {
      const relay = await startRelay(server);
      relays.push(relay);
      return relay;
    },
    async stop() {
      for (const relay of relays) relay.close();
      ending.abort();
      connection.close();
      await server.stop();
    },
  };
}

export type Lab = Awaited<ReturnType<typeof startLab>>;

/** Asks again until the answer is not undefined, for at most `limit` milliseconds. */
export async function eventually<T>(ask: () => Promise<T | undefined>, limit = 10_000): Promise<T> {
  const end = Date.now() + limit;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > end) throw new Error(`not within ${limit} ms: ${ask}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
