import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { checkNeeded, type OptionKind } from '../mistyped.ts';
import { decodeReview, encodeReview, NoReviewError } from './admission-review.ts';
import { ReviewMetrics } from './metrics.ts';
import { type Policy, pathOf } from './policy.ts';

/** Certificate (with its chain) and key; PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

export interface ServeOptions {
  readonly policies: readonly Policy[];
  readonly address: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly keyPair: KeyPair;
  /** A policy failed. */
  report(error: unknown): void;
}

export interface WebhookServer {
  readonly port: number;
  /** For new connections. @throws Error when certificate and key do not fit together */
  setKeyPair(keyPair: KeyPair): void;
  /** Not ready any more; calls under way finish, for a time, then connections close. */
  stop(): Promise<void>;
}

/** A review holds an object twice at most, and objects have about 3 MiB at most. */
const largestBody = 8 * 1024 * 1024;
const connections = 1000;
/** Milliseconds. API servers wait 30 s at most. */
const patience = { headers: 10_000, request: 30_000, idle: 60_000, stop: 10_000 };

/** The type asks for one that is missing here. */
const optionKinds: Readonly<Record<keyof ServeOptions, OptionKind>> = {
  ...{ policies: 'a list', address: 'a text', port: 'a number', keyPair: 'an object', report: 'a function' },
};

/**
 * Serves policies over HTTPS, with `/readyz` and `/metrics` beside them.
 * @throws Error when it cannot listen, or by that key pair; TypeError for options that cannot be meant, or are missing
 */
export async function serve(options: ServeOptions): Promise<WebhookServer> {
  checkNeeded(options, optionKinds, ['policies', 'address', 'port', 'keyPair', 'report']);
  const { policies, address, port, keyPair, report } = options;
  const byPath = new Map(policies.map((policy) => [pathOf(policy), policy]));
  const metrics = new ReviewMetrics();
  let stopping = false;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [path = ''] = (request.url ?? '').split('?', 1);
    const policy = byPath.get(path);
    if (policy && request.method === 'POST') return review(request, response, { policy, metrics, report });
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return sendText(response, policy ? 405 : 404, 'not found');
    if (path === '/readyz') return sendText(response, stopping ? 503 : 200, stopping ? 'stopping' : 'ok');
    if (path === '/metrics')
      return sendText(response, 200, await metrics.text(), { 'content-type': metrics.contentType });
    sendText(response, policy ? 405 : 404, policy ? 'reviews are posted' : 'not found');
  };
  const server = createServer(
    { ...keyPair, requestTimeout: patience.request, headersTimeout: patience.headers },
    (request, response) => {
      if (stopping) response.setHeader('connection', 'close');
      answer(request, response).catch((error: unknown) => {
        report(error);
        sendText(response, 500, 'the review failed');
      });
    },
  );
  server.maxConnections = connections;
  server.keepAliveTimeout = patience.idle;
  const sockets = track(server);
  await listening(server, port, address);
  return {
    port: (server.address() as AddressInfo).port,
    setKeyPair: (next) => server.setSecureContext(next),
    async stop() {
      stopping = true;
      await closed(server, sockets);
    },
  };
}

interface Reviewing extends Pick<ServeOptions, 'report'> {
  readonly policy: Policy;
  readonly metrics: ReviewMetrics;
}

async function review(
  request: IncomingMessage,
  response: ServerResponse,
  { policy, metrics, report }: Reviewing,
): Promise<void> {
  const body = await readBody(request);
  if (body === undefined) return sendText(response, 413, `at most ${largestBody} bytes`, { connection: 'close' });
  const start = performance.now();
  try {
    const asked = decodeReview(body);
    const decision = policy.decide(asked);
    sendText(response, 200, encodeReview(asked, decision), { 'content-type': 'application/json' });
    const outcome = decision.allowed ? (decision.patch ? 'patched' : 'allowed') : 'denied';
    metrics.count(policy.name, asked.operation, outcome, start);
  } catch (error) {
    const bad = error instanceof NoReviewError;
    metrics.count(policy.name, '', 'failed', start);
    if (!bad) report(error);
    // The API server then does what the webhook's failurePolicy says.
    sendText(response, bad ? 400 : 500, bad ? error.message : 'the policy failed');
  }
}

/** Undefined: there was more than a review can have. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > largestBody) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function sendText(response: ServerResponse, code: number, body: string, headers: OutgoingHttpHeaders = {}): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(code, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    ...headers,
  });
  response.end(body);
}

function track(server: Server): ReadonlySet<Duplex> {
  const sockets = new Set<Duplex>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  return sockets;
}

const listening = (server: Server, port: number, address: string) =>
  new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, () => {
      server.off('error', reject);
      resolve();
    });
  });

/** Idle connections end at once, those at work when they are done or the patience is over. */
const closed = (server: Server, sockets: ReadonlySet<Duplex>) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, patience.stop);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
