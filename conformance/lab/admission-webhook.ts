import type { ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { edited } from '../sabotage/transforms.ts';
import type { Json } from '../verbs/client.ts';
import { makeAuthority, makePair } from './certificates.ts';
import { sendJson } from './https-service.ts';

/** What a webhook answers: parts of the response, or an answer of any other kind. */
export type HookAnswer =
  | { readonly allowed?: boolean; readonly [part: string]: Json }
  | {
      readonly raw: {
        readonly status?: number;
        readonly body?: Json;
        readonly delay?: number;
        readonly contentType?: string;
      };
    };

export interface ReceivedReview {
  readonly method: string;
  readonly contentType: string;
  readonly review: Json;
  /** Milliseconds of the clock that only goes forward. */
  readonly at: number;
}

/** One webhook of one rule: a place that the server under test can call. */
export interface Hook {
  readonly url: string;
  /** Base64 of PEM, as configurations carry it. */
  readonly caBundle: string;
  readonly received: ReceivedReview[];
  readonly close: () => void;
}

interface Handler {
  readonly received: ReceivedReview[];
  readonly respond: (review: Json) => HookAnswer;
}

interface HookServer {
  readonly url: string;
  readonly caBundle: string;
  readonly handlers: Map<string, Handler>;
}

let running: Promise<HookServer> | undefined;
let count = 0;

/** Opens a webhook on this machine; all of a process share one port. */
export async function openHook(respond: Handler['respond']): Promise<Hook> {
  running ??= startHooks();
  const { url, caBundle, handlers } = await running;
  const name = `hook-${++count}`;
  const received: ReceivedReview[] = [];
  handlers.set(name, { received, respond });
  return { url: `${url}/${name}`, caBundle, received, close: () => handlers.delete(name) };
}

/** The part of a path by which a sabotage asks for a review to be misread: `/hook-1/spoil/request.uid/value`. */
const spoiling = '/spoil/';

async function startHooks(): Promise<HookServer> {
  const authority = await makeAuthority('touchstone-webhooks');
  const pair = await makePair({ name: 'CN=touchstone-webhook', usage: 'server' }, authority);
  const handlers = new Map<string, Handler>();
  const server = createServer({ cert: pair.certificate, key: pair.key });
  serve(server, handlers);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}`,
    caBundle: Buffer.from(authority.certificate).toString('base64'),
    handlers,
  };
}

function serve(server: Server, handlers: ReadonlyMap<string, Handler>): void {
  server.on('request', async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const [path = '', spoiled] = (request.url ?? '/').split('?')[0]?.slice(1).split(spoiling) ?? [];
    const handler = handlers.get(path.replace(/\/$/, ''));
    if (!handler) return void response.writeHead(404).end();
    const sent = readJson(Buffer.concat(chunks).toString('utf8'));
    const review = misread(sent, spoiled);
    handler.received.push({
      method: request.method ?? '',
      contentType: request.headers['content-type'] ?? '',
      review,
      at: performance.now(),
    });
    // The answer itself stays what the server expects: only what the rule sees is spoiled.
    answer(response, sent, handler.respond(review));
  });
}

function readJson(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function misread(review: Json, spoiled: string | undefined): Json {
  if (spoiled === undefined) return review;
  const [path = '', value = ''] = spoiled.split('/');
  return edited(review, path.split('.'), () => JSON.parse(decodeURIComponent(value)));
}

function answer(response: ServerResponse, review: Json, given: HookAnswer): void {
  if ('raw' in given) {
    const { status = 200, body = '', delay = 0, contentType = 'application/json' } = given.raw;
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    setTimeout(() => response.writeHead(status, { 'content-type': contentType }).end(text), delay);
    return;
  }
  const { uid } = review?.request ?? {};
  sendJson(response, {
    apiVersion: review?.apiVersion,
    kind: 'AdmissionReview',
    response: { uid, allowed: true, ...given },
  });
}

/** The path under which a hook misreads a part of what it is sent, for sabotages. */
export const spoiledUrl = (url: string, path: string, value: Json): string =>
  `${url}${spoiling}${path}/${encodeURIComponent(JSON.stringify(value ?? null))}`;
