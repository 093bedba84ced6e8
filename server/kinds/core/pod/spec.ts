import { duplicate, type FieldError, forbiddenField, invalidValue, required } from '../../../base/field-error.ts';
import type { FieldPath } from '../../../base/field-path.ts';
import { ipAddress } from '../../../base/ip.ts';
import { dnsLabel, dnsSubdomain, qualifiedName } from '../../../base/names.ts';
import type { Work } from '../../../base/turns/work.ts';
import {
  between,
  eachInTurns,
  eachOf,
  maxInt32,
  named,
  namedIfSet,
  oneOf,
  requiredName,
  requiredOneOf,
} from '../../field-rules.ts';
import { validateLabels } from '../../label-selector-field.ts';
import { containerResourceName, validateRequirements } from '../resource-names.ts';
import { longTarget } from '../volume/block-devices.ts';
import type { Source } from '../volume/source-fields.ts';
import { podVolumeSources, validateSource } from '../volume/sources.ts';
import { podAnnotationErrors } from './annotations.ts';
import { validateContainers, validateEphemeralContainers, validateInitContainers } from './containers.ts';
import { validateOperatingSystem } from './operating-system.ts';
import { validateAffinity, validateTolerations, validateTopologySpread } from './scheduling.ts';
import { seccompMismatches } from './seccomp.ts';
import { type PodPolicy, validatePodSecurity, validatePrivileges } from './security.ts';
import type { PodSpec, PodTemplateSpec, Quantities, Volume } from './shape.ts';
import { validateAnnotations } from './template-annotations.ts';
import { validateHostProcesses } from './windows-options.ts';

export { defaultPodSpec, defaultPodTemplate } from './defaults.ts';
export type { PodSpec, PodTemplateSpec } from './shape.ts';

/** Checks a template as it stands in a workload; the template must have been defaulted. */
export function* validatePodTemplate(
  template: PodTemplateSpec | undefined,
  policy: PodPolicy,
  at: FieldPath,
): Work<FieldError[]> {
  const { metadata = {}, spec = {} } = template ?? {};
  return [
    ...validateLabels(metadata.labels, at.child('labels')),
    ...validateAnnotations(metadata.annotations, at.child('annotations')),
    ...podAnnotationErrors(metadata.annotations, spec, at.child('annotations')),
    ...(yield* validatePodSpec(spec, policy, at.child('spec'))),
    ...seccompMismatches({ metadata, spec }, at.child('spec')),
    ...((spec.ephemeralContainers ?? []).length > 0
      ? [
          forbiddenField(
            at.child('spec').child('ephemeralContainers'),
            'ephemeral containers not allowed in pod template',
          ),
        ]
      : []),
  ];
}

const restartPolicies = ['Always', 'OnFailure', 'Never'];
const dnsPolicies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];

/** Checks the spec of a pod or of a template; it must have been defaulted. */
export function* validatePodSpec(spec: PodSpec, policy: PodPolicy, at: FieldPath): Work<FieldError[]> {
  const volumes = new Map<string, Volume>();
  const { initContainers, ephemeralContainers } = spec;
  const errors = [
    ...(yield* validateVolumes(spec.volumes, volumes, at.child('volumes'))),
    ...(yield* validateContainers(spec.containers, volumes, at.child('containers'))),
    ...(yield* validateInitContainers(initContainers, spec.containers, volumes, at.child('initContainers'))),
    ...(yield* validateEphemeralContainers(ephemeralContainers, spec, volumes, at.child('ephemeralContainers'))),
    ...validatePrivileges(spec, policy, at),
  ];
  yield;
  return [...errors, ...validateWholePod(spec, policy, at)];
}

/** What is said once for the pod, or can be said of each container at little cost. */
function validateWholePod(spec: PodSpec, policy: PodPolicy, at: FieldPath): FieldError[] {
  const { activeDeadlineSeconds: deadline } = spec;
  return [
    ...validateHostProcesses(spec, policy.allowPrivileged, at),
    ...requiredOneOf(spec.restartPolicy, restartPolicies, at.child('restartPolicy')),
    ...requiredOneOf(spec.dnsPolicy, dnsPolicies, at.child('dnsPolicy')),
    ...validateLabels(spec.nodeSelector, at.child('nodeSelector')),
    ...portsOfHost(spec, at.child('containers')),
    ...validatePodSecurity(spec.securityContext, spec, at.child('securityContext')),
    ...validateAffinity(spec.affinity, at.child('affinity')),
    ...validateDns(spec, at.child('dnsConfig')),
    ...eachOf(spec.readinessGates, at.child('readinessGates'), ({ conditionType = '' }, here) =>
      qualifiedName(conditionType).map((problem) => invalidValue(here.child('conditionType'), conditionType, problem)),
    ),
    ...validateTopologySpread(spec.topologySpreadConstraints, at.child('topologySpreadConstraints')),
    ...named(spec.serviceAccountName, dnsSubdomain, at.child('serviceAccountName')),
    ...named(spec.nodeName, dnsSubdomain, at.child('nodeName')),
    ...(deadline === undefined ? [] : between(deadline, 1, maxInt32, at.child('activeDeadlineSeconds'))),
    ...named(spec.hostname, dnsLabel, at.child('hostname')),
    ...named(spec.subdomain, dnsLabel, at.child('subdomain')),
    ...validateTolerations(spec.tolerations, at.child('tolerations')),
    ...hostAliases(spec.hostAliases, at.child('hostAliases')),
    ...named(spec.priorityClassName, dnsSubdomain, at.child('priorityClassName')),
    ...namedIfSet(spec.runtimeClassName, dnsSubdomain, at.child('runtimeClassName')),
    ...(spec.preemptionPolicy === undefined
      ? []
      : requiredOneOf(spec.preemptionPolicy, ['PreemptLowerPriority', 'Never'], at.child('preemptionPolicy'))),
    ...validateOverhead(spec.overhead, at.child('overhead')),
    ...validateOperatingSystem(spec, at),
  ];
}

