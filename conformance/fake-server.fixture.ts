import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json } from './verbs/client.ts';

/** A few lines that behave like an API server, for tests of the judge itself. It keeps objects by path, no more. */
export interface FakeServer {
  readonly url: string;
  /** `METHOD path?query` of every request. */
  readonly requests: readonly string[];
  readonly headersSeen: readonly IncomingMessage['headers'][];
  readonly objects: ReadonlyMap<string, Json>;
  readonly stop: () => Promise<void>;
}

/** Answers a request itself, when it likes to; otherwise the fake does. */
export type Whim = (
  request: { method: string; path: string; query: URLSearchParams; body: Json; headers: IncomingMessage['headers'] },
  response: ServerResponse,
) => boolean;

const status = (code: number, reason: string): Json => ({
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  reason,
  message: reason,
  code,
});

async function bodyOf(request: IncomingMessage): Promise<Json> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return text === '' ? undefined : JSON.parse(text);
}

export async function startFakeServer(whim: Whim = () => false): Promise<FakeServer> {
  const objects = new Map<string, Json>();
  const requests: string[] = [];
  const headersSeen: IncomingMessage['headers'][] = [];
  let version = 0;
  const store = (path: string, object: Json): Json => {
    version += 1;
    const metadata = {
      uid: `uid-${version}`,
      ...objects.get(path)?.metadata,
      ...object.metadata,
      resourceVersion: String(version),
    };
    objects.set(path, { ...object, metadata });
    return objects.get(path);
  };
  const list = (path: string): Json => {
    const items = [...objects]
      .filter(([key]) => key.startsWith(`${path}/`) && !key.slice(path.length + 1).includes('/'))
      .map(([, object]) => object);
    return { kind: 'List', apiVersion: 'v1', metadata: { resourceVersion: String(version) }, items };
  };
  const answer = (method: string, path: string, body: Json): [number, Json] => {
    const known = objects.get(path);
    if (method === 'POST' && typeof body?.metadata?.name !== 'string') return [422, status(422, 'Invalid')];
    if (method === 'POST')
      return objects.has(`${path}/${body.metadata.name}`)
        ? [409, status(409, 'AlreadyExists')]
        : [201, store(`${path}/${body.metadata.name}`, body)];
    if (method === 'GET' && !known && /s$/.test(path)) return [200, list(path)];
    if (!known) return [404, status(404, 'NotFound')];
    if (method === 'GET') return [200, known];
    if (method === 'PUT') return [200, store(path, body)];
    if (method === 'PATCH')
      return [200, store(path, { ...known, ...body, metadata: { ...known.metadata, ...body.metadata } })];
    objects.delete(path);
    return [200, { ...status(200, ''), status: 'Success' }];
  };
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://fake');
    const method = request.method ?? 'GET';
    requests.push(`${method} ${request.url}`);
    headersSeen.push(request.headers);
    const body = await bodyOf(request);
    if (whim({ method, path: url.pathname, query: url.searchParams, body, headers: request.headers }, response)) return;
    const [code, content] = answer(method, url.pathname, body);
    response.writeHead(code, { 'content-type': 'application/json' }).end(`${JSON.stringify(content)}\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    headersSeen,
    objects,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
