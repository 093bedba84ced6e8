import { once } from 'node:events';
import http, { type RequestListener } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { FakeClock } from '../runtime/fake-clock.fixture.ts';
import type { Way } from '../runtime/pods/pod-network.ts';
import type { Ingress } from '../runtime/resources.ts';
import type { Endpoint } from './endpoints.ts';
import { Gateway } from './gateway.ts';
import { planRoutes } from './plan.ts';

const backend = { service: { name: 'web', port: { number: 80 } } };
export const everything: Ingress = { metadata: { namespace: 'ns' }, spec: { defaultBackend: backend } };

/** A gateway that sends everything to these ports. */
export const gatewayTo = (...ports: readonly number[]) => gatewayBy(undefined, ports);

/** The same, where a way may lead to them. */
export async function gatewayBy(way: Way | undefined, ports: readonly number[]) {
  const clock = new FakeClock();
  const gateway = new Gateway({ address: '127.0.0.1', httpPort: 0, httpsPort: 0, clock, ...(way && { way }) });
  onTestFinished(() => gateway.destroy());
  await gateway.open();
  gateway.route(planRoutes([everything]), new Map());
  gateway.backends.set('ns/web', new Map([[80, ports.map(endpoint)]]));
  return { gateway, clock, port: gateway.ports.httpPort };
}

export const endpoint = (port: number): Endpoint => ({ host: '127.0.0.1', port, origin: `http://127.0.0.1:${port}` });

/** A backend, until the test is over. Gives its port. */
export async function serving(listener: RequestListener, upgrade?: (socket: net.Socket) => void): Promise<number> {
  const server = http.createServer(listener).listen(0, '127.0.0.1');
  if (upgrade) server.on('upgrade', (_, socket: net.Socket) => upgrade(socket));
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

/** A port where nobody listens. */
export async function deadPort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** Sends the bytes and gives all that comes back. */
export async function raw(port: number, bytes: string): Promise<string> {
  const socket = net.connect(port, '127.0.0.1');
  socket.write(bytes);
  return text(socket);
}

/** Answers what it was asked. */
export const echo: RequestListener = async (request, response) => {
  const body = await text(request);
  response.end(JSON.stringify({ url: request.url, headers: request.headers, raw: request.rawHeaders, body }));
};
