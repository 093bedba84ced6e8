import { callPath } from '../../http-client/call-path.ts';
import { type At, type CallLimits, CallTimeoutError, RenewedCaller, type Trust } from '../../http-client/http-call.ts';
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
      .then((at) =>
        caller.call({ method: 'POST', url: new URL(url), headers, body: review, ...(at && { at }) }, limits),
      )
      .catch((error: unknown) => {
        throw new Error(`Post ${JSON.stringify(url)}: ${wordsFor(error, target)}`);
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

const unknownAuthority: readonly string[] = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_SIGNATURE_FAILURE',
];

/** What went wrong with a connection, as people who know v1.25 servers search for it. */
function wordsFor(error: unknown, { host }: Target): string {
  const [cause] = error instanceof AggregateError ? error.errors : [error];
  if (cause instanceof CallTimeoutError) return 'context deadline exceeded';
  const { code = '', message, address, port } = cause as NodeJS.ErrnoException & { address?: string; port?: number };
  const at = address?.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
  if (code === 'ECONNREFUSED') return `dial tcp ${at}: connect: connection refused`;
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH') return `dial tcp ${at}: connect: no route to host`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `dial tcp: lookup ${host}: no such host`;
  if (code === 'ECONNRESET') return 'connection reset by peer';
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID')
    return 'x509: certificate has expired or is not yet valid';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `x509: certificate is not valid for ${host}`;
  return unknownAuthority.includes(code) ? 'x509: certificate signed by unknown authority' : message;
}

function wordsForStatus(status: number): string {
  if (status === 404) return 'the server could not find the requested resource';
  if (status >= 500) return 'an error on the server ("unknown") has prevented the request from succeeding';
  return `the webhook answered HTTP ${status}`;
}
