import { type FieldError, forbiddenField, invalidValue } from '../../../base/field-error.ts';
import { FieldPath } from '../../../base/field-path.ts';
import { dnsSubdomain } from '../../../base/names.ts';
import type { Work } from '../../../base/turns/work.ts';
import { eachOf } from '../../field-rules.ts';
import { keepAllButStatus, keepMetadata, keepStatus } from '../../status-subresource.ts';
import { defineKind, type SubresourceRules } from '../../strategy.ts';
import { attachOptions, execOptions, portForwardOptions, proxyOptions } from '../connect-options.ts';
import { podAttach, podExec, podLog, podPortForward, podProxy } from '../connections.ts';
import { fixedAnnotations, podAnnotationErrors } from './annotations.ts';
import { bindPod } from './binding.ts';
import { trimmedImage } from './containers.ts';
import { defaultPod, dropOldInitContainers } from './defaults.ts';
import { evictPod } from './eviction.ts';
import { dropGatedFields } from './gates.ts';
import { qosClassOf } from './quality.ts';
import { fillSeccompProfiles, seccompMismatches } from './seccomp.ts';
import type { PodPolicy } from './security.ts';
import type { Pod, Volume } from './shape.ts';
import { validatePodSpec } from './spec.ts';
import { podTable } from './table.ts';
import { validateEphemeralChange, validatePodChange, validatePodStatus } from './update.ts';
import { podWarnings } from './warnings.ts';

const at = FieldPath.of('spec');
const annotationsAt = FieldPath.of('metadata', 'annotations');

function defaults(pod: Pod): void {
  pod.spec ??= {};
  pod.status ??= {};
  dropOldInitContainers(pod.metadata);
  defaultPod(pod.spec);
  const { status } = pod;
  // Both fields tell the first address; where they differ the older one decides.
  if (status.podIP && status.podIPs?.[0]?.ip !== status.podIP) status.podIPs = [{ ip: status.podIP }];
  else if (!status.podIP && status.podIPs?.[0]?.ip) status.podIP = status.podIPs[0].ip;
}

function* validate({ metadata, spec = {} }: Pod, policy: PodPolicy): Work<FieldError[]> {
  return [
    ...podAnnotationErrors(metadata.annotations, spec, annotationsAt),
    ...(yield* validatePodSpec(spec, policy, at)),
    ...eachOf(spec.containers, at.child('containers'), trimmedImage),
    ...eachOf(spec.initContainers, at.child('initContainers'), trimmedImage),
    ...claimNames(metadata.name ?? '', spec.volumes),
    ...(spec.serviceAccountName ? [] : tokensOfNobody(spec.volumes)),
  ];
}

/** An ephemeral volume makes a claim named after the pod and itself, which no other volume may name. */
function claimNames(podName: string, volumes: readonly Volume[] = []): FieldError[] {
  if (podName === '') return [];
  const claimOf = ({ name = '' }: Volume) => `${podName}-${name}`;
  const made = new Set(volumes.filter(({ ephemeral }) => ephemeral).map(claimOf));
  return eachOf(volumes, at.child('volumes'), (volume, here) => {
    const taken = claimOfAnother(volume, made, here.child('persistentVolumeClaim').child('claimName'));
    if (taken.length > 0 || !volume.ephemeral || !volume.name) return taken;
    return claimMade(volume.name, claimOf(volume), here.child('name'));
  });
}

function claimOfAnother(volume: Volume, made: ReadonlySet<string>, here: FieldPath): FieldError[] {
  const { claimName } = (volume.persistentVolumeClaim ?? {}) as { claimName?: string };
  return claimName !== undefined && made.has(claimName)
    ? [invalidValue(here, claimName, 'must not be a claim that an ephemeral volume makes')]
    : [];
}

const claimMade = (name: string, claim: string, here: FieldPath): FieldError[] =>
  dnsSubdomain(claim).map((problem) =>
    invalidValue(here, name, `the name of the claim ${JSON.stringify(claim)} ${problem}`),
  );

/** Without an account there is nobody whose token a volume could show. */
const tokensOfNobody = (volumes: readonly Volume[] | undefined): FieldError[] =>
  eachOf(volumes, at.child('volumes'), ({ projected }, here) =>
    eachOf(
      (projected as { sources?: { serviceAccountToken?: object }[] } | undefined)?.sources,
      here.child('projected').child('sources'),
      ({ serviceAccountToken }, spot) =>
        serviceAccountToken
          ? [forbiddenField(spot.child('serviceAccountToken'), 'must not be given without serviceAccountName')]
          : [],
    ),
  );

