import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** A port of this machine that nobody listened on a moment ago: the one that is wanted, or any where somebody has it. */
export async function freePort(wanted = 0): Promise<number> {
  const server = createServer().listen(wanted, '127.0.0.1');
  const port = await once(server, 'listening').then(
    () => (server.address() as AddressInfo).port,
    (error) => {
      if (wanted === 0) throw error;
    },
  );
  if (port === undefined) return freePort();
  server.close();
  await once(server, 'close');
  return port;
}
