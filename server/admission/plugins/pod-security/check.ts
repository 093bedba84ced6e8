import { type CheckedContainer, type CheckedPod, containersOf, type SecurityContext } from './checked-pod.ts';

export interface Violation {
  readonly reason: string;
  /** Empty when the reason says it all. */
  readonly detail: string;
}

/** One demand of the Pod Security Standards. */
export interface Check {
  readonly name: string;
  /** The minor version of v1 from which on it holds. */
  readonly since: number;
  /** The minor version from which on it does not hold any more. */
  readonly until?: number;
  /** A looser check that need not be made besides this one. */
  readonly insteadOf?: string;
  /** `minor` is the version of the standards to judge by. */
  judge(pod: CheckedPod, minor: number): Violation | undefined;
}

const quoted = (texts: readonly string[]) => texts.map((text) => JSON.stringify(text)).join(', ');
export const sortedQuoted = (texts: Iterable<string>) => quoted([...new Set(texts)].sort());

/** `container "a"`, `containers "a", "b"`. */
export const named = (one: string, many: string, names: readonly string[]) =>
  `${names.length === 1 ? one : many} ${quoted(names)}`;
export const containersText = (names: readonly string[]) => named('container', 'containers', names);

export const namesOf = (pod: CheckedPod, wanted: (container: CheckedContainer) => boolean): string[] =>
  containersOf(pod)
    .filter(wanted)
    .map(({ name = '' }) => name);

/** Who sets something: `pod`, `container "a"`, `pod and containers "a", "b"`; empty for nobody. */
export function setters(pod: CheckedPod, sets: (context: SecurityContext) => boolean): string {
  const names = namesOf(pod, ({ securityContext }) => securityContext !== undefined && sets(securityContext));
  const own = pod.spec?.securityContext;
  return [...(own && sets(own) ? ['pod'] : []), ...(names.length > 0 ? [containersText(names)] : [])].join(' and ');
}

/** The contexts of the pod and its containers. */
export const contextsOf = (pod: CheckedPod): readonly SecurityContext[] =>
  [pod.spec, ...containersOf(pod)].flatMap((each) => each?.securityContext ?? []);
