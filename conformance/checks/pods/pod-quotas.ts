import type { MinorRange } from '../../holds-for.ts';
import type { Json } from '../../verbs/json.ts';
import { urgent, urgently } from './urgent-pods.ts';

export type Hard = Readonly<Record<string, string>>;

const sized = (cpu: string): Json => ({ resources: { requests: { cpu }, limits: { cpu } } });
const container = (name: string, more: Json = {}): Json => ({ name, image: 'registry.example/pause:1', ...more });
const ending = { activeDeadlineSeconds: 60 };
const asking = { containers: [container('main', sized('600m'))] };

/** A quota on pods, a pod that is within it or that it is not about, and one that exceeds it. */
export interface PodQuota {
  readonly name: string;
  readonly hard: Hard;
  readonly within: Json;
  readonly beyond: Json;
  /** Which pods it is about, if not all. */
  readonly about?: Json;
  /** What is used once the pod within it is there. */
  readonly used?: Hard;
  /** It tells pods apart by their class of priority. */
  readonly byClass?: true;
  readonly holds?: MinorRange;
}

const scoped = (name: string, within: Json, beyond: Json): PodQuota => ({
  ...{ name, hard: { pods: '0' }, within, beyond },
  about: { scopes: name.split(', ') },
});

/** A quota for pods of some classes of priority. */
const classed = (name: string, operator: string, values: readonly string[], within: Json, beyond: Json): PodQuota => ({
  ...{ name: `PriorityClass ${name}`, hard: { pods: '0' }, byClass: true, within, beyond },
  about: { scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator, values }] } },
});

/** A quota of something that pods ask for; two that each ask for as much as one may are beyond it. */
function summed(name: string, resource: string, hard: string, each: string, beside: Hard = {}): PodQuota {
  const asked = { ...beside, [resource]: each };
  const sized = { resources: { requests: asked, limits: asked } };
  return {
    ...{ name, hard: { [name]: hard }, used: { [name]: each } },
    within: {
      containers: [container('one', sized)],
      initContainers: [container('first', sized), container('second', sized)],
    },
    beyond: { containers: [container('one', sized), container('two', sized)] },
  };
}

const sums: readonly PodQuota[] = [
  ...['cpu', 'limits.cpu'].map((name) => summed(name, 'cpu', '1', '600m')),
  ...['memory', 'requests.memory', 'limits.memory'].map((name) => summed(name, 'memory', '1Gi', '600Mi')),
  ...['requests', 'limits'].map((part) => summed(`${part}.ephemeral-storage`, 'ephemeral-storage', '1Gi', '600Mi')),
  summed('requests.example.com/gpu', 'example.com/gpu', '1', '1'),
  // Nobody has huge pages who does not ask for memory as well.
  ...['hugepages-2Mi', 'requests.hugepages-2Mi'].map((name) =>
    summed(name, 'hugepages-2Mi', '4Mi', '4Mi', { memory: '1Mi' }),
  ),
];

const near = { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'a' } } };
const required = (term: Json): Json => ({ requiredDuringSchedulingIgnoredDuringExecution: [near, term] });
const preferred = (term: Json): Json => ({
  preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: term }],
});

/** A quota on pods that look at those of other namespaces, whichever way they do. */
const elsewhere = (
  [
    ['podAffinity', required, { namespaces: ['a'] }],
    ['podAffinity', preferred, { namespaceSelector: {} }],
    ['podAntiAffinity', required, { namespaceSelector: { matchLabels: { a: 'b' } } }],
    ['podAntiAffinity', preferred, { namespaces: ['a'] }],
  ] as const
).map(([affinity, how, where], place) => ({
  ...{ name: `CrossNamespacePodAffinity ${place + 1}`, hard: { pods: '0' }, holds: { from: 22 } },
  about: { scopeSelector: { matchExpressions: [{ scopeName: 'CrossNamespacePodAffinity', operator: 'Exists' }] } },
  within: { affinity: { [affinity]: how(near) } },
  beyond: { affinity: { [affinity]: how({ ...near, ...where }) } },
}));

/** Quotas that count pods by what they ask for, or are about some of them. */
export const podQuotas: readonly PodQuota[] = [
  ...sums,
  ...elsewhere,
  {
    name: 'requests.cpu',
    hard: { 'requests.cpu': '1' },
    within: { ...asking, initContainers: [container('first', sized('700m'))] },
    beyond: { containers: ['one', 'two'].map((name) => container(name, sized('600m'))) },
  },
  {
    name: 'requests.cpu, of what begins and asks for less',
    hard: { 'requests.cpu': '1' },
    within: asking,
    beyond: {
      initContainers: [container('first', sized('100m')), container('second', sized('200m'))],
      containers: ['one', 'two'].map((name) => container(name, sized('600m'))),
    },
  },
  {
    name: 'requests.cpu, of what begins and asks for more',
    hard: { 'requests.cpu': '1' },
    within: asking,
    beyond: { ...asking, initContainers: [container('first', sized('1100m')), container('second', sized('200m'))] },
  },
  {
    name: 'limits.cpu, of all that a pod runs',
    hard: { 'limits.cpu': '9' },
    within: { ...asking, initContainers: [container('first', sized('700m'))] },
    beyond: { ...asking, initContainers: [container('first', sized('700m')), container('second')] },
  },
  scoped('Terminating', {}, ending),
  scoped('NotTerminating', ending, {}),
  scoped('BestEffort', asking, {}),
  scoped('NotBestEffort', {}, asking),
  // A pod has to be in all scopes of a quota.
  scoped('NotTerminating, BestEffort', ending, {}),
  scoped('BestEffort, NotTerminating', asking, {}),
  {
    ...classed('NotIn, of pods that end', 'NotIn', [urgent], {}, ending),
    about: {
      scopes: ['Terminating'],
      scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'NotIn', values: [urgent] }] },
    },
  },
  {
    ...classed('In, of pods that do not end', 'In', [urgent], {}, urgently),
    about: {
      scopes: ['NotTerminating'],
      scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: [urgent] }] },
    },
  },
  classed('In', 'In', [urgent], {}, urgently),
  classed('NotIn, of a pod without a class', 'NotIn', [urgent], urgently, {}),
  classed('Exists', 'Exists', [], {}, urgently),
  classed('DoesNotExist', 'DoesNotExist', [], urgently, {}),
];
