import type { Ids } from '../base/ids.ts';
import type { KubeObject } from '../base/kube-object.ts';
import { statusAnswer } from '../base/status-error.ts';
import { callPath } from '../http-client/call-path.ts';
import { JsonCaller, type JsonText } from '../http-client/json-call.ts';
import type { RemoteService } from '../http-client/kubeconfig.ts';
import { wordsFor } from '../http-client/words-for.ts';
import type { ServiceAddress } from '../kinds/core/service/reach.ts';
import { encodeJson } from '../schema/encode.ts';
import { CarefulJsonParser } from '../schema/json-parser.ts';
import { conversionReview, convertedObjects } from './conversion-review.ts';
import type { ConversionClient, Definition } from './definition-shape.ts';

/** Turns an object into another version of its kind. Never changes its argument. @throws 500 when a webhook fails */
export type ConvertObject = (object: KubeObject, apiVersion: string) => KubeObject | Promise<KubeObject>;

/** Strategy `None`: versions differ in their name alone. */
export const relabel: ConvertObject = (object, apiVersion) => ({ ...object, apiVersion });

export interface ConversionServices {
  readonly ids: Ids;
  readonly addressOf: ServiceAddress;
  /** Milliseconds. Default 30 s. */
  readonly timeoutMs?: number;
}

const defaultTimeoutMs = 30_000;
const largestAnswer = 128 * 1024 * 1024;
const mostObjects = 500;

/** Integers keep all their digits on both ways. Nearly every text has none that a double could not hold. */
const exact: JsonText = {
  stringify: encodeJson,
  parse: (text) => (/\d{16}/.test(text) ? new CarefulJsonParser(text).decode().value : JSON.parse(text)),
};

/** How the objects of a definition get from one version to another. */
export function converterOf({ spec }: Definition, services: ConversionServices): ConvertObject {
  const { strategy, webhook } = spec.conversion ?? {};
  const client = webhook?.clientConfig;
  if (strategy !== 'Webhook' || !client) return relabel;
  const batches = new Batches(new Webhook(client, webhook.conversionReviewVersions ?? [], services));
  return (object, apiVersion) => batches.add(object, apiVersion);
}

interface Waiting {
  readonly object: KubeObject;
  resolve(converted: KubeObject): void;
  reject(error: unknown): void;
}

/** Gathers what is to be converted in one go, such as the items of a list, into one question. */
class Batches {
  readonly #webhook: Webhook;
  #waiting = new Map<string, Waiting[]>();
  constructor(webhook: Webhook) {
    this.#webhook = webhook;
  }
  add(object: KubeObject, apiVersion: string): Promise<KubeObject> {
    if (this.#waiting.size === 0) queueMicrotask(() => this.#flush());
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(apiVersion) ?? [];
      waiting.push({ object, resolve, reject });
      this.#waiting.set(apiVersion, waiting);
    });
  }
  #flush(): void {
    const batches = this.#waiting;
    this.#waiting = new Map();
    for (const [apiVersion, waiting] of batches) {
      for (let i = 0; i < waiting.length; i += mostObjects)
        void this.#ask(waiting.slice(i, i + mostObjects), apiVersion);
    }
  }
  async #ask(waiting: readonly Waiting[], apiVersion: string): Promise<void> {
    try {
      const converted = await this.#webhook.convert(
        waiting.map(({ object }) => object),
        apiVersion,
      );
      for (const [i, { resolve }] of waiting.entries()) resolve(converted[i] as KubeObject);
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }
}

class Webhook {
  readonly #client: ConversionClient;
  readonly #offered: readonly string[];
  readonly #services: ConversionServices;
  /** Keeps connections; those that idle for long end by themselves, also once the definition says something else. */
  readonly #caller: JsonCaller;
  /** Whose certificate it shows. */
  readonly #host: string;
  readonly #trust: Pick<RemoteService, 'ca' | 'insecureSkipVerify'>;
  constructor(client: ConversionClient, offered: readonly string[], services: ConversionServices) {
    this.#client = client;
    this.#offered = offered;
    this.#services = services;
    const limits = { timeoutMs: services.timeoutMs ?? defaultTimeoutMs, maxBytes: largestAnswer };
    this.#caller = new JsonCaller(() => this.#find(), limits, exact);
    const { url, service, caBundle } = client;
    this.#host = service ? `${service.name}.${service.namespace}.svc` : (URL.parse(url ?? '')?.hostname ?? '');
    const ca = caBundle ? { ca: Buffer.from(caBundle, 'base64').toString() } : {};
    this.#trust = { ...ca, insecureSkipVerify: false };
  }

  async convert(objects: readonly KubeObject[], apiVersion: string): Promise<KubeObject[]> {
    const review = conversionReview(this.#offered, this.#services.ids.uid(), apiVersion, objects);
    try {
      return convertedObjects(review, await this.#caller.post(review));
    } catch (error) {
      const [first] = objects;
      const why = error instanceof Error ? wordsFor(error, this.#host) : String(error);
      throw statusAnswer(500, `conversion webhook for ${first?.apiVersion}, Kind=${first?.kind} failed: ${why}`);
    }
  }

  /** Where it is now. */
  async #find(): Promise<RemoteService> {
    const { url, service } = this.#client;
    const target = service ? await this.#serviceTarget(service) : { url: new URL(url ?? '') };
    target.url.pathname = callPath(target.url.pathname);
    return { ...target, ...this.#trust };
  }

  /** The certificate is that of the service's name, whatever address it has. */
  async #serviceTarget({ namespace = '', name = '', path = '', port = 443 }: NonNullable<ConversionClient['service']>) {
    const at = await this.#services.addressOf(namespace, name, port);
    const serverName = this.#host;
    return { url: new URL(`https://${serverName}:${port}/${path}`), serverName, at };
  }
}
