import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { unlessNotFound } from '../../controllers/runtime/api-error.ts';
import { Client } from '../../controllers/runtime/client.ts';
import { systemClock } from '../../controllers/runtime/clock.ts';
import { type Connection, connect } from '../../controllers/runtime/connection/connection.ts';
import { type KubeObject, keyOf } from '../../controllers/runtime/kube-object.ts';
import { namespaces, type Resource, serviceAccounts } from '../../controllers/runtime/resources.ts';
import { writeSecretFile } from '../base/files/write-file.ts';
import { pause, systemTimers } from '../base/time/timers.ts';
import type { RunningServer } from '../start.ts';
import { type ToldEvent, worldReport } from './world-report.ts';

export type { Client } from '../../controllers/runtime/client.ts';

/** A namespace that nobody else has, and ways to act in it as an administrator. */
export interface World {
  readonly server: RunningServer;
  readonly namespace: string;
  readonly client: Client;
  /**
   * Creates or changes objects, given as YAML of one or more documents, by server-side apply and in their order; those of
   * namespaced kinds without a namespace go into this one. Gives them as stored.
   * @throws Error when the text is no YAML or the server does not serve a kind
   */
  apply(yaml: string): Promise<readonly KubeObject[]>;
  /** What has happened here, for people: the last requests, events, and what became of applied objects. */
  report(): Promise<string>;
  /** What kubectl prints, in this namespace. @throws Error with what it says when it fails or is not there */
  kubectl(...args: readonly string[]): Promise<string>;
}

const fieldManager = 'touchstone-test';
/** Milliseconds for the first service account, for one kubectl. */
const patience = { account: 10_000, kubectl: 30_000 };
const run = promisify(execFile);

interface ServedKinds {
  readonly resources: readonly { readonly name: string; readonly kind: string; readonly namespaced: boolean }[];
}

/** An object as it was stored then. */
interface Applied {
  readonly resource: Resource;
  readonly stored: KubeObject;
}

/** Makes worlds on one server. */
export class Worlds {
  readonly #server: RunningServer;
  readonly #connection: Connection;
  readonly #client: Client;
  /** Made for the first kubectl. */
  #folder: string | undefined;
  readonly #ending = new AbortController();
  /** By version and kind. */
  readonly #resources = new Map<string, Resource>();

  private constructor(server: RunningServer, connection: Connection) {
    this.#server = server;
    this.#connection = connection;
    const { signal } = this.#ending;
    this.#client = new Client({ connection, clock: systemClock, signal, userAgent: fieldManager });
  }

  static async on(server: RunningServer): Promise<Worlds> {
    return new Worlds(server, await connect({ text: server.kubeconfig }));
  }

  /** @param accounts whether controllers give each namespace a service account, which is then waited for */
  async enter(accounts: boolean): Promise<World> {
    const namespace = `test-${randomBytes(4).toString('hex')}`;
    await this.#client.create(namespaces, { metadata: { name: namespace } }, {});
    if (accounts) await this.#account(namespace);
    const applied = new Map<string, Applied>();
    return {
      server: this.#server,
      namespace,
      client: this.#client,
      apply: (yaml) => this.#apply(yaml, namespace, applied),
      report: () => this.#report(namespace, applied),
      kubectl: (...args) => this.#kubectl(args, namespace),
    };
  }

  /** Takes the namespace away; what is in it goes where a controller sees to that. */
  async leave({ namespace }: World): Promise<void> {
    await unlessNotFound(this.#client.delete(namespaces, { name: namespace }));
  }

  close(): void {
    this.#ending.abort();
    this.#connection.close();
    if (this.#folder) rmSync(this.#folder, { recursive: true, force: true });
  }

  #kubeconfig(): string {
    const before = this.#folder;
    this.#folder ??= mkdtempSync(join(tmpdir(), 'touchstone-world-'));
    const file = join(this.#folder, 'kubeconfig');
    if (!before) writeSecretFile(file, this.#server.kubeconfig);
    return file;
  }

  /** Pods need one, so a namespace is of use only with it. */
  async #account(namespace: string): Promise<void> {
    for (let waited = 0; waited < patience.account; waited += 5) {
      if (await unlessNotFound(this.#client.get(serviceAccounts, { namespace, name: 'default' }))) return;
      await pause(systemTimers, 5);
    }
    throw new Error(`${namespace} got no service account within ${patience.account} ms`);
  }

  async #apply(yaml: string, namespace: string, applied: Map<string, Applied>): Promise<readonly KubeObject[]> {
    const all: KubeObject[] = [];
    for (const object of objectsOf(yaml)) {
      const resource = await this.#resourceOf(object);
      const metadata = { ...(resource.namespaced && { namespace }), ...object.metadata };
      const stored = await this.#client.apply(resource, { ...object, metadata }, fieldManager);
      applied.set(`${resource.kind} ${keyOf(stored)}`, { resource, stored });
      all.push(stored);
    }
    return all;
  }

  async #report(namespace: string, applied: ReadonlyMap<string, Applied>): Promise<string> {
    const at = `/apis/events.k8s.io/v1/namespaces/${namespace}/events`;
    const { items: events } = await this.#client.read<{ items: readonly ToldEvent[] }>(at);
    // Not before: a request is noted a little after its client has the answer, and the last one tells most.
    const requests = this.#server.requests.filter(({ namespace: where, url }) => where === namespace && url !== at);
    const seen = [...applied.values()].map(async ({ resource, stored: before }) => {
      const { name = '', namespace: where = '' } = before.metadata ?? {};
      const now = await unlessNotFound(this.#client.get(resource, { name, namespace: where }));
      return { before, now };
    });
    return worldReport({ namespace, requests, events, seen: await Promise.all(seen) });
  }

  /** Kinds are asked for by their version, and once: a definition may have come just before. */
  async #resourceOf({ apiVersion = '', kind = '' }: KubeObject): Promise<Resource> {
    const id = `${apiVersion} ${kind}`;
    const known = this.#resources.get(id);
    if (known) return known;
    const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
    const path = group ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const served = apiVersion && (await unlessNotFound(this.#client.read<ServedKinds>(path)));
    const found = (served || undefined)?.resources.find((each) => each.kind === kind && !each.name.includes('/'));
    if (!found || !version) throw new Error(`the server does not serve ${apiVersion || '?'} ${kind || '?'}`);
    const resource = { group: group ?? '', version, plural: found.name, kind, namespaced: found.namespaced };
    this.#resources.set(id, resource);
    return resource;
  }

  async #kubectl(args: readonly string[], namespace: string): Promise<string> {
    const env = { ...process.env, KUBECONFIG: this.#kubeconfig() };
    const { stdout } = await run('kubectl', ['--namespace', namespace, ...args], { env, timeout: patience.kubectl });
    return stdout;
  }
}

/** @throws Error when the text is no YAML, or an entry no object */
function objectsOf(yaml: string): KubeObject[] {
  const documents = parseAllDocuments(yaml);
  return [...documents].flatMap((document) => {
    const [problem] = document.errors;
    if (problem) throw problem;
    const value: unknown = document.toJS();
    if (value === null) return [];
    if (typeof value !== 'object' || Array.isArray(value)) throw new Error('a document of the YAML is no object');
    return [value as KubeObject];
  });
}
