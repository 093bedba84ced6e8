import { isOver, letOthers } from '../../base/turns/loop-turn.ts';
import { callPath } from '../../http-client/call-path.ts';
import { type At, type CallLimits, RenewedCaller, type Trust } from '../../http-client/http-call.ts';
import { wordsFor } from '../../http-client/words-for.ts';
import type { Webhook } from '../../kinds/admissionregistration/webhook-shape.ts';
import type { ServiceAddress } from '../../kinds/core/service/reach.ts';
import { pemBlocks } from '../../x509/pem.ts';
import type { WebhookCredentials } from '../webhook-credentials.ts';

/** Bytes that an answer may have; the largest object, patched anew as a whole, takes little more than half. */
const largestAnswer = 8 * 1024 * 1024;

export interface ClientServices {
  readonly addressOf: ServiceAddress;
  readonly credentials: WebhookCredentials;
}

/** Where a webhook is, whatever changes behind it. */
interface Target {
  /** As messages show it, without a query. */
  readonly text: string;
  readonly host: string;
  readonly port: number;
  readonly service?: { readonly namespace: string; readonly name: string };
}

function targetOf({ clientConfig: { url, service } = {} }: Webhook): Target {
  if (!service) {
    const { hostname, port, origin, pathname } = new URL(url ?? '');
    return { text: origin + callPath(pathname), host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 443) };
  }
  const { namespace = '', name = '', port = 443, path = '' } = service;
  const host = `${name}.${namespace}.svc`;
  return { text: `https://${host}:${port}${callPath(path)}`, host, port, service: { namespace, name } };
}

/** Tells clients apart: those of equal identity call the same place in the same way. */
export const clientIdentity = ({ clientConfig }: Webhook): string => JSON.stringify(clientConfig ?? {});

const usualHeaders = { 'content-type': 'application/json', accept: 'application/json, */*' };

/** Calls one webhook over HTTPS, over connections that are kept. */
export class WebhookClient {
  readonly #webhook: Webhook;
  readonly #services: ClientServices;
  readonly #callers = new RenewedCaller();
  /** Made at the first call, since a configuration can name what cannot be called. */
  #ready: { readonly target: Target; readonly trust: Trust } | undefined;

  constructor(webhook: Webhook, services: ClientServices) {
    this.#webhook = webhook;
    this.#services = services;
  }

  /**
   * Sends a review and gives the bytes of the answer.
   * @throws Error no answer within the time, or one that is no success, or is empty; the message tells why
   */
  async post(review: string, timeoutMs: number): Promise<Buffer> {
    this.#ready ??= this.#prepare();
    const { target, trust } = this.#ready;
    const { certificate, key, authorization } = this.#services.credentials(target.host, target.port);
    const caller = this.#callers.for({ ...trust, ...(certificate && key && { certificate, key }) });
    const headers = { ...usualHeaders, ...(authorization && { authorization }) };
    const url = `${target.text}?timeout=${timeoutMs / 1000}s`;
    const limits: CallLimits = { timeoutMs, maxBytes: largestAnswer };
    const answer = await this.#reach(target)
      .then(async (at) => {
        // To begin hundreds of calls takes long.
        if (isOver()) await letOthers();
        return caller.call({ method: 'POST', url: new URL(url), headers, body: review, ...(at && { at }) }, limits);
      })
      .catch((error: unknown) => {
        throw new Error(`Post ${JSON.stringify(url)}: ${wordsFor(error, target.host)}`);
      });
    if (answer.status < 200 || answer.status > 206) throw new Error(wordsForStatus(answer.status));
    if (answer.body.length === 0) {
      const type = answer.headers['content-type'] ?? '';
      throw new Error(`0-length response with status code: ${answer.status} and content type: ${type}`);
    }
    return answer.body;
  }

  /** No new calls: connections close once those under way are over. */
  retire(): void {
    this.#callers.retire();
  }

  #prepare() {
    const target = targetOf(this.#webhook);
    const { caBundle } = this.#webhook.clientConfig ?? {};
    const trust: Trust = {
      ...(caBundle && { ca: certificatesIn(caBundle) }),
      ...(target.service && { serverName: target.host }),
    };
    return { target, trust };
  }

  async #reach({ service, port }: Target): Promise<At | undefined> {
    return service && this.#services.addressOf(service.namespace, service.name, port);
  }
}

/** @throws Error there is no certificate in it */
function certificatesIn(caBundle: string): string {
  const pem = Buffer.from(caBundle, 'base64');
  for (const { label } of pemBlocks(pem)) if (label === 'CERTIFICATE') return pem.toString('latin1');
  throw new Error('unable to load root certificates: the caBundle holds no certificate');
}

function wordsForStatus(status: number): string {
  if (status === 404) return 'the server could not find the requested resource';
  if (status >= 500) return 'an error on the server ("unknown") has prevented the request from succeeding';
  return `the webhook answered HTTP ${status}`;
}
