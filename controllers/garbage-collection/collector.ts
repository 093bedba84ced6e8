import { unlessNotFound } from '../runtime/api-error.ts';
import type { Client } from '../runtime/client.ts';
import { type Clock, pause } from '../runtime/clock.ts';
import { discover, type ServedResource } from '../runtime/discovery.ts';
import type { Informer } from '../runtime/informer/informer.ts';
import type { Informers } from '../runtime/informer/informers.ts';
import { type KubeObject, nameOf, namespaceOf, type OwnerReference, uidOf } from '../runtime/kube-object.ts';
import type { Log } from '../runtime/log.ts';
import { pathOf } from '../runtime/resources.ts';
import { Graph, type GraphNode, waitsForDependents } from './graph.ts';
import type { OwnerState } from './plan.ts';

interface Parts {
  readonly client: Client;
  readonly informers: Informers;
  readonly clock: Clock;
  readonly log: Log;
  readonly changed: (uid: string) => void;
}

/** Events live by themselves, and there are too many of them to watch. */
const ignored = new Set(['events', 'events.events.k8s.io']);
/** How long a kind that is new may take to be listed, or be refused, before it is set aside, in milliseconds. */
const listWithin = 10_000;

/** Watches every kind that can be deleted, custom ones included, and keeps the graph of owners. */
export class Collector {
  readonly graph: Graph;
  readonly #parts: Parts;
  readonly #followed = new Map<
    string,
    { readonly resource: ServedResource; readonly informer: Informer<KubeObject> }
  >();
  #served = new Map<string, ServedResource>();
  readonly #filled = Promise.withResolvers<void>();
  #settled = this.#filled.promise;
  #failures: readonly string[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
    this.graph = new Graph(parts.changed);
  }

  /**
   * Looks what is served now. Resolves when everything new is in the graph, was refused, or has had its time: a kind that
   * cannot be listed is set aside, so that it holds up no other. It is tried again and again, and joins when it answers.
   */
  refresh(): Promise<void> {
    const refreshed = this.#refresh();
    this.#settled = refreshed.catch(() => {});
    void refreshed.then(this.#filled.resolve, () => {});
    return refreshed;
  }

  /** What is not collected for now: kinds that could not be listed yet, and groups that could not be asked. */
  waiting(): readonly string[] {
    const unlisted = [...this.#followed].filter(([, { informer }]) => !informer.isSynced).map(([path]) => path);
    return [...unlisted, ...this.#failures];
  }

  /** Resolves when the graph has been filled for the first time: whoever asks before sees few of the owners in it. */
  get filled(): Promise<void> {
    return this.#filled.promise;
  }

  /** Resolves when no kind is missing from the graph that is not set aside: until then an owner may seem to have no dependents. */
  get settled(): Promise<void> {
    return this.#settled;
  }

  async #refresh(): Promise<void> {
    const { resources, failures } = await discover(this.#parts.client);
    for (const failure of failures) this.#parts.log.error(`garbage collector: discovery of ${failure}`);
    this.#failures = failures;
    this.#served = new Map(resources.map((resource) => [kindOf(resource.group, resource.kind), resource]));
    const wanted = new Map(resources.filter(isCollectable).map((resource) => [pathOf(resource), resource]));
    for (const [path, { resource, informer }] of this.#followed) {
      // A group that could not be asked may still have its kinds.
      if (wanted.has(path) || failures.some((failure) => failure.startsWith(resource.group))) continue;
      this.#parts.informers.forgetMetadataOf(resource);
      this.#followed.delete(path);
      this.graph.forget(resource, informer.cache);
    }
    const added = [...wanted].filter(([path]) => !this.#followed.has(path));
    const tried = Promise.all(added.map(([path, resource]) => this.#follow(path, resource)));
    const enough = new AbortController();
    await Promise.race([tried, pause(this.#parts.clock, listWithin, enough.signal)]);
    enough.abort();
    const late = added.filter(([path]) => !this.#followed.get(path)?.informer.isSynced).map(([path]) => path);
    if (late.length > 0) this.#parts.log.error(`garbage collector: set aside until listed: ${late.join(', ')}`);
  }

  /** How an owner stands: from the graph if it is there, else from the server, since absence must not be a mistake. */
  async stateOf(dependent: GraphNode, owner: OwnerReference): Promise<OwnerState> {
    const known = this.graph.find(owner.uid);
    if (known && fits(dependent, known, owner)) return stateOfObject(known.object);
    const served = this.#served.get(kindOf(groupOf(owner.apiVersion), owner.kind));
    const namespace = namespaceOf(dependent.object);
    // What a kind unknown here is, or a namespaced owner of a cluster-wide object, nobody can say.
    if (!served || (served.namespaced && !namespace)) return 'unknown';
    const place = { namespace: served.namespaced ? namespace : '', name: owner.name };
    const found = await unlessNotFound(this.#parts.client.get(served, place));
    return found && uidOf(found) === owner.uid ? stateOfObject(found) : 'absent';
  }

  async #follow(path: string, resource: ServedResource): Promise<void> {
    const informer = this.#parts.informers.metadataOf(resource);
    this.#followed.set(path, { resource, informer });
    this.graph.follow(resource, informer.cache);
    await informer.tried;
  }
}

const isCollectable = ({ group, plural, verbs }: ServedResource): boolean =>
  ['delete', 'list', 'watch'].every((verb) => verbs.has(verb)) && !ignored.has(group ? `${plural}.${group}` : plural);

const kindOf = (group: string, kind: string): string => `${group} ${kind}`;

const groupOf = (apiVersion: string): string => (apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '');

/** Whether a node may be the owner that a reference names: owners are of the same namespace, or of none. */
function fits({ object }: GraphNode, owner: GraphNode, { kind, apiVersion, name }: OwnerReference): boolean {
  const sameKind = kind === owner.resource.kind && groupOf(apiVersion) === owner.resource.group;
  const scope = namespaceOf(owner.object);
  return sameKind && name === nameOf(owner.object) && (scope === '' || scope === namespaceOf(object));
}

const stateOfObject = (object: KubeObject): OwnerState =>
  waitsForDependents(object) ? 'waiting for dependents' : 'there';
