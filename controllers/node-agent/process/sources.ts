import { unlessNotFound } from '../../runtime/api-error.ts';
import type { Client } from '../../runtime/client.ts';
import { type ConfigMap, configMaps, type Secret, secrets } from '../../runtime/resources.ts';

/** Texts or bytes by key, of a ConfigMap or a Secret. */
export type Entries = ReadonlyMap<string, Buffer>;

/** Reads ConfigMaps and Secrets for one pod, each once. */
export class Sources {
  readonly #client: Client;
  readonly #namespace: string;
  readonly #read = new Map<string, Promise<Entries | undefined>>();

  constructor(client: Client, namespace: string) {
    this.#client = client;
    this.#namespace = namespace;
  }

  /** Undefined when it is not there and need not be. @throws Error when it is not there */
  async entries(kind: 'configmap' | 'secret', name: string, optional = false): Promise<Entries | undefined> {
    const id = `${kind} ${name}`;
    const reading = this.#read.get(id) ?? this.#entries(kind, name);
    this.#read.set(id, reading);
    const entries = await reading;
    if (!entries && !optional) throw new Error(`${kind} "${name}" not found`);
    return entries;
  }

  async #entries(kind: 'configmap' | 'secret', name: string): Promise<Entries | undefined> {
    const place = { namespace: this.#namespace, name };
    if (kind === 'secret') return secretEntries(await unlessNotFound(this.#client.get(secrets, place)));
    return mapEntries(await unlessNotFound(this.#client.get(configMaps, place)));
  }
}

const mapEntries = (map: ConfigMap | undefined): Entries | undefined =>
  map &&
  new Map([
    ...Object.entries(map.data ?? {}).map(([key, text]) => [key, Buffer.from(text)] as const),
    ...Object.entries(map.binaryData ?? {}).map(([key, text]) => [key, Buffer.from(text, 'base64')] as const),
  ]);

const secretEntries = (secret: Secret | undefined): Entries | undefined =>
  secret &&
  new Map(Object.entries(secret.data ?? {}).map(([key, text]) => [key, Buffer.from(text, 'base64')] as const));
