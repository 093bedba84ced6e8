import { type CallLimits, RenewedCaller } from './http-call.ts';
import type { RemoteService } from './kubeconfig.ts';

/** How bodies become text, and answers values. */
export interface JsonText {
  stringify(value: unknown): string;
  parse(text: string): unknown;
}

const defaultLimits: CallLimits = { timeoutMs: 10_000, maxBytes: 1 << 20 };

/** Asks one remote service and reads its JSON answers; connections are kept for the next call. */
export class JsonCaller {
  readonly #service: () => RemoteService | Promise<RemoteService>;
  readonly #caller = new RenewedCaller();
  readonly #limits: CallLimits;
  readonly #json: JsonText;
  /** @param service as it is now, asked for with each call */
  constructor(
    service: () => RemoteService | Promise<RemoteService>,
    limits: CallLimits = defaultLimits,
    json: JsonText = JSON,
  ) {
    this.#service = service;
    this.#limits = limits;
    this.#json = json;
  }
  /** POST of `body` to the service's URL. @throws Error unless the answer is 2xx with JSON in time and size */
  async post(body: unknown): Promise<unknown> {
    const service = await this.#service();
    return this.#call(service, 'POST', service.url, this.#json.stringify(body));
  }
  /** GET of another URL with the service's trust and credentials. @throws Error as `post` */
  async get(url: URL): Promise<unknown> {
    return this.#call(await this.#service(), 'GET', url, undefined);
  }
  close(): void {
    this.#caller.close();
  }
  async #call(service: RemoteService, method: string, url: URL, body: string | undefined): Promise<unknown> {
    const { at, authorization, url: _any, ...trust } = service;
    const headers: Record<string, string> = { accept: 'application/json' };
    if (body !== undefined) headers['content-type'] = 'application/json';
    if (authorization) headers.authorization = authorization;
    const question = { method, url, headers, ...(body !== undefined && { body }), ...(at && { at }) };
    const answer = await this.#caller.for(trust).call(question, this.#limits);
    if (answer.status < 200 || answer.status > 299) throw new Error(`${url.origin} answered ${answer.status}`);
    try {
      return this.#json.parse(answer.body.toString());
    } catch {
      throw new Error(`${url.origin} did not answer JSON`);
    }
  }
}
