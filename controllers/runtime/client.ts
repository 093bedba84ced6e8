import { ApiError, type StatusBody } from './api-error.ts';
import { jitteredWaitAfter } from './backoff.ts';
import { type Clock, pause } from './clock.ts';
import type { Connection } from './connection/connection.ts';
import { type Answer, send, textOf } from './connection/transport.ts';
import type { KubeObject } from './kube-object.ts';
import { type Metrics, noMetrics } from './metrics.ts';
import { apiVersionOf, pathOf, type Resource } from './resources.ts';
import { eventsOf, type WatchEvent } from './watch-stream.ts';

/** Names an object, or with `part` one of its subresources. */
export interface Place {
  readonly namespace?: string;
  readonly name?: string;
  readonly part?: string;
}

export interface Selection extends Place {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Ask for metadata alone, which every kind can give. */
  readonly metadataOnly?: boolean;
}

export interface Page<T> {
  readonly metadata: { readonly resourceVersion?: string; readonly continue?: string };
  readonly items: readonly T[];
}

export interface DeleteOptions {
  readonly propagationPolicy?: 'Foreground' | 'Background' | 'Orphan';
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/** How a patch is written: RFC 7386, RFC 6902, or the merge by keys of the built-in kinds. */
export type PatchType = 'merge' | 'json' | 'strategic';

const patchTypes: Readonly<Record<PatchType, string>> = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
};

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

interface Parts {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly userAgent: string;
  readonly metrics?: Metrics;
  /** Gets the Warning header of every answer that has one; `tellWarnings` makes such. */
  readonly warned?: (header: string) => void;
}

interface Request {
  readonly method: string;
  readonly path: string;
  readonly query?: Query;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly accept?: string | undefined;
  readonly signal?: AbortSignal;
  readonly silence?: number;
  readonly lasting?: boolean;
}

/** How often a request is repeated that the server turned away, or that broke and can be repeated without harm. */
const tries = 5;
const tryAgain = { first: 100, most: 5_000 };
const silence = 60_000;
/** How long after its own end a watch may still be silent before its connection counts as dead, in milliseconds. */
const watchGrace = 8_000;

