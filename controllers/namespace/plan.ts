import { isDeepStrictEqual } from 'node:util';
import { formatTime } from '../runtime/clock.ts';
import type { Namespace } from '../runtime/resources.ts';

export type NamespaceCondition = NonNullable<NonNullable<Namespace['status']>['conditions']>[number];

/** What became of one kind of content. */
export interface Sweep {
  /** `plural.group`, or the plural alone. */
  readonly resource: string;
  readonly left: number;
  /** How many of those left wait for each finalizer. */
  readonly finalizers: ReadonlyMap<string, number>;
  readonly failure?: string;
}

export interface Findings {
  readonly discoveryFailures: readonly string[];
  readonly sweeps: readonly Sweep[];
}

/** Whether a namespace differs from before in more than its status. */
export function isMoreThanTold(namespace: Namespace, previous: Namespace): boolean {
  const { resourceVersion: _version, managedFields: _managers, ...metadata } = namespace.metadata ?? {};
  const { resourceVersion: _before, managedFields: _earlier, ...metadataBefore } = previous.metadata ?? {};
  return !isDeepStrictEqual([metadata, namespace.spec], [metadataBefore, previous.spec]);
}

/** Whether nothing is left, so that the namespace may go. */
export const isEmpty = ({ discoveryFailures, sweeps }: Findings): boolean =>
  discoveryFailures.length === 0 && sweeps.every(({ left, failure }) => left === 0 && failure === undefined);

/** The five conditions that say how the deletion goes; undefined when they stand already. */
export function conditionsFor(
  namespace: Namespace,
  findings: Findings,
  now: number,
): readonly NamespaceCondition[] | undefined {
  const before = namespace.status?.conditions ?? [];
  const wanted = verdicts(findings).map(({ type, bad, reason, message }) => {
    const old = before.find((condition) => condition.type === type);
    const status = bad ? 'True' : 'False';
    if (old?.status === status && old.reason === reason && old.message === message) return old;
    const lastTransitionTime = (old?.status === status && old.lastTransitionTime) || formatTime(now);
    return { type, status, lastTransitionTime, reason, message };
  });
  if (wanted.every((condition) => before.includes(condition))) return undefined;
  return [...before.filter(({ type }) => !wanted.some((each) => each.type === type)), ...wanted];
}

interface Verdict {
  readonly type: string;
  readonly bad: boolean;
  readonly reason: string;
  readonly message: string;
}

function verdicts({ discoveryFailures, sweeps }: Findings): readonly Verdict[] {
  const failures = sweeps.flatMap(({ resource, failure }) => (failure ? [`${resource}: ${failure}`] : []));
  const left = sweeps
    .filter((sweep) => sweep.left > 0)
    .map((sweep) => `${sweep.resource} has ${sweep.left} resource instances`);
  const held = new Map<string, number>();
  for (const { finalizers } of sweeps)
    for (const [name, count] of finalizers) held.set(name, (held.get(name) ?? 0) + count);
  const holding = [...held].map(([name, count]) => `${name} in ${count} resource instances`);
  return [
    verdict('NamespaceDeletionDiscoveryFailure', discoveryFailures, {
      bad: ['DiscoveryFailed', 'Discovery failed for some groups'],
      good: ['ResourcesDiscovered', 'All resources successfully discovered'],
    }),
    verdict('NamespaceDeletionGroupVersionParsingFailure', [], {
      bad: ['GroupVersionParsingFailed', 'Some versions could not be read'],
      good: ['ParsedGroupVersions', 'All legacy kube types successfully parsed'],
    }),
    verdict('NamespaceDeletionContentFailure', failures, {
      bad: ['ContentDeletionFailed', 'Failed to delete all resource types'],
      good: ['ContentDeleted', 'All content successfully deleted, may be waiting on finalization'],
    }),
    verdict('NamespaceContentRemaining', left, {
      bad: ['SomeResourcesRemain', 'Some resources are remaining'],
      good: ['ContentRemoved', 'All content successfully removed'],
    }),
    verdict('NamespaceFinalizersRemaining', holding, {
      bad: ['SomeFinalizersRemain', 'Some content in the namespace has finalizers remaining'],
      good: ['ContentHasNoFinalizers', 'All content-preserving finalizers finished'],
    }),
  ];
}

type Words = readonly [reason: string, message: string];

function verdict(
  type: string,
  what: readonly string[],
  { bad, good }: { readonly bad: Words; readonly good: Words },
): Verdict {
  if (what.length === 0) return { type, bad: false, reason: good[0], message: good[1] };
  return { type, bad: true, reason: bad[0], message: `${bad[1]}: ${[...what].sort().join(', ')}` };
}

/** The finalizer that holds a namespace until its content is gone. */
export const contentFinalizer = 'kubernetes';

/** Whether the namespace goes as soon as we let it go, so that nobody would read what it tells then. */
export const isHeldByUsAlone = ({ metadata, spec }: Namespace): boolean =>
  [...(metadata?.finalizers ?? []), ...(spec?.finalizers ?? [])].every((finalizer) => finalizer === contentFinalizer);
