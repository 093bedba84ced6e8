import { KeyObject } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { type Issued, issue, usage } from '../../x509/certificates.fixture.ts';

/** What a webhook is sent, as far as tests look at it. */
export interface SentReview {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request: {
    readonly uid: string;
    readonly operation: string;
    readonly name?: string;
    readonly namespace?: string;
    readonly [field: string]: unknown;
    // biome-ignore lint/suspicious/noExplicitAny: objects of every kind
    readonly object: any;
    // biome-ignore lint/suspicious/noExplicitAny: objects of every kind
    readonly oldObject: any;
  };
}

/** The response to a review, or undefined when it was sent already. */
type Respond = (
  review: SentReview,
  response: ServerResponse,
  request: IncomingMessage,
) => object | undefined | Promise<object | undefined>;

export interface TestWebhook {
  readonly url: string;
  readonly port: number;
  readonly received: SentReview[];
  readonly headers: IncomingMessage['headers'][];
  /** Connections that were opened so far. */
  connections: number;
  /** May be replaced at any time. */
  respond: Respond;
  close(): Promise<void>;
}

const now = Date.now();
const validity = { from: now - 3_600_000, until: now + 3_600_000 };
const names = ['127.0.0.1', 'localhost', 'hook.default.svc'];

let authorities: Promise<{ authority: Issued; server: Issued; other: Issued }> | undefined;

/** One authority for all tests of a file, a server it vouches for, and an authority that nobody knows. */
export function certificates() {
  authorities ??= (async () => {
    const authority = await issue({ name: 'CN=webhook authority', authority: true, ...validity });
    const other = await issue({ name: 'CN=other authority', authority: true, ...validity });
    const server = await issue(
      { name: 'CN=webhook', usages: [usage.serverAuth], hosts: names, ...validity },
      authority,
    );
    return { authority, server, other };
  })();
  return authorities;
}

export const pemOf = ({ certificate }: Issued): string => certificate.toString();
export const keyOf = ({ keys }: Issued) =>
  KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }).toString();
export const bundle = (text: string): string => Buffer.from(text).toString('base64');

/** The patch of an answer. */
export const patchOf = (...operations: readonly object[]) => ({
  patchType: 'JSONPatch',
  patch: bundle(JSON.stringify(operations)),
});

/** A webhook over HTTPS on loopback that allows everything until told otherwise. */
export async function startTestWebhook(
  respond: Respond = () => ({}),
  options: https.ServerOptions = {},
): Promise<TestWebhook> {
  const { server: issued } = await certificates();
  const server = https.createServer({ cert: pemOf(issued), key: keyOf(issued), ...options }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => void answer(webhook, JSON.parse(Buffer.concat(chunks).toString()), request, response));
  });
  server.on('secureConnection', () => webhook.connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const webhook: TestWebhook = {
    url: `https://127.0.0.1:${port}/`,
    port,
    received: [],
    headers: [],
    connections: 0,
    respond,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return webhook;
}

async function answer(
  webhook: TestWebhook,
  review: SentReview,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  webhook.received.push(review);
  webhook.headers.push(request.headers);
  const more = await webhook.respond(review, response, request);
  if (!more) return;
  response.setHeader('content-type', 'application/json');
  const { apiVersion, kind } = review;
  response.end(JSON.stringify({ apiVersion, kind, response: { uid: review.request.uid, allowed: true, ...more } }));
}