const changedAnnotationErrors = (next: Pod, previous: Pod) =>
  fixedAnnotations(next.metadata.annotations, previous.metadata.annotations, annotationsAt);

const status: SubresourceRules<Pod> = {
  prepareUpdate(next, previous) {
    keepAllButStatus(next, previous);
    // Old agents send wrong owners along, and when a pod ends is not theirs to say.
    for (const field of ['ownerReferences', 'deletionTimestamp'] as const) {
      delete next.metadata[field];
      if (previous.metadata[field]) Object.assign(next.metadata, { [field]: previous.metadata[field] });
    }
  },
  validateUpdate: (next, previous) => [
    ...changedAnnotationErrors(next, previous),
    ...podAnnotationErrors(next.metadata.annotations, next.spec ?? {}, annotationsAt),
    ...validatePodStatus(next, previous),
  ],
  unownedFields: ['spec', 'metadata.ownerReferences', 'metadata.deletionTimestamp'],
};

const ephemeralContainers: SubresourceRules<Pod> = {
  hasNoTable: true,
  prepareUpdate(next, previous) {
    const added = next.spec?.ephemeralContainers;
    keepMetadata(next, previous);
    next.spec = { ...previous.spec, ...(added && { ephemeralContainers: added }) };
    if (!added) delete next.spec.ephemeralContainers;
    keepStatus(next, previous);
  },
  *validateUpdate(next, previous, context) {
    return [...(yield* validate(next, context)), ...validateEphemeralChange(next, previous)];
  },
};

const ended = ({ status: state }: Pod) => state?.phase === 'Succeeded' || state?.phase === 'Failed';

export const pod = defineKind<Pod>({
  group: '',
  version: 'v1',
  kind: 'Pod',
  resource: 'pods',
  deleteAnswersObject: true,
  default: defaults,
  prepareCreate(next, { features }) {
    dropGatedFields(next.spec, features);
    fillSeccompProfiles(next);
    next.status = { phase: 'Pending', qosClass: qosClassOf(next.spec ?? {}) };
  },
  prepareUpdate: ({ spec }, _previous, { features }) => dropGatedFields(spec, features),
  validate,
  validateCreate: (next) => [
    ...((next.spec?.ephemeralContainers ?? []).length > 0
      ? [forbiddenField(at.child('ephemeralContainers'), 'cannot be set on create')]
      : []),
    ...seccompMismatches(next, at),
  ],
  // An update is checked both as a new object and as a change.
  *validateUpdate(next, previous, context) {
    return [
      ...changedAnnotationErrors(next, previous),
      ...(yield* validate(next, context)),
      ...validatePodChange(next, previous),
    ];
  },
  // People rarely change pods by hand, so only new ones are commented on.
  warnings: (object, previous) => (previous ? [] : podWarnings(object)),
  beginDeletion(object, asked) {
    if (!object.spec?.nodeName || ended(object)) return 0;
    const seconds = asked ?? object.spec.terminationGracePeriodSeconds ?? 0;
    return seconds < 0 ? 1 : seconds;
  },
  subresources: { status, ephemeralcontainers: ephemeralContainers },
  operations: {
    binding: { run: bindPod },
    eviction: { run: evictPod, bodyVersions: ['policy/v1beta1'] },
    log: { run: podLog, onlyReads: true },
    exec: { run: podExec, connects: execOptions },
    attach: { run: podAttach, connects: attachOptions },
    portforward: { run: podPortForward, connects: portForwardOptions },
    proxy: { run: podProxy, connects: proxyOptions('PodProxyOptions') },
  },
  selectable: {
    'spec.nodeName': ({ spec }) => spec?.nodeName ?? '',
    'spec.host': ({ spec }) => spec?.nodeName ?? '',
    'spec.restartPolicy': ({ spec }) => spec?.restartPolicy ?? '',
    'spec.schedulerName': ({ spec }) => spec?.schedulerName ?? '',
    'spec.serviceAccountName': ({ spec }) => spec?.serviceAccountName ?? '',
    'status.phase': ({ status: state }) => state?.phase ?? '',
    'status.podIP': ({ status: state }) => state?.podIPs?.[0]?.ip ?? state?.podIP ?? '',
    // Known as a field, but nothing ever has it.
    'status.podIPs': () => '',
    'status.nominatedNodeName': ({ status: state }) => state?.nominatedNodeName ?? '',
  },
  table: podTable,
});
