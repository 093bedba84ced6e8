import http from 'node:http';
import https, { Agent } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

/** What becomes of a request on its way: passed on, lost before it arrives, answered into the void, or never heard of again. */
export type Fate = 'pass' | 'lose request' | 'lose answer' | 'swallow';

/** A relay between client and server that can do what networks do. */
export interface Relay {
  /** A kubeconfig by which the server is reached through the relay. */
  readonly kubeconfig: string;
  /** Decides about each request. */
  fate: (method: string, path: string) => Fate;
  /** Breaks all connections that are open now, wherever they are in a line. */
  cut(): void;
  close(): void;
}

interface Target {
  readonly url: string;
  readonly adminToken: string;
}

export async function startRelay({ url, adminToken }: Target): Promise<Relay> {
  const sockets = new Set<Socket>();
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
  const server = http.createServer((incoming, outgoing) => {
    const fate = relay.fate(incoming.method ?? '', incoming.url ?? '');
    if (fate === 'lose request') return void incoming.socket.destroy();
    if (fate === 'swallow') return void incoming.resume();
    const { method, headers } = incoming;
    const onward = https.request(url + incoming.url, { method, headers, agent }, (answer) => {
      if (fate === 'lose answer') {
        answer.resume();
        answer.on('end', () => incoming.socket.destroy());
        return;
      }
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
      answer.on('error', () => outgoing.destroy());
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const relay: Relay = {
    kubeconfig: JSON.stringify({
      clusters: [{ name: 'r', cluster: { server: `http://127.0.0.1:${port}` } }],
      users: [{ name: 'r', user: { token: adminToken } }],
      contexts: [{ name: 'r', context: { cluster: 'r', user: 'r' } }],
      'current-context': 'r',
    }),
    fate: () => 'pass',
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
    close: () => {
      relay.cut();
      agent.destroy();
      server.close();
    },
  };
  return relay;
}
