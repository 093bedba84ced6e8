import http from 'node:http';
import https from 'node:https';
import type { Readable } from 'node:stream';
import type { Connection } from './connection.ts';

/** One request as it goes over the wire. */
export interface Call {
  readonly method: string;
  /** With its query, below the server's own path. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
  /** Milliseconds without a byte after which the connection counts as dead. */
  readonly silence: number;
  /** Whether the answer is a watch. */
  readonly lasting: boolean;
}

export interface Answer {
  readonly code: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Readable;
}

/** Sends a request. Resolves with the head of the answer. @throws Error when the connection fails */
export async function send(connection: Connection, call: Call): Promise<Answer> {
  const options = await connection.options(call.lasting);
  const root = connection.url.pathname.replace(/\/$/, '');
  return new Promise((resolve, reject) => {
    const request = (options.protocol === 'http:' ? http : https).request({
      ...options,
      method: call.method,
      path: root + call.path,
      headers: { ...options.headers, ...call.headers },
      signal: call.signal,
    });
    request.setTimeout(call.silence, () => request.destroy(new Error('the server has been silent for too long')));
    request.on('error', reject);
    request.on('response', (response) => {
      resolve({ code: response.statusCode ?? 0, headers: response.headers, body: response });
    });
    request.end(call.body);
  });
}

/** The whole body as text. @throws Error when the connection breaks before its end */
export async function textOf(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
