import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Agent, type Dispatcher, request as forward } from 'undici';
import { type Target, withoutCertificate } from '../target/target.ts';
import { connect } from '../verbs/wire/connections.ts';
import { certificateHeader, connectionAfter } from '../verbs/wire/outgoing.ts';
import { isAnswer, type Meddling, type ProxiedAnswer, type ProxiedRequest, type Sabotage } from './sabotage.ts';

/** Stands between the suite and a target and breaks what the sabotage says. */
export interface TargetProxy {
  /** The target as reached through the proxy. */
  readonly target: Target;
  readonly stop: () => Promise<void>;
}

const hopByHop = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'host',
  'content-length',
  'te',
  'trailer',
]);

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

const endToEnd = (headers: Headers): Record<string, string | readonly string[]> =>
  Object.fromEntries(
    Object.entries(headers).filter(
      (pair): pair is [string, string | readonly string[]] => pair[1] !== undefined && !hopByHop.has(pair[0]),
    ),
  );

/** What is given twice stays apart. */
const givenHeaders = ({ headersDistinct }: IncomingMessage): Headers =>
  Object.fromEntries(
    Object.entries(headersDistinct).map(([name, values = []]) => [name, values.length === 1 ? values[0] : values]),
  );

async function readRequest(incoming: IncomingMessage): Promise<ProxiedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const [path = '/', rawQuery = ''] = splitOnce(incoming.url ?? '/', '?');
  return {
    method: incoming.method ?? 'GET',
    path,
    rawQuery,
    query: new URLSearchParams(rawQuery),
    headers: endToEnd(givenHeaders(incoming)),
    body: Buffer.concat(chunks),
  };
}

function splitOnce(text: string, mark: string): string[] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function reply(outgoing: ServerResponse, answer: ProxiedAnswer): void {
  const { 'content-length': _, ...headers } = answer.headers as Record<string, string | string[]>;
  outgoing.writeHead(answer.status, { ...headers, 'content-length': answer.body.length });
  outgoing.end(answer.body);
}

const isStream = (request: ProxiedRequest, status: number): boolean => {
  const watch = request.query.get('watch');
  const asked = watch !== null && watch !== '0' && watch.toLowerCase() !== 'false';
  return status === 200 && request.method === 'GET' && (asked || /^\/apis?\/.*\/watch\//.test(request.path));
};

type Body = Dispatcher.ResponseData['body'];

async function relayBytes(body: Body, outgoing: ServerResponse): Promise<void> {
  for await (const chunk of body) outgoing.write(chunk);
  outgoing.end();
}

async function relayStream(
  body: Body,
  outgoing: ServerResponse,
  request: ProxiedRequest,
  meddling: Meddling,
): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) for (const event of meddledEvents(line, request, meddling)) outgoing.write(`${event}\n`);
  }
  outgoing.end(rest);
}

function meddledEvents(line: string, request: ProxiedRequest, meddling: Meddling): readonly string[] {
  if (!meddling.event) return [line];
  try {
    return meddling
      .event(JSON.parse(line), request)
      .map((event) => (typeof event === 'string' ? event : JSON.stringify(event)));
  } catch {
    return [line];
  }
}

/** What stands behind the proxy, and what it does to it. */
interface Behind {
  readonly target: Target;
  readonly upstream: Upstream;
  readonly meddling: Meddling;
}

async function handle(incoming: IncomingMessage, outgoing: ServerResponse, behind: Behind): Promise<void> {
  const { meddling } = behind;
  const original = await readRequest(incoming);
  const request = meddling.request?.(original) ?? original;
  if (isAnswer(request)) return reply(outgoing, request);
  const stop = new AbortController();
  outgoing.on('close', () => stop.abort());
  const response = await passOn(request, behind, stop.signal);
  const head = { status: response.statusCode, headers: endToEnd(response.headers) };
  if (isStream(request, response.statusCode)) {
    const changed = meddling.streamHead?.(head, original) ?? head;
    outgoing.writeHead(changed.status, changed.headers as Record<string, string | string[]>);
    outgoing.flushHeaders();
    // Its frames are no lines of text.
    if (String(head.headers['content-type']).includes('protobuf')) return relayBytes(response.body, outgoing);
    return relayStream(response.body, outgoing, original, meddling);
  }
  const answer = { ...head, body: Buffer.from(await response.body.arrayBuffer()) };
  reply(outgoing, meddling.answer?.(answer, original) ?? answer);
}

function passOn(request: ProxiedRequest, { target, upstream }: Behind, signal: AbortSignal) {
  const { [certificateHeader]: shown, ...headers } = request.headers;
  return forward(`${target.url}${request.path}${request.rawQuery === '' ? '' : `?${request.rawQuery}`}`, {
    method: request.method as Dispatcher.HttpMethod,
    headers: headers as Record<string, string | string[]>,
    body: request.body.length === 0 ? null : request.body,
    dispatcher: upstream.showing(shown as string | undefined),
    signal,
    headersTimeout: 0,
    bodyTimeout: 0,
    ...connectionAfter(request.method),
  });
}

/** Connections to the target, by the client certificate they show. */
interface Upstream {
  /** `none`, a pair as the client passes it on, or undefined for the target's own. */
  readonly showing: (certificate: string | undefined) => Dispatcher;
  readonly stop: () => Promise<void>;
}

function makeUpstream(target: Target, own: Dispatcher): Upstream {
  const others = new Map<string, Agent>();
  const connected = (certificate: string): Agent => {
    if (certificate === 'none') return connect(withoutCertificate(target));
    const pair = JSON.parse(Buffer.from(certificate, 'base64').toString('utf8'));
    return connect({ ...target, clientCertificate: pair.certificate, clientKey: pair.key });
  };
  return {
    showing(certificate) {
      if (certificate === undefined) return own;
      const agent = others.get(certificate) ?? connected(certificate);
      others.set(certificate, agent);
      return agent;
    },
    stop: async () => void (await Promise.all([...others.values()].map((agent) => agent.destroy()))),
  };
}

/** Starts a proxy on a free port of the loopback interface. `agent` reaches the target. */
export async function startProxy(target: Target, agent: Dispatcher, sabotage: Sabotage): Promise<TargetProxy> {
  const upstream = makeUpstream(target, agent);
  const behind = { target, upstream, meddling: sabotage.begin() };
  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing, behind).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { token, username, password } = target;
  return {
    target: {
      url: `http://127.0.0.1:${port}`,
      proxied: true,
      ...(token ? { token } : {}),
      ...(username === undefined ? {} : { username, password: password ?? '' }),
    },
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await Promise.all([closed, upstream.stop()]);
    },
  };
}
