import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type Authority, makeAuthority, makePair } from './certificates.ts';
import { rest } from './https-service.ts';

/** What is asked, as it came. */
export interface AskedBackend {
  readonly method: string;
  readonly path: string;
  /** In the order of names. */
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers: NodeJS.Dict<string[]>;
  readonly body: string;
}

/** What it answers; `hangs`: nothing; `breaks`: it ends the connection instead. */
export interface BackendAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** How often the body is sent, one after the other. */
  readonly times?: number;
  readonly hangs?: boolean;
  readonly breaks?: boolean;
}

/** A server that serves groups behind another one. */
export interface Backend {
  readonly port: number;
  /** Base64 of PEM, as an APIService carries it. */
  readonly caBundle: string;
  readonly close: () => void;
}

/** One for all of a process. */
let authority: Promise<Authority> | undefined;

/** @param host at which the other server reaches this machine @param service `name.namespace.svc`, by which it knows this one */
export async function openBackend(
  answer: (asked: AskedBackend) => BackendAnswer,
  { host, service }: { readonly host: string; readonly service: string },
): Promise<Backend> {
  authority ??= makeAuthority('touchstone-backends');
  const issuer = await authority;
  const { certificate, key } = await makePair({ name: 'CN=backend', usage: 'server', hosts: [service] }, issuer);
  const server = createServer({ cert: certificate, key, keepAliveTimeout: rest }, async (request, response) => {
    const body = await bodyOf(request).catch(() => undefined);
    if (body !== undefined) send(response, answer(asked(request, body)));
  });
  const local = host === '127.0.0.1' || host === 'localhost';
  await new Promise<void>((resolve) => server.listen(0, local ? '127.0.0.1' : undefined, resolve));
  server.unref();
  return {
    port: (server.address() as AddressInfo).port,
    caBundle: Buffer.from(issuer.certificate).toString('base64'),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function asked(request: IncomingMessage, body: string): AskedBackend {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'https://backend');
  searchParams.sort();
  const { method = '', headersDistinct: headers } = request;
  return { method, path: pathname, query: [...searchParams], headers, body };
}

function send(response: ServerResponse, answer: BackendAnswer): void {
  const { status = 200, headers = {}, body = '', times = 1, hangs, breaks } = answer;
  if (hangs) return;
  if (breaks) return void response.destroy();
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body.repeat(times));
}
