import { FieldPath } from '../../../base/field-path.ts';
import { isWhole } from '../../quantity-text.ts';
import { sameValue } from '../../same-value.ts';
import { seccompOfContainer, seccompOfPod } from './seccomp.ts';
import type { Affinity, Container, NodeSelectorTerm, PodSpec, PodTemplateSpec, Quantities } from './shape.ts';

/** What is accepted in a pod or template, but not what its author will have meant. */

const oldLabels: ReadonlyMap<string, string> = new Map([
  ['beta.kubernetes.io/arch', 'deprecated since v1.14; use "kubernetes.io/arch" instead'],
  ['beta.kubernetes.io/os', 'deprecated since v1.14; use "kubernetes.io/os" instead'],
  ['failure-domain.beta.kubernetes.io/region', 'deprecated since v1.17; use "topology.kubernetes.io/region" instead'],
  ['failure-domain.beta.kubernetes.io/zone', 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead'],
  ['beta.kubernetes.io/instance-type', 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead'],
]);

/** Sources, what is said of them, and how they are called where that is not their name. */
const oldVolumes: readonly (readonly [source: string, text: string, called?: string])[] = [
  ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'deprecated in v1.11'],
  ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'deprecated in v1.22, support removal is planned in v1.26'],
  ['storageos', 'deprecated in v1.22, support removal is planned in v1.26', 'storageOS'],
  ['quobyte', 'deprecated in v1.22, support removal is planned in v1.26'],
  ['glusterfs', 'deprecated in v1.25, this feature will be removed soon after in a subsequent release'],
];

const oldAnnotations: ReadonlyMap<string, string> = new Map([
  ['scheduler.alpha.kubernetes.io/critical-pod', 'without effect since v1.16: spec.priorityClassName says it'],
  ['security.alpha.kubernetes.io/sysctls', 'without effect since v1.11: spec.securityContext.sysctls says it'],
  ['security.alpha.kubernetes.io/unsafe-sysctls', 'without effect since v1.11: spec.securityContext.sysctls says it'],
]);

const told = (at: FieldPath, text: string) => `${at}: ${text}`;

/** One text for each entry of a list whose `key` is that of an earlier one; what is not given counts as empty. */
function repeated<K extends string>(
  list: readonly { readonly [Key in K]?: string }[] | undefined,
  key: K,
  at: FieldPath,
): string[] {
  const seen = new Set<string>();
  return (list ?? []).flatMap((item, position) => {
    const text = item[key] ?? '';
    const twice = seen.has(text);
    seen.add(text);
    return twice ? [told(at.index(position).child(key), `duplicate ${key} ${JSON.stringify(text)}`)] : [];
  });
}

const bytes = ['memory', 'ephemeral-storage'];

const fractions = (amounts: Quantities | undefined, at: FieldPath): string[] =>
  bytes.flatMap((name) => {
    const amount = amounts && Object.hasOwn(amounts, name) ? amounts[name] : undefined;
    return amount === undefined || isWhole(amount)
      ? []
      : [told(at.key(name), `fractional byte value ${JSON.stringify(amount)} is invalid, must be an integer`)];
  });

function containerWarnings({ env, resources }: Container, at: FieldPath): string[] {
  const limits = at.child('resources').child('limits');
  const requests = at.child('resources').child('requests');
  return [
    ...repeated(env, 'name', at.child('env')),
    ...fractions(resources?.limits, limits),
    ...fractions(resources?.requests, requests),
  ];
}

/** What nodes must be like, and what they should be like. */
function nodeTerms(affinity: Affinity['nodeAffinity'], at: FieldPath): [NodeSelectorTerm, FieldPath][] {
  const needed = 'requiredDuringSchedulingIgnoredDuringExecution';
  const wanted = 'preferredDuringSchedulingIgnoredDuringExecution';
  const terms = affinity?.[needed]?.nodeSelectorTerms ?? [];
  return [
    ...terms.map((term, i): [NodeSelectorTerm, FieldPath] => [
      term,
      at.child(needed).child('nodeSelectorTerms').index(i),
    ]),
    ...(affinity?.[wanted] ?? []).map(({ preference = {} }, i): [NodeSelectorTerm, FieldPath] => [
      preference,
      at.child(wanted).index(i).child('preference'),
    ]),
  ];
}