/** The verbs of the API. Every method throws `ApiError` for what the server refuses, `Error` for a broken connection. */
export class Client {
  readonly #parts: Parts;
  readonly #metrics: Metrics;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#metrics = parts.metrics ?? noMetrics;
  }

  get connection(): Connection {
    return this.#parts.connection;
  }

  /** The same client, whose calls end with this signal too. */
  until(signal: AbortSignal): Client {
    return new Client({ ...this.#parts, signal: AbortSignal.any([this.#parts.signal, signal]) });
  }

  get<T extends KubeObject>(resource: Resource<T>, place: Place): Promise<T> {
    return this.#call<T>({ method: 'GET', path: pathOf(resource, place) });
  }

  async list<T extends KubeObject>(resource: Resource<T>, selection: Selection, query: Query = {}): Promise<Page<T>> {
    const path = pathOf(resource, selection);
    const accept = selection.metadataOnly ? metadataList : undefined;
    const page = await this.#call<Omit<Page<T>, 'items'> & { readonly items: readonly T[] | null }>({
      method: 'GET',
      path,
      query: { ...selectors(selection), ...query },
      accept,
    });
    // An empty list of metadata alone has null for its items.
    const items = page.items ?? [];
    for (const item of items) sayKind(resource, item);
    return { ...page, items };
  }

  /** With `place.part` it posts to a subresource, such as a pod's binding. */
  create<T extends KubeObject, R = T>(resource: Resource<T>, body: object, place: Place): Promise<R> {
    return this.#call<R>({ method: 'POST', path: pathOf(resource, place), body });
  }

  /** Replaces an object, or with `part` a subresource. The object's resourceVersion guards against lost updates. */
  replace<T extends KubeObject>(resource: Resource<T>, object: T, part?: string): Promise<T> {
    const { name = '', namespace = '' } = object.metadata ?? {};
    return this.#call<T>({
      method: 'PUT',
      path: pathOf(resource, { namespace, name, part: part ?? '' }),
      body: object,
    });
  }

  patch<T extends KubeObject>(
    resource: Resource<T>,
    place: Place,
    body: unknown,
    type: PatchType = 'merge',
  ): Promise<T> {
    return this.#call<T>({ method: 'PATCH', path: pathOf(resource, place), body, contentType: patchTypes[type] });
  }

  /**
   * Server-side apply: creates the object, or makes the fields that it names this manager's. Doing it again changes nothing.
   * Fields of others are taken from them, as controllers should; without `force` that is a conflict instead.
   */
  apply<T extends KubeObject>(
    resource: Resource<T>,
    object: T,
    fieldManager: string,
    { force = true }: { readonly force?: boolean } = {},
  ): Promise<T> {
    const { name = '', namespace = '' } = object.metadata ?? {};
    return this.#call<T>({
      method: 'PATCH',
      path: pathOf(resource, { namespace, name }),
      query: { fieldManager, force },
      body: object,
      contentType: 'application/apply-patch+yaml',
    });
  }

  /** Answers the object that is going, or the Status of one that is gone. */
  delete<T extends KubeObject>(
    resource: Resource<T>,
    place: Place,
    options: DeleteOptions = {},
  ): Promise<T | StatusBody> {
    return this.#call({ method: 'DELETE', path: pathOf(resource, place), body: options });
  }

  deleteCollection(resource: Resource, namespace: string, options: DeleteOptions = {}): Promise<unknown> {
    return this.#call({ method: 'DELETE', path: pathOf(resource, { namespace }), body: options });
  }

  /** Any path that answers JSON, such as discovery. */
  read<T>(path: string): Promise<T> {
    return this.#call<T>({ method: 'GET', path });
  }

  /** The changes after a version. Ends when the server ends it or the signal is aborted. */
  async *watch<T extends KubeObject>(
    resource: Resource<T>,
    selection: Selection,
    { after, seconds, signal }: { readonly after: string; readonly seconds: number; readonly signal: AbortSignal },
  ): AsyncGenerator<WatchEvent<T>> {
    const answer = await this.#send({
      method: 'GET',
      path: pathOf(resource, selection),
      query: {
        ...selectors(selection),
        watch: true,
        allowWatchBookmarks: true,
        resourceVersion: after,
        timeoutSeconds: seconds,
      },
      accept: selection.metadataOnly ? metadataEvents : undefined,
      signal,
      silence: seconds * 1000 + watchGrace,
      lasting: true,
    });
    try {
      for await (const event of eventsOf<T>(answer.body)) {
        sayKind(resource, event.object);
        yield event;
      }
    } finally {
      answer.body.destroy();
    }
  }

  /** A call and its repetitions: always when the server was too busy to begin, and of reads when the connection broke. */
  async #call<T>(request: Request): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const { body } = await this.#send(request);
        return JSON.parse(await textOf(body)) as T;
      } catch (error) {
        const wait = attempt < tries ? waitBeforeAgain(request, error, attempt) : undefined;
        if (wait === undefined || this.#parts.signal.aborted) throw error;
        await pause(this.#parts.clock, wait, this.#parts.signal);
      }
    }
  }

  async #send(request: Request): Promise<Answer> {
    const { connection, userAgent } = this.#parts;
    const text = request.body === undefined ? undefined : JSON.stringify(request.body);
    const answer = await send(connection, {
      method: request.method,
      path: request.path + queryText(request.query),
      headers: {
        Accept: request.accept ?? 'application/json',
        'User-Agent': userAgent,
        ...(text !== undefined && {
          'Content-Type': request.contentType ?? 'application/json',
          'Content-Length': String(Buffer.byteLength(text)),
        }),
      },
      ...(text !== undefined && { body: text }),
      signal: request.signal ?? this.#parts.signal,
      silence: request.silence ?? silence,
      lasting: request.lasting ?? false,
    });
    this.#metrics.count('rest_client_requests_total', { method: request.method, code: String(answer.code) });
    const { warning } = answer.headers;
    if (warning) this.#parts.warned?.(warning);
    if (answer.code >= 200 && answer.code < 300) return answer;
    if (answer.code === 401) connection.refused();
    const seconds = Number(answer.headers['retry-after']);
    const retryAfter = answer.headers['retry-after'] && seconds >= 0 ? seconds * 1000 : undefined;
    throw new ApiError(
      answer.code,
      statusOf(await textOf(answer.body)),
      `${request.method} ${request.path}`,
      retryAfter,
    );
  }
}

/** Objects in lists do not say their kind, and metadata alone says another: whoever refers to one needs its own. */
function sayKind(resource: Resource, object: KubeObject): void {
  object.kind = resource.kind;
  object.apiVersion = apiVersionOf(resource);
}

const metadata = (kind: string) => `application/json;as=${kind};g=meta.k8s.io;v=v1`;
const metadataList = metadata('PartialObjectMetadataList');
const metadataEvents = metadata('PartialObjectMetadata');

/** Milliseconds to wait before the request may be repeated; undefined when it must not be. */
function waitBeforeAgain({ method }: Request, error: unknown, attempt: number): number | undefined {
  if (error instanceof ApiError) {
    // A credential may have expired just now: what is shown next is new.
    if (error.code === 401) return attempt === 1 ? 0 : undefined;
    if (error.retryAfter !== undefined && (error.code === 429 || error.code >= 500))
      return Math.min(error.retryAfter, 60_000);
    return method === 'GET' && error.code >= 500 ? jitteredWaitAfter(attempt, tryAgain) : undefined;
  }
  return method === 'GET' ? jitteredWaitAfter(attempt, tryAgain) : undefined;
}

function statusOf(text: string): StatusBody {
  try {
    const status: unknown = JSON.parse(text);
    if (status !== null && typeof status === 'object') return status;
  } catch {
    // No Status then: a proxy's page, say.
  }
  return { message: text.slice(0, 200) };
}

const selectors = ({ labelSelector, fieldSelector }: Selection): Query => ({ labelSelector, fieldSelector });

function queryText(query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') search.set(name, String(value));
  return search.size > 0 ? `?${search}` : '';
}
