import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createSecureContext, type TLSSocket } from 'node:tls';
import { hostInUrl } from '../../host-in-url.ts';
import { edited } from '../sabotage/edited.ts';
import { type Json, jsonOf } from '../verbs/json.ts';
import { type KeyPair, makeAuthority, makePair } from './certificates.ts';
import { guarded, listeningFor, rest, sendJson } from './https-service.ts';

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
  /** Of the Authorization header; empty without one. */
  readonly authorization: string;
  /** Common name of the client certificate that was shown; empty without one. */
  readonly certificate: string;
  /** Without the query. */
  readonly path: string;
  /** How long it may take, as it is told beside the path. */
  readonly query: string;
  readonly review: Json;
  /** Milliseconds of the clock that only goes forward. */
  readonly at: number;
}

/** One webhook of one rule: a place that the server under test can call. */
export interface Hook {
  readonly url: string;
  readonly port: number;
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
  readonly port: number;
  readonly caBundle: string;
  readonly handlers: Map<string, Handler>;
}

const running = new Map<string, Promise<HookServer>>();
let count = 0;

export interface HookPlace {
  /** The name or address at which the server under test reaches this machine. */
  readonly host: string;
  /** `name.namespace.svc`: what comes for this host without a path is for the hook as well. */
  readonly service?: string;
}

/** Opens a webhook on this machine; all of a process share one port. */
export async function openHook(respond: Handler['respond'], { host, service }: HookPlace): Promise<Hook> {
  const server = running.get(host) ?? startHooks(host);
  running.set(host, server);
  const { url, port, caBundle, handlers } = await server;
  const names = [`hook-${++count}`, ...(service ? [service] : [])];
  const received: ReceivedReview[] = [];
  for (const name of names) handlers.set(name, { received, respond });
  const close = (): void => {
    for (const name of names) handlers.delete(name);
  };
  return { url: `${url}/${names[0]}`, port, caBundle, received, close };
}

/**
 * The part of a path by which a sabotage asks for a review to be misread: `/hook-1/spoil/request.uid/value`. By
 * `/hook-1/spoil/at/value` it is taken to have come as many milliseconds later.
 */
const spoiling = '/spoil/';

async function startHooks(host: string): Promise<HookServer> {
  const authority = await makeAuthority('touchstone-webhooks');
  const pairs = new Map<string, Promise<KeyPair>>();
  const pairFor = (name: string): Promise<KeyPair> => {
    const pair =
      pairs.get(name) ?? makePair({ name: 'CN=touchstone-webhook', usage: 'server', hosts: [name] }, authority);
    pairs.set(name, pair);
    return pair;
  };
  const { certificate, key } = await pairFor(host);
  const handlers = new Map<string, Handler>();
  const server = createServer({
    cert: certificate,
    key,
    keepAliveTimeout: rest,
    requestCert: true,
    rejectUnauthorized: false,
    // Services are called by names of their own.
    SNICallback: (name, done) => {
      pairFor(name).then(
        (pair) => done(null, createSecureContext({ cert: pair.certificate, key: pair.key })),
        (error: Error) => done(error),
      );
    },
  });
  serve(server, handlers);
  await new Promise<void>((resolve) => server.listen(0, listeningFor(host), resolve));
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://${hostInUrl(host)}:${port}`,
    port,
    caBundle: Buffer.from(authority.certificate).toString('base64'),
    handlers,
  };
}

function serve(server: Server, handlers: ReadonlyMap<string, Handler>): void {
  server.on('request', async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const asked = (request.url ?? '/').split('?')[0] ?? '/';
    const [path = '', spoiled] = asked.slice(1).split(spoiling);
    const handler = handlers.get(path.replace(/\/$/, '') || hostOf(request));
    if (!handler) return void response.writeHead(404).end();
    const sent = jsonOf(Buffer.concat(chunks));
    const review = misread(sent, spoiled);
    handler.received.push({
      authorization: request.headers.authorization ?? '',
      certificate: commonName(request.socket as TLSSocket),
      method: request.method ?? '',
      path: asked,
      query: (request.url ?? '').split('?')[1] ?? '',
      contentType: request.headers['content-type'] ?? '',
      review,
      at: performance.now() + latenessOf(spoiled),
    });
    // The answer itself stays what the server expects: only what the rule sees is spoiled.
    guarded(response, () => answer(response, sent, handler.respond(review)));
  });
}

const latenessOf = (spoiled: string | undefined): number =>
  spoiled?.startsWith('at/') ? Number(spoiled.slice('at/'.length)) : 0;

const hostOf = ({ headers }: IncomingMessage): string => (headers.host ?? '').replace(/:\d+$/, '');

function commonName(socket: TLSSocket): string {
  const { CN } = socket.getPeerCertificate()?.subject ?? {};
  return typeof CN === 'string' ? CN : '';
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
