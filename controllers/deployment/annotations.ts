import { annotationOf, type KubeObject } from '../runtime/kube-object.ts';
import type { Deployment, ReplicaSet } from '../runtime/resources.ts';
import { mostPods } from './limits.ts';

export const revisionAnnotation = 'deployment.kubernetes.io/revision';
/** Earlier revisions that the same set has stood for, joined by commas. */
export const historyAnnotation = 'deployment.kubernetes.io/revision-history';
/** How many pods the deployment wanted, and how many it allowed, when it last scaled the set. */
const desiredAnnotation = 'deployment.kubernetes.io/desired-replicas';
const mostAnnotation = 'deployment.kubernetes.io/max-replicas';

/** Annotations that a set has of its own, and does not take over from its deployment. */
const ownOfSets = [
  'kubectl.kubernetes.io/last-applied-configuration',
  revisionAnnotation,
  historyAnnotation,
  desiredAnnotation,
  mostAnnotation,
];

/** The longest history in characters; the oldest revisions go first. */
const longestHistory = 2_000;

export type Annotations = Readonly<Record<string, string>>;

/** Revisions count in 64 bits, more than a plain number holds. What is no revision counts as none. */
export function revisionOf(object: KubeObject): bigint {
  const text = annotationOf(object, revisionAnnotation) ?? '';
  return /^\d{1,19}$/.test(text) ? BigInt(text) : 0n;
}

/** Orders sets, the oldest revision first. */
export function byRevision(a: ReplicaSet, b: ReplicaSet): number {
  const [one, other] = [revisionOf(a), revisionOf(b)];
  return Number(one > other) - Number(one < other);
}

/** What a set is to remember of the moment it was scaled: later scaling is in proportion to it. */
export const scalingAnnotations = (deployment: Deployment): Annotations => ({
  [desiredAnnotation]: String(deployment.spec?.replicas ?? 1),
  [mostAnnotation]: String(mostPods(deployment)),
});

const numberIn = (set: ReplicaSet, name: string): number | undefined => {
  const text = annotationOf(set, name) ?? '';
  return /^\d{1,10}$/.test(text) ? Number(text) : undefined;
};

export const desiredWhenScaled = (set: ReplicaSet): number | undefined => numberIn(set, desiredAnnotation);
export const mostWhenScaled = (set: ReplicaSet): number | undefined => numberIn(set, mostAnnotation);

/** What the newest set should carry and does not: its revision, and the annotations of its deployment (`change-cause`). */
export function missingAnnotations(deployment: Deployment, set: ReplicaSet, revision: bigint): Annotations {
  const wanted = { ...inherited(deployment), ...revised(set, revision) };
  return Object.fromEntries(Object.entries(wanted).filter(([name, value]) => annotationOf(set, name) !== value));
}

/** The annotations that a set takes over. */
export const inherited = ({ metadata }: KubeObject): Annotations =>
  Object.fromEntries(Object.entries(metadata?.annotations ?? {}).filter(([name]) => !ownOfSets.includes(name)));

function revised(set: ReplicaSet, revision: bigint): Annotations {
  const before = revisionOf(set);
  if (before >= revision) return {};
  const history = [annotationOf(set, historyAnnotation), before > 0n ? String(before) : undefined].filter(Boolean);
  const text = history.join(',');
  const kept = text.length > longestHistory ? text.slice(text.indexOf(',', text.length - longestHistory) + 1) : text;
  return { [revisionAnnotation]: String(revision), ...(kept && { [historyAnnotation]: kept }) };
}
