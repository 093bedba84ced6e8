import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { KeyPair } from '../lab/certificates.ts';

/** A server on the loopback interface that shows this certificate. */
export async function startHttps(
  { certificate, key }: KeyPair,
  answer: (request: IncomingMessage, response: ServerResponse) => unknown,
  port = 0,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const server = createServer({ cert: certificate, key }, answer);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
