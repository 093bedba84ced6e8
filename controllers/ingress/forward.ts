import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import type { Endpoint } from './endpoints.ts';
import { answeredHeaders, forwardedHeaders } from './headers.ts';

/** Requests that may be sent twice, should a backend close its connection without an answer. */
const repeatable = new Set(['GET', 'HEAD', 'OPTIONS']);

/** What may stand behind a status. What is no Latin-1 was mistaken for UTF-8 on its way. */
const sayable = /^[\t\x20-\x7e\x80-\xff]*$/;

/** How many endpoints a request may try. */
export const attempts = 3;

/** Milliseconds that a backend has to begin its answer, and that it may fall silent in the middle of it. */
const limits = { headersTimeout: 60_000, bodyTimeout: 300_000 };

/** Sends a request on to the first of the endpoints that takes it, and its answer back, both as they come. */
export function forward(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  { endpoints, dispatcher }: { readonly endpoints: readonly Endpoint[]; readonly dispatcher: Dispatcher },
): void {
  new Forwarding(request, response, dispatcher, endpoints).send(path);
}

export const hasBody = ({ 'content-length': length, 'transfer-encoding': coding }: IncomingHttpHeaders): boolean =>
  coding !== undefined || (length !== undefined && length !== '0');

class Forwarding implements Dispatcher.DispatchHandler {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #dispatcher: Dispatcher;
  readonly #endpoints: readonly Endpoint[];
  readonly #hasBody: boolean;
  #path = '';
  #tried = 0;
  #bodySent = false;
  #controller: Dispatcher.DispatchController | undefined;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    dispatcher: Dispatcher,
    endpoints: readonly Endpoint[],
  ) {
    this.#request = request;
    this.#response = response;
    this.#dispatcher = dispatcher;
    this.#endpoints = endpoints;
    this.#hasBody = hasBody(request.headers);
    response.once('close', () => {
      if (!response.writableFinished) this.#controller?.abort(new Error('the client has gone'));
    });
  }

  send(path: string): void {
    const endpoint = this.#endpoints[this.#tried % this.#endpoints.length] as Endpoint;
    this.#path = path;
    this.#tried += 1;
    const body = this.#hasBody ? this.#request.iterator({ destroyOnReturn: false }) : null;
    const { method = 'GET' } = this.#request;
    const headers = forwardedHeaders(this.#request);
    // undici takes what can be iterated, which its type does not say.
    const options = { origin: endpoint.origin, path, method, headers, body: body as never, ...limits };
    this.#dispatcher.dispatch(options, this);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#response.destroyed) controller.abort(new Error('the client has gone'));
  }

  onBodySent(): void {
    this.#bodySent = true;
  }

  onResponseStart(
    { rawHeaders }: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
    message = '',
  ): void {
    if (status < 200) return;
    this.#response.writeHead(
      status,
      sayable.test(message) ? message : '',
      answeredHeaders(rawHeaders as readonly Buffer[]),
    );
    // Of an answer without a known length nobody knows when it goes on: who waits for its head gets it now.
    if (headers['content-length'] === undefined) this.#response.flushHeaders();
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#response.write(chunk)) return;
    controller.pause();
    this.#response.once('drain', () => controller.resume());
  }

  onResponseEnd(): void {
    this.#response.end();
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error & { readonly code?: string }): void {
    if (this.#response.destroyed) return;
    if (this.#response.headersSent) this.#response.destroy();
    else if (this.#mayRepeat(error)) this.send(this.#path);
    else refuse(this.#response, error.code === 'UND_ERR_HEADERS_TIMEOUT' ? 504 : 502);
  }

  #mayRepeat({ code = '' }: { readonly code?: string }): boolean {
    if (this.#tried >= attempts) return false;
    if (unreachable.has(code)) return !this.#bodySent;
    const isCut = code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE';
    return isCut && !this.#hasBody && repeatable.has(this.#request.method ?? '');
  }
}

/** Errors of connections that never were: the backend has seen nothing. */
export const unreachable: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
]);

const reasons: Readonly<Record<number, string>> = {
  400: 'the request names no path',
  404: 'no Ingress has a route for this',
  502: 'the backend does not answer as it should',
  503: 'the backend has no endpoint that is ready',
  504: 'the backend takes too long',
};

/** Answers in the controller's own name. */
export function refuse(response: ServerResponse, status: number): void {
  const text = `${reasons[status]}\n`;
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'content-length': text.length });
  response.end(text);
}
