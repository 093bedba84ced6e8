import {
  duplicate,
  type FieldError,
  fieldNotFound,
  forbiddenField,
  invalidValue,
  required,
} from '../../../base/field-error.ts';
import type { FieldPath } from '../../../base/field-path.ts';
import { configMapKey, dnsLabel, dnsSubdomain, environmentName, portName } from '../../../base/names.ts';
import type { Work } from '../../../base/turns/work.ts';
import { eachInTurns, eachOf, named, oneOf, portNumber, requiredName, requiredText } from '../../field-rules.ts';
import { containerResourceName, validateRequirements } from '../resource-names.ts';
import {
  environmentFieldPaths,
  environmentResources,
  validateFieldRef,
  validateResourceFieldRef,
} from './downward-fields.ts';
import { validateLifecycle, validateProbes } from './handlers.ts';
import { type VolumesByName, validateDevices, validateMounts } from './mounts.ts';
import { validateContainerSecurity } from './security.ts';
import type { Container, ContainerPort, EnvVar, KeySelector, PodSpec } from './shape.ts';

/** The containers that run for as long as the pod does. */
export function* validateContainers(
  containers: readonly Container[] | undefined,
  volumes: VolumesByName,
  at: FieldPath,
): Work<FieldError[]> {
  if (!containers?.length) return [required(at)];
  const names = new Set<string>();
  const own = yield* eachInTurns(containers, at, (container, here) => [
    ...validateContainer(container, volumes, here),
    ...onlyOnce(container.name ?? '', names, here),
    ...validateLifecycle(container, here),
    ...validateProbes(container, here),
  ]);
  return [...own, ...(yield* eachInTurns(containers, at, hostPortConflicts()))];
}