function oldSelectors({ nodeSelector, affinity, topologySpreadConstraints }: PodSpec, at: FieldPath): string[] {
  const old = (key: string | undefined, where: FieldPath, shown: string) => {
    const text = oldLabels.get(key ?? '');
    return text ? [told(where, shown ? `${shown} is ${text}` : text)] : [];
  };
  return [
    ...Object.keys(nodeSelector ?? {}).flatMap((key) => old(key, at.child('nodeSelector').key(key), '')),
    ...nodeTerms(affinity?.nodeAffinity, at.child('affinity').child('nodeAffinity')).flatMap(
      ([{ matchExpressions = [] }, here]) =>
        matchExpressions.flatMap(({ key = '' }, position) =>
          old(key, here.child('matchExpressions').index(position).child('key'), key),
        ),
    ),
    ...(topologySpreadConstraints ?? []).flatMap(({ topologyKey = '' }, position) =>
      old(topologyKey, at.child('topologySpreadConstraints').index(position).child('topologyKey'), topologyKey),
    ),
  ];
}

const listsOfContainers = ['initContainers', 'containers', 'ephemeralContainers'] as const;

function specWarnings(spec: PodSpec, at: FieldPath): string[] {
  const each = (list: (typeof listsOfContainers)[number]) =>
    (spec[list] ?? []).flatMap((container, position) => containerWarnings(container, at.child(list).index(position)));
  return [
    ...oldSelectors(spec, at),
    ...(spec.volumes ?? []).flatMap((volume, position) =>
      oldVolumes
        .filter(([source]) => volume[source])
        .map(([source, text, called = source]) => told(at.child('volumes').index(position).child(called), text)),
    ),
    // Two volumes of one name are refused, but not in a template that nobody looks into.
    ...repeated(spec.volumes, 'name', at.child('volumes')),
    ...repeated(spec.hostAliases, 'ip', at.child('hostAliases')),
    ...fractions(spec.overhead, at.child('overhead')),
    ...(spec.imagePullSecrets ?? []).flatMap(({ name }, position) =>
      name ? [] : [told(at.child('imagePullSecrets').index(position).child('name'), 'invalid empty name ""')],
    ),
    ...repeated(spec.imagePullSecrets, 'name', at.child('imagePullSecrets')),
    ...listsOfContainers.flatMap(each),
  ];
}

/** Of the seccomp annotations only those that no field says as well. */
function annotationWarnings({ metadata, spec = {} }: PodTemplateSpec, at: FieldPath): string[] {
  const given = metadata?.annotations;
  if (!given) return [];
  const here = at.child('metadata').child('annotations');
  const containers = listsOfContainers.flatMap((list) => spec[list] ?? []);
  const seccomp = [
    ...(spec.securityContext?.seccompProfile ? [] : [seccompOfPod]),
    ...containers
      .filter(({ securityContext }) => !securityContext?.seccompProfile)
      .map(({ name = '' }) => seccompOfContainer + name),
  ].map((key) => [key, 'outdated since v1.19: securityContext.seccompProfile says it'] as const);
  return [...oldAnnotations, ...seccomp].flatMap(([key, text]) =>
    Object.hasOwn(given, key) ? [told(here.key(key), text)] : [],
  );
}

const allWarnings = (template: PodTemplateSpec, at: FieldPath): string[] => [
  ...annotationWarnings(template, at),
  ...specWarnings(template.spec ?? {}, at.child('spec')),
];

export const podWarnings = (pod: PodTemplateSpec): string[] => allWarnings(pod, FieldPath.root);

interface Workload {
  spec?: { template?: PodTemplateSpec };
}

/** Of a template that stands at `at`; once it is stored, only of a changed one. */
export const changedTemplateWarnings = (
  next: PodTemplateSpec | undefined,
  previous: PodTemplateSpec | undefined,
  at: FieldPath,
): string[] => (previous && sameValue(next, previous) ? [] : allWarnings(next ?? {}, at));

const workloadTemplate = FieldPath.of('spec', 'template');

/** Of the template in a workload. */
export const templateWarnings = (next: Workload): string[] =>
  changedTemplateWarnings(next.spec?.template, undefined, workloadTemplate);

/** Of the template in a workload, whenever anything of its spec changes. */
export const changedSpecWarnings = (next: Workload, previous: Workload | undefined): string[] =>
  previous && sameValue(next.spec, previous.spec) ? [] : templateWarnings(next);
