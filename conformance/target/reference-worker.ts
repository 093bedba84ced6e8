import { type MessagePort, parentPort, workerData } from 'node:worker_threads';

/**
 * The reference server in a thread of its own, so that it neither waits for the judge nor shares its memory. Told its
 * flags, it says where it listens; told anything, it ends.
 */
const { optionsFrom, parseFlags } = await import('../../server/command-line.ts');
const { serverFlags } = await import('../../server/flags.ts');
const { startServer } = await import('../../server/start.ts');

const port = parentPort as MessagePort;
const { certDir: _, ...options } = optionsFrom(parseFlags(serverFlags, workerData as readonly string[]));
const { url, adminToken, certificateAuthority, stop } = await startServer({ ...options, securePort: 0 });
port.once('message', async () => {
  await stop();
  port.close();
});
port.postMessage({ url, token: adminToken, certificateAuthority });
