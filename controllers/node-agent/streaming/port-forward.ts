import type { Duplex, Readable, Writable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { Refusal } from '../container-runtime.ts';
import { ChannelSocket } from './channel-socket.ts';
import { portForwardProtocol, tunnelProtocol } from './protocols.ts';
import { SpdySession, type SpdyStream } from './spdy-session.ts';
import { acceptSpdy, acceptWebSocket, type Upgrade, wantsSpdy } from './upgrades.ts';

/** Connects to a port of the pod. */
export type Connect = (port: number) => Promise<Duplex>;

/** Channels over a WebSocket that carries no SPDY: two for each port that the query names. */
const channelProtocol = 'v4.channel.k8s.io';
/** Ports that one such request may name. */
const mostPorts = 100;

/** Forwards connections to ports of a pod until the client leaves. @throws Refusal before the connection is taken over */
export async function servePortForward(upgrade: Upgrade, connect: Connect): Promise<void> {
  if (wantsSpdy(upgrade.request)) {
    acceptSpdy(upgrade, [portForwardProtocol]);
    return overSpdy(upgrade.socket, connect);
  }
  const { protocol, webSocket } = await acceptWebSocket(upgrade, [tunnelProtocol, channelProtocol]);
  if (protocol === tunnelProtocol) {
    const { createWebSocketStream } = await import('ws');
    return overSpdy(createWebSocketStream(webSocket), connect);
  }
  const ports = portsOf(upgrade.request.url ?? '');
  const socket = new ChannelSocket(webSocket);
  const forwarded = ports.map((port, index) =>
    forward(connect, port, {
      from: socket.input(2 * index),
      to: greeted(socket.output(2 * index), port),
      error: greeted(socket.output(2 * index + 1), port),
    }),
  );
  await Promise.all(forwarded);
  webSocket.close(1000);
}

/** A client opens two streams for each connection, which belong together by their request id. */
async function overSpdy(wire: Duplex, connect: Connect): Promise<void> {
  const waiting = new Map<string, Map<string, SpdyStream>>();
  const session = new SpdySession(wire, (stream) => {
    const id = stream.headers.get('requestid') ?? stream.headers.get('port') ?? '';
    const pair = waiting.get(id) ?? new Map<string, SpdyStream>();
    waiting.set(id, pair);
    pair.set(stream.headers.get('streamtype') ?? '', stream);
    const [data, error] = [pair.get('data'), pair.get('error')];
    if (!data || !error) return;
    waiting.delete(id);
    void forward(connect, Number(data.headers.get('port')), { from: data, to: data, error });
  });
  await session.run();
}

interface Ends {
  readonly from: Readable;
  readonly to: Writable;
  /** Where a failure is told; ended without a word when there is none. */
  readonly error: Writable;
}

/** Carries one connection both ways. Never throws. */
async function forward(connect: Connect, port: number, { from, to, error }: Ends): Promise<void> {
  try {
    const target = await connect(port);
    target.on('error', () => {});
    finished(from, { writable: false }).catch(() => target.destroy());
    from.pipe(target);
    // The port decides when it is over: who is connected to it may not know before he is told.
    await pipeline(target, to);
    error.end();
    from.unpipe(target).resume();
  } catch (failure) {
    error.end(`error forwarding port ${port}: ${failure instanceof Error ? failure.message : failure}`);
    to.end();
  }
}

/** @throws Refusal */
function portsOf(url: string): readonly number[] {
  const given = new URL(url, 'http://node').searchParams;
  const ports = [...given.getAll('port'), ...given.getAll('ports')].flatMap((each) => each.split(',')).map(Number);
  if (ports.length === 0 || ports.length > mostPorts || !ports.every((port) => port > 0 && port < 65_536))
    throw new Refusal(400, 'the query names no ports, or such as there are none');
  return ports;
}

/** Each channel begins with the number of its port. */
function greeted(output: Writable, port: number): Writable {
  const number = Buffer.alloc(2);
  number.writeUInt16LE(port);
  output.write(number);
  return output;
}
