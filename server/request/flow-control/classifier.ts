import type { User } from '../../base/user.ts';
import type { FlowSchema, PriorityLevel } from './configuration.ts';
import { isConnection } from './gate.ts';
import { type Asked, type Matcher, matcherOf } from './matcher.ts';

/** Of the requests of one schema on one level. */
export interface FlowCounts {
  executing: number;
  waiting: number;
  dispatched: number;
}

/** A FlowSchema whose priority level exists. */
export interface Flow {
  readonly name: string;
  readonly level: string;
  readonly distinguisher: 'ByUser' | 'ByNamespace' | undefined;
  /** What answers to its requests carry. */
  readonly headers: Readonly<Record<string, string>>;
  readonly counts: FlowCounts;
  /** Notes that a request of it, which was let in, is answered. */
  readonly leave: () => void;
}

type Schema = Flow & { readonly matcher: Matcher };

/** Answers that are remembered for one user and namespace. */
const rememberAtMost = 500;

/** Finds the flow of a request. Made anew when a schema or level changes. */
export class Classifier {
  readonly #schemas: readonly Schema[];
  readonly #remembered = new WeakMap<User, Remembered>();
  /** Namespaces that some rule names: only these make a difference. */
  readonly #namespaces: ReadonlySet<string>;

  /** @param countsOf where the requests of a schema on a level are counted */
  constructor(
    schemas: readonly FlowSchema[],
    levels: readonly PriorityLevel[],
    countsOf: (schema: string, level: string) => FlowCounts,
  ) {
    const byName = new Map(levels.map((level) => [level.metadata.name ?? '', level]));
    this.#schemas = schemas.toSorted(inOrder).flatMap((schema) => {
      const level = byName.get(schema.spec?.priorityLevelConfiguration?.name ?? '');
      return level ? [compile(schema, level, countsOf)] : [];
    });
    this.#namespaces = new Set(schemas.flatMap(namespacesOf));
  }

  /** Undefined where no schema is about the request, and for what goes on for as long as somebody wants it. */
  classify(user: User, asked: Asked): Flow | undefined {
    const known = this.#remembered.get(user) ?? this.#meet(user);
    // Paths are without number.
    if (!asked.isResource) return flowOf(known, user, asked);
    const namespace = asked.namespace && (this.#namespaces.has(asked.namespace) ? asked.namespace : '*');
    const flows = known.flows.get(namespace) ?? flowsIn(known, namespace);
    const found = flows.get(asked.sort);
    if (found || flows.has(asked.sort)) return found;
    const flow = flowOf(known, user, asked);
    if (flows.size >= rememberAtMost) flows.clear();
    flows.set(asked.sort, flow);
    return flow;
  }

  #meet(user: User): Remembered {
    const schemas = this.#schemas.filter(({ matcher }) => matcher.isAboutUser(user));
    const known: Remembered = { schemas, flows: new Map() };
    this.#remembered.set(user, known);
    return known;
  }
}

interface Remembered {
  /** Those that are about the user. */
  readonly schemas: readonly Schema[];
  /** By namespace (`*`: any that no rule names; empty: none) and sort of request. */
  readonly flows: Map<string, Map<string, Flow | undefined>>;
}

const flowOf = ({ schemas }: Remembered, user: User, asked: Asked): Flow | undefined =>
  isConnection(asked) ? undefined : schemas.find(({ matcher }) => matcher.matches(user, asked));

function flowsIn({ flows }: Remembered, namespace: string): Map<string, Flow | undefined> {
  const made = new Map<string, Flow | undefined>();
  flows.set(namespace, made);
  return made;
}

const precedence = ({ spec }: FlowSchema) => spec?.matchingPrecedence ?? 0;

/** The first that matches counts; names break ties. */
const inOrder = (one: FlowSchema, other: FlowSchema) =>
  precedence(one) - precedence(other) || ((one.metadata.name ?? '') < (other.metadata.name ?? '') ? -1 : 1);

const namespacesOf = ({ spec }: FlowSchema) =>
  (spec?.rules ?? []).flatMap(({ resourceRules = [] }) => resourceRules.flatMap(({ namespaces = [] }) => namespaces));

function compile(
  schema: FlowSchema,
  { metadata: level }: PriorityLevel,
  countsOf: (schema: string, level: string) => FlowCounts,
): Schema {
  const { name = '', uid = '' } = schema.metadata;
  const type = schema.spec?.distinguisherMethod?.type;
  const counts = countsOf(name, level.name ?? '');
  return {
    name,
    level: level.name ?? '',
    distinguisher: type === 'ByUser' || type === 'ByNamespace' ? type : undefined,
    headers: {
      'x-kubernetes-pf-flowschema-uid': uid,
      'x-kubernetes-pf-prioritylevel-uid': level.uid ?? '',
    },
    matcher: matcherOf(schema),
    counts,
    leave: () => void counts.executing--,
  };
}
