import type { ConnectionOptions } from 'node:tls';
import { lazily } from '../../base/caches/memo.ts';
import { type Trust, tlsOptions } from '../../http-client/http-call.ts';
import { type ApiService, available } from '../../kinds/apiregistration/api-service-shape.ts';
import { follow } from '../../store/follow.ts';
import { objectKey } from '../../store/object-keys.ts';
import type { Store, Subscription } from '../../store/store.ts';
import type { KeyPair } from '../../x509/self-signed.ts';

export const apiServices = { group: 'apiregistration.k8s.io', resource: 'apiservices' };

/** What stands before the path of what a document of OpenAPI 3 tells of. */
const described = /^\/openapi\/v3\//;

/**
 * What another server may read as a path that was not judged: nothing between two slashes, steps to where it stands and up,
 * slashes in any other spelling, and what may end a path. Names are none of these.
 */
const unclear = /\/\/|%2f|[\\#]|\/(?:\.|%2e){1,2}(?:\/|$)/i;

/** A version of a group that another server serves, as an APIService says. */
export interface AggregatedApi {
  readonly group: string;
  readonly version: string;
  readonly groupPriority: number;
  readonly versionPriority: number;
  readonly service: { readonly namespace: string; readonly name: string; readonly port: number };
  /** Host name that the other server's certificate is for, and that it is called by. */
  readonly host: string;
  readonly trust: Trust;
  /** The same, ready for connections. @throws Error when there is no certificate in the bundle */
  readonly tls: () => ConnectionOptions;
  readonly isAvailable: boolean;
}

/** @param shown by which the other server knows this one. @returns undefined for a group that is served here */
export function aggregatedApi(
  { spec = {}, status }: ApiService,
  shown: KeyPair | undefined,
): AggregatedApi | undefined {
  const { group = '', version = '', service, groupPriorityMinimum = 0, versionPriority = 0 } = spec;
  if (!service) return undefined;
  const { namespace = '', name = '', port = 443 } = service;
  const host = `${name}.${namespace}.svc`;
  const trust: Trust = {
    serverName: host,
    insecureSkipVerify: spec.insecureSkipTLSVerify === true,
    ...(spec.caBundle && { ca: Buffer.from(spec.caBundle, 'base64').toString() }),
    ...shown,
  };
  return {
    group,
    version,
    groupPriority: groupPriorityMinimum,
    versionPriority,
    service: { namespace, name, port },
    host,
    trust,
    tls: lazily(() => tlsOptions(trust)),
    isAvailable: status?.conditions?.some((each) => each.type === available && each.status === 'True') ?? false,
  };
}

/** The groups that others serve behind this server, as the APIServices in the store say. */
export class AggregatedApis {
  readonly #shown: KeyPair | undefined;
  readonly #byKey = new Map<string, AggregatedApi>();

  /** @param shown by which others know this server */
  constructor(shown: KeyPair | undefined) {
    this.#shown = shown;
  }

  follow(store: Store): Promise<Subscription> {
    return follow(store, apiServices, {
      each: ({ key, current }) => {
        const api = current && this.read(current.value as ApiService);
        if (api) this.#byKey.set(key, api);
        else this.#byKey.delete(key);
      },
    });
  }

  /** @returns undefined for a group that is served here */
  readonly read = (apiService: ApiService): AggregatedApi | undefined => aggregatedApi(apiService, this.#shown);

  get all(): Iterable<AggregatedApi> {
    return this.#byKey.values();
  }

  hasGroup(name: string): boolean {
    for (const { group } of this.all) if (group === name) return true;
    return false;
  }

  /** Who serves what a path leads to; undefined: this server. */
  at(path: string): AggregatedApi | undefined {
    // Most have none, and are asked for each request.
    if (this.#byKey.size === 0) return undefined;
    const [, first, group, version] = path.replace(described, '/').split('/', 4);
    // An APIService has the name of what it tells of.
    return first === 'apis' && !unclear.test(path)
      ? this.#byKey.get(objectKey(apiServices, '', `${version}.${group}`))
      : undefined;
  }
}
