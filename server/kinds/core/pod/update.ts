import { compact } from '../../../base/compact.ts';
import { type FieldError, forbiddenField, internalError, invalidValue, required } from '../../../base/field-error.ts';
import { FieldPath } from '../../../base/field-path.ts';
import { ipAddress } from '../../../base/ip.ts';
import { dnsSubdomain, qualifiedName } from '../../../base/names.ts';
import { eachOf, maxInt32, named, repeated } from '../../field-rules.ts';
import { sameValue } from '../../same-value.ts';
import { tolerationKey } from './scheduling.ts';
import type { Container, ContainerStatus, Pod, PodSpec, Toleration } from './shape.ts';

const at = FieldPath.of('spec');

/** The little of a pod's spec that may change: images, an earlier deadline, more tolerations. */
export function validatePodChange(next: Pod, previous: Pod): FieldError[] {
  const [after, before] = [next.spec ?? {}, previous.spec ?? {}];
  for (const list of ['containers', 'initContainers'] as const)
    if ((after[list] ?? []).length !== (before[list] ?? []).length)
      return [forbiddenField(at.child(list), 'pod updates may not add or remove containers')];
  const images = [
    ...imagesGiven(after.containers, 'containers'),
    ...imagesGiven(after.initContainers, 'initContainers'),
  ];
  const deadline = deadlineChange(after.activeDeadlineSeconds, before.activeDeadlineSeconds);
  // A wrong deadline hides what else was changed, one that is gone does not.
  if (deadline.length > 0 && after.activeDeadlineSeconds !== undefined) return [...images, ...deadline];
  return [
    ...images,
    ...deadline,
    ...tolerationsOnlyAdded(after.tolerations, before.tolerations),
    ...restStays(after, before),
  ];
}

const restStays = (after: PodSpec, before: PodSpec): FieldError[] =>
  sameValue(withoutMutable(after, before), before)
    ? []
    : [
        forbiddenField(
          at,
          'pod updates may not change fields other than `spec.containers[*].image`, `spec.initContainers[*].image`, `spec.activeDeadlineSeconds`, `spec.tolerations` (only additions to existing tolerations) or `spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
        ),
      ];

const imagesGiven = (containers: readonly Container[] | undefined, list: string): FieldError[] =>
  eachOf(containers, at.child(list), ({ image }, here) => (image ? [] : [required(here.child('image'))]));

function deadlineChange(after: number | undefined, before: number | undefined): FieldError[] {
  const here = at.child('activeDeadlineSeconds');
  if (after === undefined)
    return before === undefined
      ? []
      : [invalidValue(here, after, 'must not update from a positive integer to nil value')];
  if (after < 0 || after > maxInt32) return [invalidValue(here, after, `must be between 0 and ${maxInt32}, inclusive`)];
  return before !== undefined && after > before
    ? [invalidValue(here, after, 'must be less than or equal to previous value')]
    : [];
}

/** How long an old toleration lasts may change as well. */
function tolerationsOnlyAdded(after: readonly Toleration[] = [], before: readonly Toleration[] = []): FieldError[] {
  const kept = new Set(after.map(tolerationKey));
  return before.every((toleration) => kept.has(tolerationKey(toleration)))
    ? []
    : [forbiddenField(at.child('tolerations'), 'existing toleration can not be modified except its tolerationSeconds')];
}

function withoutMutable(after: PodSpec, before: PodSpec): PodSpec {
  const images = (list: readonly Container[] | undefined, old: readonly Container[] | undefined) =>
    list?.map((container, position) => compact({ ...container, image: old?.[position]?.image }));
  const grace = after.terminationGracePeriodSeconds === 1 && (before.terminationGracePeriodSeconds ?? 0) < 0;
  return compact({
    ...after,
    containers: images(after.containers, before.containers),
    initContainers: images(after.initContainers, before.initContainers),
    activeDeadlineSeconds: before.activeDeadlineSeconds,
    tolerations: before.tolerations,
    ...(grace && { terminationGracePeriodSeconds: before.terminationGracePeriodSeconds }),
  });
}

/** Ephemeral containers can be added; those that are there stay as they are. */
export function validateEphemeralChange(next: Pod, previous: Pod): FieldError[] {
  const here = at.child('ephemeralContainers');
  const after = new Map((next.spec?.ephemeralContainers ?? []).map((container) => [container.name, container]));
  return (previous.spec?.ephemeralContainers ?? []).flatMap((container) => {
    const now = after.get(container.name);
    if (!now)
      return [
        forbiddenField(here, `existing ephemeral containers ${JSON.stringify(container.name)} may not be removed`),
      ];
    return sameValue(now, container)
      ? []
      : [forbiddenField(here, `existing ephemeral containers ${JSON.stringify(container.name)} may not be changed`)];
  });
}

/** A container that has ended for good does not run again; addresses are addresses. */
export function validatePodStatus(next: Pod, previous: Pod): FieldError[] {
  const policy = previous.spec?.restartPolicy;
  const { nominatedNodeName: node = '', conditions } = next.status ?? {};
  return [
    ...named(node, dnsSubdomain, FieldPath.of('status', 'nominatedNodeName')),
    // Told at a place and by a name that they do not have.
    ...eachOf(conditions, FieldPath.of('metadata', 'conditions'), ({ type = '' }, here) =>
      qualifiedName(type).map((problem) => invalidValue(here.child('Type'), type, problem)),
    ),
    ...revived('containerStatuses', next, previous, policy),
    ...revived('initContainerStatuses', next, previous, policy),
    // Those that look into a pod are never run again.
    ...revived('ephemeralContainerStatuses', next, previous, 'Never'),
    ...eachOf(next.status?.podIPs, FieldPath.of('status', 'podIPs'), ({ ip = '' }, here) =>
      ipAddress(ip).map((problem) => invalidValue(here, ip, problem)),
    ),
    ...oneOfEachFamily(next.status?.podIPs),
  ];
}

type StatusList = 'containerStatuses' | 'initContainerStatuses' | 'ephemeralContainerStatuses';

/** Told at the place that the status of the container had. */
function revived(list: StatusList, next: Pod, previous: Pod, policy: string | undefined): FieldError[] {
  if (policy === 'Always') return [];
  const ended = (state: ContainerStatus['state']) => state?.terminated !== undefined;
  const now = new Map((next.status?.[list] ?? []).map((status) => [status.name, status]));
  return eachOf(previous.status?.[list], FieldPath.of('status', list), ({ name, state }, here) => {
    const current = now.get(name);
    const stays = ended(state) && !(policy === 'OnFailure' && state?.terminated?.exitCode !== 0);
    return stays && current && !ended(current.state)
      ? [forbiddenField(here.child('state'), 'may not be transitioned to non-terminated state')]
      : [];
  });
}

/** A pod has one address, or one of each of the two families. */
function oneOfEachFamily(podIPs: readonly { ip?: string }[] = []): FieldError[] {
  if (podIPs.length < 2) return [];
  const at = FieldPath.of('status', 'podIPs');
  const ips = podIPs.map(({ ip = '' }) => ip);
  const unreadable = ips.find((ip) => ipAddress(ip).length > 0);
  const families = new Set(ips.map((ip) => ip.includes(':')));
  return [
    ...(unreadable === undefined ? [] : [internalError(at, `${JSON.stringify(unreadable)} is of no family`)]),
    ...(unreadable !== undefined || families.size < 2 || ips.length > 2
      ? [invalidValue(at, podIPs, 'may specify no more than one IP for each IP family')]
      : []),
    ...repeated(ips, at),
  ];
}
