import type { Quantity } from '../../../base/quantity.ts';
import { qosClassOf } from '../../../kinds/core/pod/quality.ts';
import type { Container, Pod, PodAffinity, PodSpec, Quantities } from '../../../kinds/core/pod/shape.ts';
import { isExtendedResource } from '../../../kinds/core/resource-names.ts';
import type { Evaluator, ScopeRequirement } from './evaluator.ts';
import { type Amounts, count, largest, plus, readAmounts } from './resource-amounts.ts';

const shared = ['cpu', 'memory', 'ephemeral-storage'] as const;
const tracked: ReadonlySet<string> = new Set([
  'count/pods',
  'pods',
  ...shared.flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
]);

/** Every container must state these if a quota tracks them. */
const demanded: ReadonlySet<string> = new Set(
  ['cpu', 'memory'].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
);

const isShared = (name: string) => (shared as readonly string[]).includes(name);
const isHugePages = (name: string) => name.startsWith('hugepages-');
const prefix = 'requests.';
const tracksRequest = (name: string) => isHugePages(name) || isExtendedResource(name);

/** Amounts under the names that quotas give them: a request of cpu is `cpu` and `requests.cpu`. */
function quotaNames(requests: Amounts, limits: Amounts): Map<string, Quantity> {
  const named = new Map<string, Quantity>();
  for (const [name, amount] of requests) {
    if (isShared(name) || isHugePages(name)) named.set(name, amount);
    if (isShared(name) || tracksRequest(name)) named.set(prefix + name, amount);
  }
  for (const [name, amount] of limits) if (isShared(name)) named.set(`limits.${name}`, amount);
  return named;
}

/** Containers run together; init containers run one after another before them; the overhead is there all the time. */
function totalOf(part: 'requests' | 'limits', { containers = [], initContainers = [], overhead }: PodSpec): Amounts {
  const own = ({ resources }: Container) => readAmounts(resources?.[part]);
  const together = containers.reduce<Amounts>((sum, container) => plus(sum, own(container)), new Map());
  const peak = initContainers.reduce<Amounts>((most, container) => largest(most, own(container)), together);
  return plus(peak, readAmounts(overhead as Quantities | undefined));
}

const hasEnded = ({ status }: Pod) => status?.phase === 'Failed' || status?.phase === 'Succeeded';

function usage(pod: Pod): Amounts {
  const all = new Map([['count/pods', count(1)]]);
  if (hasEnded(pod)) return all;
  all.set('pods', count(1));
  const spec = pod.spec ?? {};
  return plus(all, quotaNames(totalOf('requests', spec), totalOf('limits', spec)));
}

function unstated({ spec = {} }: Pod, resources: readonly string[]): string {
  const needed = resources.filter((name) => demanded.has(name)).sort();
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(
    ({ name = '', resources: own }) => ({
      name,
      states: quotaNames(readAmounts(own?.requests), readAmounts(own?.limits)),
    }),
  );
  const lacks = needed.flatMap((resource) => {
    const names = containers.filter(({ states }) => !states.has(resource)).map(({ name }) => name);
    return names.length > 0 ? [`${resource} for: ${[...new Set(names)].sort().join(',')}`] : [];
  });
  return lacks.length > 0 ? `must specify ${lacks.join('; ')}` : '';
}

const affinityTerms = (affinity: PodAffinity | undefined) => [
  ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
  ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(
    ({ podAffinityTerm }) => podAffinityTerm ?? {},
  ),
];

/** Looks at pods of other namespaces to find its place. */
const looksElsewhere = ({ affinity }: PodSpec) =>
  [...affinityTerms(affinity?.podAffinity), ...affinityTerms(affinity?.podAntiAffinity)].some(
    ({ namespaces = [], namespaceSelector }) => namespaces.length > 0 || namespaceSelector !== undefined,
  );

function hasPriorityClass({ priorityClassName = '' }: PodSpec, { operator, values = [] }: ScopeRequirement): boolean {
  switch (operator) {
    case 'Exists':
      return priorityClassName !== '';
    case 'DoesNotExist':
      return priorityClassName === '';
    case 'In':
      return priorityClassName !== '' && values.includes(priorityClassName);
    default:
      return priorityClassName === '' || !values.includes(priorityClassName);
  }
}

function inScope({ spec = {} }: Pod, requirement: ScopeRequirement): boolean {
  const ends = spec.activeDeadlineSeconds !== undefined && spec.activeDeadlineSeconds >= 0;
  switch (requirement.scopeName) {
    case 'Terminating':
      return ends;
    case 'NotTerminating':
      return !ends;
    case 'BestEffort':
      return qosClassOf(spec) === 'BestEffort';
    case 'NotBestEffort':
      return qosClassOf(spec) !== 'BestEffort';
    case 'PriorityClass':
      return hasPriorityClass(spec, requirement);
    case 'CrossNamespacePodAffinity':
      return looksElsewhere(spec);
    default:
      return false;
  }
}

export const pods: Evaluator = {
  tracks: (resource) =>
    tracked.has(resource) ||
    isHugePages(resource) ||
    (resource.startsWith(prefix) && tracksRequest(resource.slice(prefix.length))),
  usage,
  inScope,
  unstated,
};