/** Containers that run one after another before the others. */
export function* validateInitContainers(
  containers: readonly Container[] | undefined,
  others: readonly Container[] | undefined,
  volumes: VolumesByName,
  at: FieldPath,
): Work<FieldError[]> {
  if (!containers) return [];
  const names = namesOf(others);
  return yield* eachInTurns(containers, at, (container, here) => [
    ...validateContainer(container, volumes, here),
    ...onlyOnceAmongInit(container.name, names, here),
    // None runs beside another, and each is told as the first.
    ...hostPortConflicts()(container, at.index(0)),
    ...notAllowed(container, ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'], 'init containers', here),
  ]);
}

const notOfEphemeral = ['ports', 'lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe', 'resources'] as const;

/** Containers that are added to a running pod to look into it. */
export function* validateEphemeralContainers(
  containers: readonly Container[] | undefined,
  { containers: regular, initContainers: init }: PodSpec,
  volumes: VolumesByName,
  at: FieldPath,
): Work<FieldError[]> {
  if (!containers) return [];
  const targets = namesOf([...(regular ?? []), ...(init ?? [])]);
  const names = new Set(targets);
  return yield* eachInTurns(containers, at, (container, here) => [
    ...validateContainer(container, volumes, here),
    ...trimmedImage(container, here),
    ...onlyOnce(container.name ?? '', names, here),
    ...notAllowed(container, notOfEphemeral, 'an ephemeral container', here),
    ...eachOf(container.volumeMounts, here.child('volumeMounts'), ({ subPath, subPathExpr }, spot) => [
      ...(subPath ? [forbiddenField(spot.child('subPath'), 'cannot be set for an ephemeral container')] : []),
      ...(subPathExpr ? [forbiddenField(spot.child('subPathExpr'), 'cannot be set for an ephemeral container')] : []),
    ]),
    ...(container.targetContainerName && !targets.has(container.targetContainerName)
      ? [fieldNotFound(here.child('targetContainerName'), container.targetContainerName)]
      : []),
  ]);
}

const namesOf = (containers: readonly Container[] | undefined) =>
  new Set((containers ?? []).map(({ name = '' }) => name));

/** A name that is missing counts like any other. */
function onlyOnce(name = '', seen: Set<string>, at: FieldPath): FieldError[] {
  if (seen.has(name)) return [duplicate(at.child('name'), name)];
  seen.add(name);
  return [];
}

/** Of init containers a missing name is only held against the others, not against each other. */
function onlyOnceAmongInit(name = '', seen: Set<string>, at: FieldPath): FieldError[] {
  if (name) return onlyOnce(name, seen, at);
  return seen.has(name) ? [duplicate(at.child('name'), name)] : [];
}

/** A handler counts when it is there, the rest when it says something. */
const isSet = (field: keyof Container, value: unknown) =>
  field === 'resources' || field === 'ports' ? Object.keys(value ?? {}).length > 0 : value !== undefined;

const notAllowed = (
  container: Container,
  fields: readonly (keyof Container)[],
  what: string,
  at: FieldPath,
): FieldError[] =>
  fields
    .filter((field) => isSet(field, container[field]))
    .map((field) => forbiddenField(at.child(field), `may not be set for ${what}`));

/** Of the containers of a pod; those of a template may have blanks around the name of their image. */
export const trimmedImage = ({ image = '' }: Container, at: FieldPath): FieldError[] =>
  image === image.trim()
    ? []
    : [invalidValue(at.child('image'), image, 'must not have leading or trailing whitespace')];

/** What holds for containers of every sort. */
function validateContainer(container: Container, volumes: VolumesByName, at: FieldPath): FieldError[] {
  return [
    ...requiredName(container.name, dnsLabel, at.child('name')),
    ...requiredText(container.image, at.child('image')),
    ...oneOf(
      container.terminationMessagePolicy,
      ['File', 'FallbackToLogsOnError'],
      at.child('terminationMessagePolicy'),
    ),
    ...validatePorts(container.ports, at.child('ports')),
    ...eachOf(container.env, at.child('env'), validateEnv),
    ...validateEnvFrom(container.envFrom, at.child('envFrom')),
    ...validateMounts(container, volumes, at.child('volumeMounts')),
    ...validateDevices(container, volumes, at.child('volumeDevices')),
    ...oneOf(container.imagePullPolicy, ['Always', 'IfNotPresent', 'Never'], at.child('imagePullPolicy')),
    ...validateRequirements(container.resources ?? {}, containerResourceName, at.child('resources')),
    ...validateContainerSecurity(container.securityContext, at.child('securityContext')),
  ];
}

/** Which entry has too many sources or none is not told. */
const validateEnvFrom = (sources: Container['envFrom'], at: FieldPath): FieldError[] =>
  eachOf(sources, at, ({ prefix, configMapRef, secretRef }, here) => [
    ...(prefix ? environmentName(prefix).map((problem) => invalidValue(here.child('prefix'), prefix, problem)) : []),
    ...(configMapRef ? requiredName(configMapRef.name, dnsSubdomain, here.child('configMapRef').child('name')) : []),
    ...(secretRef ? requiredName(secretRef.name, dnsSubdomain, here.child('secretRef').child('name')) : []),
    ...(Number(!!configMapRef) + Number(!!secretRef) === 1
      ? []
      : [invalidValue(at, '', 'exactly one of `configMapRef` and `secretRef` is needed')]),
  ]);

function validatePorts(ports: readonly ContainerPort[] | undefined, at: FieldPath): FieldError[] {
  const names = new Set<string>();
  return eachOf(ports, at, (port, here) => [
    ...(port.name ? validatePortName(port.name, names, here) : []),
    ...(port.containerPort
      ? portNumber(port.containerPort, here.child('containerPort'))
      : [required(here.child('containerPort'))]),
    ...(port.hostPort ? portNumber(port.hostPort, here.child('hostPort')) : []),
    ...(port.protocol
      ? oneOf(port.protocol, ['SCTP', 'TCP', 'UDP'], here.child('protocol'))
      : [required(here.child('protocol'))]),
  ]);
}

function validatePortName(name: string, seen: Set<string>, at: FieldPath): FieldError[] {
  const errors = named(name, portName, at.child('name'));
  return errors.length > 0 ? errors : onlyOnce(name, seen, at);
}

/** No two containers that run together can have one port of the host. */
function hostPortConflicts(): (container: Container, at: FieldPath) => FieldError[] {
  const taken = new Set<string>();
  return ({ ports }, here) =>
    eachOf(ports, here.child('ports'), (port, spot) => {
      if (!port.hostPort) return [];
      const key = `${port.protocol}/${port.hostIP ?? ''}/${port.hostPort}`;
      if (taken.has(key)) return [duplicate(spot.child('hostPort'), key)];
      taken.add(key);
      return [];
    });
}

function validateEnv({ name, value, valueFrom }: EnvVar, at: FieldPath): FieldError[] {
  const errors = name
    ? environmentName(name).map((problem) => invalidValue(at.child('name'), name, problem))
    : [required(at.child('name'))];
  if (!valueFrom) return errors;
  const from = at.child('valueFrom');
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef } = valueFrom;
  const sources = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef].filter(Boolean).length;
  if (fieldRef) errors.push(...validateFieldRef(fieldRef, environmentFieldPaths, from.child('fieldRef')));
  if (resourceFieldRef)
    errors.push(
      ...validateResourceFieldRef(resourceFieldRef, environmentResources, false, from.child('resourceFieldRef')),
    );
  if (configMapKeyRef) errors.push(...keySelector(configMapKeyRef, from.child('configMapKeyRef')));
  if (secretKeyRef) errors.push(...keySelector(secretKeyRef, from.child('secretKeyRef')));
  if (sources !== 1) errors.push(invalidValue(from, '', 'must name exactly one source'));
  else if (value) errors.push(invalidValue(from, '', 'may not be specified when `value` is not empty'));
  return errors;
}

const keySelector = ({ name = '', key }: KeySelector, at: FieldPath): FieldError[] => [
  ...dnsSubdomain(name).map((problem) => invalidValue(at.child('name'), name, problem)),
  ...requiredName(key, configMapKey, at.child('key')),
];
