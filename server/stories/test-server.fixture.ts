import { connect, type TLSSocket } from 'node:tls';
import { Agent, request } from 'undici';
import type { Status } from '../base/status-error.ts';
import type { ServerOptions } from '../options/options.ts';
import { type RunningServer, startServer } from '../start.ts';
import { withInvariants } from '../store/invariants.fixture.ts';
import { MemoryStore } from '../store/memory-store.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every kind
type Body = any;

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The JSON of the body; undefined when it is none. */
  readonly body: Body;
  readonly text: string;
}

export interface Question {
  /** Sent as JSON unless it is text or bytes. */
  readonly body?: unknown;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** A server over a store that notices broken promises and changed shared values, and a client of its administrator. */
export interface TestServer extends RunningServer {
  call(method: string, path: string, question?: Question): Promise<Answer>;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body: unknown, type?: string): Promise<Answer>;
  put(path: string, body: unknown, type?: string): Promise<Answer>;
  patch(path: string, body: unknown, type: string): Promise<Answer>;
  delete(path: string, body?: unknown): Promise<Answer>;
  /** Events of a watch, until it ends or the signal comes. */
  watch(path: string, signal?: AbortSignal): AsyncGenerator<{ type: string; object: Body }>;
  /** Sends bytes as they are, and reads to the end of the connection. */
  send(bytes: string | Buffer, protocol?: string): Promise<string>;
  /** A connection that the test reads and writes by itself. */
  open(protocol?: string): Promise<TLSSocket>;
}

export async function startTestServer(options: Partial<ServerOptions> = {}): Promise<TestServer> {
  const store = withInvariants(new MemoryStore({ freeze: true }));
  const server = await startServer({ ...(!options.etcdServers && !options.dataDir && { store }), ...options });
  const agent = new Agent({ connect: { ca: server.certificateAuthority }, pipelining: 1 });
  const authorization = `Bearer ${server.adminToken}`;
  const ask = (method: string, path: string, { body, type, headers, signal }: Question = {}) =>
    request(server.url + path, {
      dispatcher: agent,
      method: method as 'GET',
      headers: { authorization, ...(body !== undefined && { 'content-type': type ?? 'application/json' }), ...headers },
      ...(body !== undefined && { body: wire(body) }),
      ...(signal && { signal }),
    });
  const call = async (method: string, path: string, question?: Question): Promise<Answer> => {
    const { statusCode, headers, body } = await ask(method, path, question);
    const text = await body.text();
    return { status: statusCode, headers, text, body: parsed(text) };
  };
  const open = (protocol = 'http/1.1') => connectTo(server, protocol);
  return {
    ...server,
    call,
    get: (path, headers) => call('GET', path, headers ? { headers } : {}),
    post: (path, body, type) => call('POST', path, { body, ...(type && { type }) }),
    put: (path, body, type) => call('PUT', path, { body, ...(type && { type }) }),
    patch: (path, body, type) => call('PATCH', path, { body, type }),
    delete: (path, body) => call('DELETE', path, { body }),
    async *watch(path, signal) {
      const { body } = await ask('GET', path, signal ? { signal } : {});
      yield* lines(body);
    },
    async send(bytes, protocol) {
      const socket = await open(protocol);
      socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
      return readAll(socket);
    },
    open,
    async stop() {
      await server.stop();
      await agent.destroy();
      await store.close();
    },
  };
}

const wire = (body: unknown): string | Buffer =>
  typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);

function parsed(text: string): Body {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function* lines(body: AsyncIterable<Buffer>) {
  let rest = '';
  for await (const chunk of body) {
    const [...whole] = (rest + chunk).split('\n');
    rest = whole.pop() ?? '';
    for (const line of whole) yield JSON.parse(line) as { type: string; object: Body };
  }
}

function connectTo({ url, certificateAuthority: ca }: RunningServer, protocol: string): Promise<TLSSocket> {
  const { hostname: host, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: Number(port), ca, ALPNProtocols: [protocol] }, () => resolve(socket));
    socket.once('error', reject);
  });
}

/** Everything until the other side ends the connection. */
export function readAll(socket: TLSSocket): Promise<string> {
  const chunks: Buffer[] = [];
  return new Promise((resolve) => {
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', () => {});
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
  });
}

/** Whether a body is a well-formed failure of the given code. */
export function isFailure(body: unknown, code: number): boolean {
  const { kind, apiVersion, status, code: own, message } = (body ?? {}) as Partial<Status>;
  return (
    kind === 'Status' && apiVersion === 'v1' && status === 'Failure' && own === code && typeof message === 'string'
  );
}

export const configMap = (name: string, data: Record<string, string> = {}, more: object = {}) => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name, ...more },
  data,
});

export const configMaps = '/api/v1/namespaces/default/configmaps';

/** Names from 0 to one below `count`, in the order of their keys. */
export const numbered = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, i) => `${prefix}-${String(i).padStart(4, '0')}`);
