import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type TLSSocket } from 'node:tls';
import { Agent, request } from 'undici';
import { type Random, randomOf } from '../../conformance/oracle/play/random.ts';
import { type RunningServer, startServer } from '../../server/start.ts';
import { http1Bytes } from './http1.ts';
import { http2Bytes } from './http2.ts';
import { Relay } from './relay.ts';

export interface Play {
  readonly seed: number;
  readonly connections: number;
  /** The first of them: with the seed, it says what is sent. */
  readonly from?: number;
  /** Told of each connection before it is opened. */
  readonly begins?: (connection: number) => void;
}

/** What was not as it should be. */
export type Findings = readonly string[];

const atATime = 12;
/** Milliseconds: until a server that was left alone has come to rest, and stops. */
const patience = { rest: 15_000, stop: 5000 };

/**
 * Talks to a server in this process as broken and hostile clients do: bytes of HTTP/1.1 and HTTP/2 that are almost right,
 * in pieces, ended in every way. The server must go on answering, and nothing may be left of them.
 */
export async function playBytes({ seed, connections, from = 0, begins = () => {} }: Play): Promise<Findings> {
  const before = resources();
  const server = await startServer();
  const venue = { server, relay: await Relay.to(Number(new URL(server.url).port)) };
  const findings: string[] = [];
  let next = from;
  const work = async () => {
    while (next < from + connections) {
      const number = next++;
      begins(number);
      await talk(venue, randomOf(seed, `connection ${number}`));
      if (number % 100 === 99) findings.push(...(await answers(server)));
    }
  };
  await Promise.all(Array.from({ length: atATime }, work));
  findings.push(...(await comesToRest(server)));
  venue.relay.close();
  const begun = performance.now();
  await server.stop();
  if (performance.now() - begun > patience.stop) findings.push('the server took long to stop');
  const deadline = performance.now() + patience.stop;
  while (resources().length > before.length && performance.now() < deadline) await sleep(20);
  if (resources().length > before.length) findings.push(`left over: ${resources().join(', ')}`);
  return findings;
}

interface Venue {
  readonly server: RunningServer;
  readonly relay: Relay;
}

const resources = () => process.getActiveResourcesInfo().filter((each) => /TCP|TLS|HTTP/.test(each));

async function talk(venue: Venue, random: Random): Promise<void> {
  const isHttp2 = random.once(2);
  const bytes = spoiled(random, (isHttp2 ? http2Bytes : http1Bytes)(random, venue.server.adminToken));
  const socket = await open(venue, isHttp2 !== random.once(20) ? 'h2' : 'http/1.1', random.once(4));
  if (!socket) return;
  if (random.once(5)) socket.pause();
  if (random.once(10)) socket.renegotiate({}, () => {});
  for (const piece of pieces(random, bytes)) {
    if (socket.destroyed) break;
    socket.write(piece);
    if (random.once(3)) await sleep(random.below(5));
  }
  await sleep(random.below(60));
  end(random, venue, socket);
  if (!socket.destroyed) await Promise.race([new Promise((resolve) => socket.once('close', resolve)), sleep(200)]);
  socket.destroy();
}

/** Undefined where the server is too busy with others. */
function open(venue: Venue, protocol: string, isOld: boolean): Promise<TLSSocket | undefined> {
  const { promise, resolve } = Promise.withResolvers<TLSSocket | undefined>();
  const version = isOld ? ({ maxVersion: 'TLSv1.2' } as const) : {};
  const ca = venue.server.certificateAuthority;
  const options = { host: '127.0.0.1', port: venue.relay.port, ca, ALPNProtocols: [protocol], ...version };
  const socket = connect(options, () => resolve(socket));
  socket.on('error', () => resolve(undefined));
  socket.on('data', () => {});
  return promise;
}

/** Mostly as they were; else with something missing, doubled, or other than it was. */
function spoiled(random: Random, bytes: Buffer): Buffer {
  if (bytes.length === 0 || !random.once(2)) return bytes;
  const at = random.below(bytes.length);
  const to = Math.min(bytes.length, at + random.below(40));
  switch (random.below(4)) {
    case 0:
      return bytes.subarray(0, at);
    case 1:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(to)]);
    case 2:
      return Buffer.concat([bytes.subarray(0, to), bytes.subarray(at)]);
    default:
      return Buffer.concat([bytes.subarray(0, at), Buffer.from([random.below(256)]), bytes.subarray(at + 1)]);
  }
}

function* pieces(random: Random, bytes: Buffer): Generator<Buffer> {
  const size = random.pick([bytes.length, bytes.length, 1 + random.below(200), 1 + random.below(2000)]);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

function end(random: Random, { relay }: Venue, socket: TLSSocket): void {
  const ways: readonly (() => void)[] = [
    () => socket.end(),
    () => socket.destroy(),
    () => relay.reset(socket.localPort),
    () => socket.resume(),
  ];
  random.pick(ways)();
}

async function ask({ url, adminToken, certificateAuthority: ca }: RunningServer, path: string): Promise<string> {
  const agent = new Agent({ connect: { ca }, allowH2: false });
  try {
    const headers = { authorization: `Bearer ${adminToken}` };
    const { statusCode, body } = await request(url + path, { dispatcher: agent, headers, headersTimeout: 10_000 });
    return `${statusCode} ${await body.text()}`;
  } finally {
    await agent.destroy();
  }
}

async function answers(server: RunningServer): Promise<Findings> {
  const answer = await ask(server, '/livez').catch(String);
  return answer === '200 ok' ? [] : [`/livez: ${answer}`];
}

/** Requests and watches that go on; the question for them is one of the requests. */
const inProgress =
  /^apiserver_(?:current_inflight_requests (?!1$)|(?:longrunning_requests|registered_watchers)(?:\{.*\})? (?!0$))\S+$/gm;

/** All requests and watches of clients that are gone end. */
async function comesToRest(server: RunningServer): Promise<Findings> {
  const deadline = performance.now() + patience.rest;
  for (;;) {
    const busy = (await ask(server, '/metrics')).match(inProgress) ?? [];
    if (busy.length === 0) return [];
    if (performance.now() > deadline) return busy.map((line) => `still in progress: ${line}`);
    await sleep(200);
  }
}
