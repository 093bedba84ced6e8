import { type MessagePort, parentPort } from 'node:worker_threads';
import type { HostAnswer, HostOrder } from './reference-host.ts';

/** Reference servers in a thread of their own, so that they do not wait for the judge. */
const { optionsFrom, parseFlags } = await import('../../server/options/command-line.ts');
const { serverFlags } = await import('../../server/options/flags.ts');
const { startServer } = await import('../../server/start.ts');

type Server = Awaited<ReturnType<typeof startServer>>;

/**
 * A run writes for minutes and looks back for seconds, and hardly comes back to an object: what is older need not take
 * the memory of all who judge. Some rules write megabytes at once, beside those that look back.
 */
const memory = { historyBytes: 32 * 1024 * 1024, decodedBytes: 1024 * 1024 };

const port = parentPort as MessagePort;
const servers = new Map<number, Server>();
const starting = new Set<Promise<void>>();
const say = (answer: HostAnswer): void => port.postMessage(answer);

async function start(id: number, flags: readonly string[]): Promise<void> {
  try {
    const { certDir: _, ...options } = optionsFrom(parseFlags(serverFlags, flags));
    const server = await startServer({ ...options, ...memory, securePort: 0 });
    servers.set(id, server);
    const { url, adminToken: token, certificateAuthority } = server;
    say({ started: id, target: { url, token, certificateAuthority } });
  } catch (error) {
    say({ failed: id, why: error instanceof Error ? error.message : String(error) });
  }
}

async function stop(id: number): Promise<void> {
  await servers.get(id)?.stop();
  servers.delete(id);
  say({ stopped: id });
}

port.on('message', async (order: HostOrder) => {
  if ('start' in order) {
    const begun = start(order.start, order.flags);
    starting.add(begun);
    return begun.finally(() => starting.delete(begun));
  }
  if ('stop' in order) return stop(order.stop);
  // One that is on its way up would stay.
  await Promise.all(starting);
  await Promise.all([...servers.keys()].map(stop));
  port.close();
});
