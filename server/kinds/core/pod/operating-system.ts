import { type FieldError, forbiddenField, notSupported, required } from '../../../base/field-error.ts';
import type { FieldPath } from '../../../base/field-path.ts';
import { eachOf } from '../../field-rules.ts';
import type { Container, PodSpec } from './shape.ts';

/** What a pod may say once it has named the operating system it is made for. */

const systems = ['linux', 'windows'];

export function validateOperatingSystem(spec: PodSpec, at: FieldPath): FieldError[] {
  if (!spec.os) return [];
  const { name } = spec.os;
  const here = at.child('os');
  if (!name) return [required(here.child('name'))];
  if (name === 'linux') return notOnLinux(spec, at);
  return name === 'windows' ? notOnWindows(spec, at) : [notSupported(here, name, systems)];
}

const everyContainer = (spec: PodSpec, at: FieldPath, check: (container: Container, at: FieldPath) => FieldError[]) =>
  (['containers', 'initContainers', 'ephemeralContainers'] as const).flatMap((list) =>
    eachOf(spec[list], at.child(list), check),
  );

/** Refuses the given fields of `holder`; a list counts as given also when it is empty. */
const refused = (holder: object | undefined, fields: readonly string[], system: string, at: FieldPath): FieldError[] =>
  fields
    .filter((field) => (holder as Record<string, unknown> | undefined)?.[field] !== undefined)
    .map((field) => forbiddenField(at.child(field), `cannot be set for a ${system} pod`));

const notOnLinux = (spec: PodSpec, at: FieldPath): FieldError[] => [
  ...refused(spec.securityContext, ['windowsOptions'], 'linux', at.child('securityContext')),
  ...everyContainer(spec, at, ({ securityContext }, here) =>
    refused(securityContext, ['windowsOptions'], 'linux', here.child('securityContext')),
  ),
];

/** Those that are given also when they are false, and those that are not. */
const namespaces = { said: ['hostUsers', 'shareProcessNamespace'], entered: ['hostPID', 'hostIPC'] } as const;

const linuxPodFields = [
  'seLinuxOptions',
  'seccompProfile',
  'fsGroup',
  'fsGroupChangePolicy',
  'sysctls',
  'runAsUser',
  'runAsGroup',
  'supplementalGroups',
];

const linuxContainerFields = [
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
];

/** Settings of the Linux kernel mean nothing to a Windows pod. */
const notOnWindows = (spec: PodSpec, at: FieldPath): FieldError[] => [
  ...refused(spec, [...namespaces.said, ...namespaces.entered.filter((field) => spec[field])], 'windows', at),
  ...refused(spec.securityContext, linuxPodFields, 'windows', at.child('securityContext')),
  ...everyContainer(spec, at, ({ securityContext }, here) =>
    refused(securityContext, linuxContainerFields, 'windows', here.child('securityContext')),
  ),
];
