import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { clearTimeout, setTimeout } from 'node:timers';
import { StatusError } from '../../base/status-error.ts';
import { CallTimeoutError } from '../../http-client/http-call.ts';
import type { Destination } from '../../kinds/destination.ts';
import { setCommonHeaders } from '../answer/respond.ts';
import type { Exchange } from '../exchange.ts';
import type { Backends } from './backends.ts';
import { passedBack, passedOn, upgrading } from './headers.ts';

/** Characters of a refusal that are told. */
const longestRefusal = 2000;

/** Passes a request on and its answer back. @throws what the destination says when nobody could be reached */
export async function forward(exchange: Exchange, backends: Backends, destination: Destination): Promise<'sent'> {
  const { incoming, upgrade } = exchange;
  const headers = { ...passedOn(exchange), ...destination.headers, ...(upgrade && upgrading(exchange)) };
  const request = await backends
    .request(destination, { method: incoming.method ?? 'GET', headers })
    .catch((error: unknown) => {
      throw error instanceof StatusError ? error : destination.unreachable(messageOf(error));
    });
  exchange.ending.whenOver(() => request.destroy());
  if (destination.within) endAfter(request, destination.within);
  if (upgrade) request.end();
  else incoming.pipe(request);
  const answer = await answerTo(request, destination, upgrade !== undefined);
  if ('socket' in answer) handOver(exchange, backends, answer);
  else await passBack(exchange, destination, answer.response);
  return 'sent';
}

function endAfter(request: ClientRequest, milliseconds: number): void {
  const timer = setTimeout(() => request.destroy(new CallTimeoutError(milliseconds)), milliseconds);
  request.once('close', () => clearTimeout(timer));
}

type Answered =
  | { readonly response: IncomingMessage }
  | { readonly response: IncomingMessage; readonly socket: Duplex; readonly head: Buffer };

const answerTo = (request: ClientRequest, { unreachable }: Destination, upgrades: boolean): Promise<Answered> =>
  new Promise((resolve, reject) => {
    request.on('error', (error) => reject(unreachable(messageOf(error))));
    request.on('response', (response) => resolve({ response }));
    request.on('upgrade', (response, socket, head) => {
      if (upgrades) return resolve({ response, socket, head });
      socket.destroy();
      const to = JSON.stringify(response.headers.upgrade ?? '');
      reject(unreachable(`backend tried to switch protocol ${to} when "" was requested`));
    });
  });

/** From here on the two connections are one. */
function handOver(
  { upgrade, outgoing }: Exchange,
  backends: Backends,
  { response, socket, head }: Extract<Answered, { socket: Duplex }>,
): void {
  const client = upgrade?.socket;
  if (!client) return void socket.destroy();
  outgoing.statusCode = 101;
  const lines = response.rawHeaders.flatMap((name, index, all) =>
    index % 2 === 0 ? [`${name}: ${all[index + 1]}`] : [],
  );
  client.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`);
  if (head.length > 0) client.write(head);
  if (upgrade.head.length > 0) socket.write(upgrade.head);
  backends.keep(client);
  const end = () => {
    client.destroy();
    socket.destroy();
  };
  for (const each of [client, socket]) each.once('error', end).once('close', end);
  client.pipe(socket).pipe(client);
}

async function passBack(exchange: Exchange, destination: Destination, response: IncomingMessage): Promise<void> {
  const { refused, redirected, path } = destination;
  const code = response.statusCode ?? 502;
  if (redirected && code >= 300 && code <= 399 && response.headers.location) {
    response.destroy();
    throw redirected();
  }
  if (refused && (code < 200 || code > 299)) throw refused(code, await shortText(response));
  const { outgoing, info } = exchange;
  const [own = ''] = path.split('?');
  // The path that the client asked for ends with what was asked there.
  const prefix = info.path.endsWith(own) ? info.path.slice(0, info.path.length - own.length) : info.path;
  const headers = passedBack(response, prefix);
  setCommonHeaders(exchange);
  const out = outgoing as ServerResponse;
  out.writeHead(code, headers);
  out.flushHeaders();
  await pipeline(response, out).catch(() => out.destroy());
}

async function shortText(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response) {
    text += chunk;
    if (text.length > longestRefusal) break;
  }
  return text.slice(0, longestRefusal).trim();
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
