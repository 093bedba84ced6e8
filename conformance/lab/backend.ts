import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Authority, makeAuthority, makePair } from './certificates.ts';
import { type Answering, serveHttps } from './https-service.ts';

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

/** A server passes longer bodies on than it reads itself. */
const mostBytes = 8 << 20;

/** One for all of a process. */
let authority: Promise<Authority> | undefined;

/** @param host at which the other server reaches this machine @param service `name.namespace.svc`, by which it knows this one */
export async function openBackend(
  answer: (asked: AskedBackend) => BackendAnswer,
  { host, service }: { readonly host: string; readonly service: string },
): Promise<Backend> {
  authority ??= makeAuthority('touchstone-backends');
  const issuer = await authority;
  const pair = await makePair({ name: 'CN=backend', usage: 'server', hosts: [service] }, issuer);
  const answering: Answering = (request, body, response) => send(response, answer(asked(request, body)));
  const { port, stop } = await serveHttps(0, pair, answering, { host, mostBytes });
  return { port, caBundle: Buffer.from(issuer.certificate).toString('base64'), close: () => void stop() };
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
