import { duplicate, type FieldError, forbiddenField, invalidValue, required } from '../../../base/field-error.ts';
import type { FieldPath } from '../../../base/field-path.ts';
import { ipAddress } from '../../../base/ip.ts';
import { dnsLabel, dnsSubdomain, qualifiedName } from '../../../base/names.ts';
import { between, eachOf, maxInt32, named, oneOf, requiredName, requiredOneOf } from '../../field-rules.ts';
import { validateLabels } from '../../label-selector-field.ts';
import { containerResourceName, resourceAmounts } from '../resource-names.ts';
import { podVolumeSources, validateSource } from '../volume/sources.ts';
import { validateContainers, validateEphemeralContainers, validateInitContainers } from './containers.ts';
import { validateAffinity, validateTolerations, validateTopologySpread } from './scheduling.ts';
import { type PodPolicy, validatePodSecurity, validatePrivileges } from './security.ts';
import type { PodSpec, PodTemplateSpec, Volume } from './shape.ts';
import { validateAnnotations } from './template-annotations.ts';

export { defaultPodSpec, defaultPodTemplate } from './defaults.ts';
export type { PodSpec, PodTemplateSpec } from './shape.ts';

/** Checks a template as it stands in a workload; the template must have been defaulted. */
export function validatePodTemplate(
  template: PodTemplateSpec | undefined,
  policy: PodPolicy,
  at: FieldPath,
): FieldError[] {
  const { metadata = {}, spec = {} } = template ?? {};
  return [
    ...validateLabels(metadata.labels, at.child('labels')),
    ...validateAnnotations(metadata.annotations, at.child('annotations')),
    ...validatePodSpec(spec, policy, at.child('spec')),
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
export function validatePodSpec(spec: PodSpec, policy: PodPolicy, at: FieldPath): FieldError[] {
  const volumes = new Map<string, Volume>();
  const { activeDeadlineSeconds: deadline } = spec;
  return [
    ...validateVolumes(spec.volumes, volumes, at.child('volumes')),
    ...validateContainers(spec.containers, volumes, at.child('containers')),
    ...validateInitContainers(spec.initContainers, spec.containers, volumes, at.child('initContainers')),
    ...validateEphemeralContainers(
      spec.ephemeralContainers,
      spec.containers,
      spec.initContainers,
      volumes,
      at.child('ephemeralContainers'),
    ),
    ...validatePrivileges(spec, policy, at),
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
    ...eachOf(spec.hostAliases, at.child('hostAliases'), ({ ip = '', hostnames }, here) => [
      ...ipAddress(ip).map((problem) => invalidValue(here.child('ip'), ip, problem)),
      ...eachOf(hostnames, here.child('hostnames'), (name) =>
        dnsSubdomain(name).map((problem) => invalidValue(here.child('hostnames'), name, problem)),
      ),
    ]),
    ...named(spec.priorityClassName, dnsSubdomain, at.child('priorityClassName')),
    ...named(spec.runtimeClassName, dnsSubdomain, at.child('runtimeClassName')),
    ...oneOf(spec.preemptionPolicy, ['PreemptLowerPriority', 'Never'], at.child('preemptionPolicy')),
    ...resourceAmounts(spec.overhead, containerResourceName, at.child('overhead')),
    ...(spec.os ? requiredOneOf(spec.os.name, ['linux', 'windows'], at.child('os').child('name')) : []),
    ...(spec.os?.name === 'windows' ? notOnWindows(spec, at) : []),
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

function validateVolumes(
  volumes: readonly Volume[] | undefined,
  seen: Map<string, Volume>,
  at: FieldPath,
): FieldError[] {
  return eachOf(volumes, at, (volume, here) => {
    const { name } = volume;
    const errors = validateSource(volume, podVolumeSources, here);
    errors.push(...requiredName(name, dnsLabel, here.child('name')));
    if (name && seen.has(name)) errors.push(duplicate(here.child('name'), name));
    if (name) seen.set(name, volume);
    return errors;
  });
}

const maxNameservers = 3;
const maxSearches = 6;

function validateDns({ dnsPolicy, dnsConfig }: PodSpec, at: FieldPath): FieldError[] {
  const { nameservers = [], searches = [], options } = dnsConfig ?? {};
  if (dnsPolicy === 'None' && !dnsConfig) return [required(at, 'must provide `dnsConfig` when `dnsPolicy` is None')];
  if (!dnsConfig) return [];
  const errors: FieldError[] = [];
  if (dnsPolicy === 'None' && nameservers.length === 0)
    errors.push(required(at.child('nameservers'), 'must provide at least one DNS nameserver when `dnsPolicy` is None'));
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
  errors.push(
    ...eachOf(searches, at.child('searches'), (search, here) =>
      search === '.'
        ? []
        : dnsSubdomain(search.replace(/\.$/, '')).map((problem) => invalidValue(here, search, problem)),
    ),
    ...eachOf(options, at.child('options'), ({ name }, here) => (name ? [] : [required(here)])),
  );
  return errors;
}

/** Settings of the Linux kernel mean nothing to a Windows pod. */
function notOnWindows(spec: PodSpec, at: FieldPath): FieldError[] {
  const refuse = (set: unknown, path: FieldPath) =>
    set ? [forbiddenField(path, 'cannot be set for a windows pod')] : [];
  const security = spec.securityContext;
  const here = at.child('securityContext');
  return [
    ...refuse(spec.hostPID, at.child('hostPID')),
    ...refuse(spec.hostIPC, at.child('hostIPC')),
    ...refuse(spec.shareProcessNamespace, at.child('shareProcessNamespace')),
    ...refuse(security?.seccompProfile, here.child('seccompProfile')),
    ...refuse(security?.fsGroup !== undefined, here.child('fsGroup')),
    ...refuse(security?.fsGroupChangePolicy, here.child('fsGroupChangePolicy')),
    ...refuse(security?.sysctls?.length, here.child('sysctls')),
    ...refuse(security?.runAsUser !== undefined, here.child('runAsUser')),
    ...refuse(security?.runAsGroup !== undefined, here.child('runAsGroup')),
    ...refuse(security?.supplementalGroups?.length, here.child('supplementalGroups')),
  ];
}

/** A template whose pods are kept running: they may neither end for good nor have a time limit. */
export const validateWorkloadTemplate = (
  template: PodTemplateSpec | undefined,
  policy: PodPolicy,
  at: FieldPath,
): FieldError[] => [
  ...validatePodTemplate(template, policy, at),
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