/** In the network of the host every port is one of the host. */
function portsOfHost({ hostNetwork, containers }: PodSpec, at: FieldPath): FieldError[] {
  if (!hostNetwork) return [];
  return eachOf(containers, at, ({ ports }, here) =>
    eachOf(ports, here.child('ports'), ({ hostPort, containerPort }, spot) =>
      hostPort === containerPort
        ? []
        : [
            invalidValue(
              spot.child('containerPort'),
              containerPort,
              'must match `hostPort` when `hostNetwork` is true',
            ),
          ],
    ),
  );
}

const validateVolumes = (
  volumes: readonly Volume[] | undefined,
  seen: Map<string, Volume>,
  at: FieldPath,
): Work<FieldError[]> =>
  eachInTurns(volumes, at, (volume, here) => {
    const { name } = volume;
    const errors = validateSource(volume, podVolumeSources, here);
    errors.push(...longTarget(volume.iscsi as Source | undefined, name ?? '', here.child('name'), name ?? ''));
    errors.push(...requiredName(name, dnsLabel, here.child('name')));
    if (name && seen.has(name)) errors.push(duplicate(here.child('name'), name));
    // A faulty volume is none that could be mounted.
    if (name && errors.length === 0) seen.set(name, volume);
    return errors;
  });

const maxNameservers = 3;
const maxSearches = 6;
/** Of all of them, with a blank between each two. */
const maxSearchBytes = 256;

function validateDns({ dnsPolicy, dnsConfig }: PodSpec, at: FieldPath): FieldError[] {
  const { nameservers = [], searches = [], options } = dnsConfig ?? {};
  if (dnsPolicy === 'None' && !dnsConfig) return [required(at, 'must provide `dnsConfig` when `dnsPolicy` is None')];
  if (!dnsConfig) return [];
  // Nothing else is told then.
  if (dnsPolicy === 'None' && nameservers.length === 0)
    return [required(at.child('nameservers'), 'must provide at least one DNS nameserver when `dnsPolicy` is None')];
  const errors: FieldError[] = [];
  if (nameservers.length > maxNameservers)
    errors.push(
      invalidValue(at.child('nameservers'), nameservers, `must not have more than ${maxNameservers} nameservers`),
    );
  errors.push(
    ...eachOf(nameservers, at.child('nameservers'), (server, here) =>
      ipAddress(server).map((problem) => invalidValue(here, server, problem)),
    ),
  );
  if (searches.length > maxSearches)
    errors.push(invalidValue(at.child('searches'), searches, `must not have more than ${maxSearches} search paths`));
  if (Buffer.byteLength(searches.join(' ')) > maxSearchBytes)
    errors.push(invalidValue(at.child('searches'), searches, `must not be longer than ${maxSearchBytes} bytes`));
  errors.push(
    ...eachOf(searches, at.child('searches'), (search, here) =>
      dnsSubdomain(search.replace(/\.$/, '')).map((problem) => invalidValue(here, search, problem)),
    ),
    ...eachOf(options, at.child('options'), ({ name }, here) => (name ? [] : [required(here)])),
  );
  return errors;
}

/** Faults are told at the list, whichever entry they are in. */
const hostAliases = (aliases: PodSpec['hostAliases'], at: FieldPath): FieldError[] =>
  (aliases ?? []).flatMap(({ ip = '', hostnames = [] }) => [
    ...ipAddress(ip).map((problem) => invalidValue(at.child('ip'), ip, problem)),
    ...hostnames.flatMap((name) =>
      dnsSubdomain(name).map((problem) => invalidValue(at.child('hostnames'), name, problem)),
    ),
  ]);

/** What a pod costs beyond its containers: amounts as in the limits of a container, and told as such. */
export const validateOverhead = (overhead: Quantities | undefined, at: FieldPath): FieldError[] =>
  validateRequirements({ limits: overhead ?? {} }, containerResourceName, at);

/** A template whose pods are kept running. */
export function* validateWorkloadTemplate(
  template: PodTemplateSpec | undefined,
  policy: PodPolicy,
  at: FieldPath,
): Work<FieldError[]> {
  return [...(yield* validatePodTemplate(template, policy, at)), ...keptRunning(template, at)];
}

/** Pods that are kept running may neither end for good nor have a time limit. */
export const keptRunning = (template: PodTemplateSpec | undefined, at: FieldPath): FieldError[] => [
  ...oneOf(template?.spec?.restartPolicy, ['Always'], at.child('spec').child('restartPolicy')),
  ...(template?.spec?.activeDeadlineSeconds !== undefined
    ? [
        forbiddenField(
          at.child('spec').child('activeDeadlineSeconds'),
          'activeDeadlineSeconds in ReplicaSet is not Supported',
        ),
      ]
    : []),
];
