import http from 'node:http';
import https from 'node:https';
import type { RemoteService } from './kubeconfig.ts';

export interface JsonCallLimits {
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

const defaultLimits: JsonCallLimits = { timeoutMs: 10_000, maxBytes: 1 << 20 };

/** Asks one remote service and reads its JSON answers; connections are kept for the next call. */
export class JsonCaller {
  readonly #service: RemoteService;
  readonly #agent: http.Agent;
  readonly #limits: JsonCallLimits;
  constructor(service: RemoteService, limits: JsonCallLimits = defaultLimits) {
    this.#service = service;
    this.#limits = limits;
    this.#agent =
      service.url.protocol === 'https:'
        ? new https.Agent({
            keepAlive: true,
            ca: service.ca,
            cert: service.certificate,
            key: service.key,
            rejectUnauthorized: !service.insecureSkipVerify,
            ...(service.serverName && { servername: service.serverName }),
          })
        : new http.Agent({ keepAlive: true });
  }
  /** POST of `body` to the service's URL. @throws Error unless the answer is 2xx with JSON in time and size */
  post(body: unknown): Promise<unknown> {
    return this.#call('POST', this.#service.url, JSON.stringify(body));
  }
  /** GET of another URL with the service's trust and credentials. @throws Error as `post` */
  get(url: URL): Promise<unknown> {
    return this.#call('GET', url, undefined);
  }
  close(): void {
    this.#agent.destroy();
  }
  async #call(method: string, url: URL, body: string | undefined): Promise<unknown> {
    const { status, text } = await this.#send(method, url, body);
    if (status < 200 || status > 299) throw new Error(`${url.origin} answered ${status}`);
    try {
      return JSON.parse(text);
    } catch {
      throw new Error(`${url.origin} did not answer JSON`);
    }
  }
  #send(method: string, url: URL, body: string | undefined): Promise<{ status: number; text: string }> {
    const { timeoutMs, maxBytes } = this.#limits;
    const headers: Record<string, string> = { accept: 'application/json' };
    if (body !== undefined) headers['content-type'] = 'application/json';
    if (this.#service.authorization) headers.authorization = this.#service.authorization;
    return new Promise((resolve, reject) => {
      const request = (url.protocol === 'https:' ? https : http).request(
        url,
        { method, headers, agent: this.#agent, signal: AbortSignal.timeout(timeoutMs) },
        (response) => {
          const chunks: Buffer[] = [];
          let size = 0;
          response.on('data', (chunk: Buffer) => {
            size += chunk.length;
            if (size > maxBytes) response.destroy(new Error(`the answer exceeds ${maxBytes} bytes`));
            else chunks.push(chunk);
          });
          response.on('error', reject);
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
          );
        },
      );
      request.on('error', reject);
      request.end(body);
    });
  }
}
