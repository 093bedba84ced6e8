import type { KubeObject } from '../base/kube-object.ts';
import { textsOf } from '../base/untyped.ts';
import type { User } from '../base/user.ts';
import { follow } from '../store/follow.ts';
import { nameIn } from '../store/object-keys.ts';
import type { Store } from '../store/store.ts';
import type { RequestInfo } from './identify.ts';

/** Which FlowSchema a request fell to, and the priority level of that: their uids. */
export interface Flow {
  readonly schema: string;
  readonly level: string;
}

type Asked = Pick<
  RequestInfo,
  'isResource' | 'verb' | 'group' | 'resource' | 'subresource' | 'namespace' | 'inNamespace' | 'path'
>;
type Fits = (user: Pick<User, 'name' | 'groups'>, asked: Asked) => boolean;

interface Entry {
  readonly flow: Flow;
  readonly fits: Fits;
}

const group = 'flowcontrol.apiserver.k8s.io';
const usualPrecedence = 1_000;

/**
 * The FlowSchemas of a store, in the order in which they are asked: by `matchingPrecedence`, then by name. One whose
 * priority level is missing is not asked.
 */
export class FlowSchemas {
  readonly #schemas = new Map<string, FlowSchema>();
  readonly #levels = new Map<string, KubeObject>();
  #entries: readonly Entry[] | undefined;

  /** Knows what is stored once this resolves. @returns what ends it */
  async start(store: Store): Promise<() => void> {
    const followed = await Promise.all([
      this.#follow(store, 'flowschemas', this.#schemas),
      this.#follow(store, 'prioritylevelconfigurations', this.#levels),
    ]);
    return () => {
      for (const each of followed) each.stop();
    };
  }

  /** The first that fits; undefined: none does. */
  classify(user: Pick<User, 'name' | 'groups'>, asked: Asked): Flow | undefined {
    this.#entries ??= this.#compile();
    return this.#entries.find(({ fits }) => fits(user, asked))?.flow;
  }

  #follow(store: Store, resource: string, into: Map<string, FlowSchema>) {
    return follow(
      store,
      { group, resource },
      {
        each: ({ key, current }) => {
          if (current) into.set(nameIn(key), current.value as FlowSchema);
          else into.delete(nameIn(key));
          this.#entries = undefined;
        },
      },
    );
  }

  #compile(): readonly Entry[] {
    const precedence = ({ spec }: FlowSchema) => spec?.matchingPrecedence ?? usualPrecedence;
    const name = ({ metadata }: FlowSchema) => metadata.name ?? '';
    return [...this.#schemas.values()]
      .sort((a, b) => precedence(a) - precedence(b) || (name(a) < name(b) ? -1 : 1))
      .flatMap((schema) => {
        const level = this.#levels.get(schema.spec?.priorityLevelConfiguration?.name ?? '');
        if (!level) return [];
        const flow = { schema: schema.metadata.uid ?? '', level: level.metadata.uid ?? '' };
        return [{ flow, fits: any((schema.spec?.rules ?? []).map(compileRule)) }];
      });
  }
}

const any =
  (parts: readonly Fits[]): Fits =>
  (user, asked) =>
    parts.some((fits) => fits(user, asked));

/** A priority level has none of it. */
interface FlowSchema extends KubeObject {
  readonly spec?: {
    readonly matchingPrecedence?: number;
    readonly priorityLevelConfiguration?: { readonly name?: string };
    readonly rules?: readonly Rule[];
  };
}

interface Rule {
  readonly subjects?: readonly Subject[];
  readonly resourceRules?: readonly ResourceRule[];
  readonly nonResourceRules?: readonly { readonly verbs?: unknown; readonly nonResourceURLs?: unknown }[];
}

interface Subject {
  readonly kind?: string;
  readonly user?: { readonly name?: string };
  readonly group?: { readonly name?: string };
  readonly serviceAccount?: { readonly namespace?: string; readonly name?: string };
}

interface ResourceRule {
  readonly verbs?: unknown;
  readonly apiGroups?: unknown;
  readonly resources?: unknown;
  readonly namespaces?: unknown;
  readonly clusterScope?: boolean;
}

function compileRule({ subjects = [], resourceRules = [], nonResourceRules = [] }: Rule): Fits {
  const ofSubject = any(subjects.map(compileSubject));
  const ofResource = any(resourceRules.map(compileResourceRule));
  const ofPath = any(
    nonResourceRules.map(({ verbs, nonResourceURLs }) => {
      const [verb, url] = [oneOf(verbs), urlOf(nonResourceURLs)];
      return (_user, asked) => verb(asked.verb) && url(asked.path);
    }),
  );
  return (user, asked) => ofSubject(user, asked) && (asked.isResource ? ofResource : ofPath)(user, asked);
}

function compileSubject({ kind, user, group: members, serviceAccount: account }: Subject): Fits {
  const all = '*';
  switch (kind) {
    case 'User':
      return ({ name }) => user?.name === all || user?.name === name;
    case 'Group':
      return ({ groups }) => members?.name === all || groups.includes(members?.name ?? '');
    case 'ServiceAccount': {
      const prefix = `system:serviceaccount:${account?.namespace}:`;
      return ({ name }) => (account?.name === all ? name.startsWith(prefix) : name === `${prefix}${account?.name}`);
    }
    default:
      return () => false;
  }
}

function compileResourceRule({ verbs, apiGroups, resources, namespaces, clusterScope = false }: ResourceRule): Fits {
  const [verb, ofGroup, resource, namespace] = [verbs, apiGroups, resources, namespaces].map(oneOf) as [
    OneOf,
    OneOf,
    OneOf,
    OneOf,
  ];
  return (_user, asked) =>
    verb(asked.verb) &&
    ofGroup(asked.group) &&
    resource(asked.subresource ? `${asked.resource}/${asked.subresource}` : asked.resource) &&
    (asked.namespace ? namespace(asked.namespace) : clusterScope);
}

type OneOf = (text: string) => boolean;

/** A list in which `*` is everything. */
function oneOf(list: unknown): OneOf {
  const known = new Set(textsOf(list));
  return known.has('*') ? () => true : (text) => known.has(text);
}

/** `*` is everything, and one that ends in it everything that begins so. */
function urlOf(list: unknown): OneOf {
  const urls = textsOf(list);
  return (path) => urls.some((url) => (url.endsWith('*') ? path.startsWith(url.slice(0, -1)) : url === path));
}
