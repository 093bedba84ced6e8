import { perKey } from '../../../base/caches/memo.ts';
import type { ObjectMeta } from '../../../base/kube-object.ts';
import { imageTag } from './image-reference.ts';
import type { Container, Handler, PodSpec, PodTemplateSpec, Probe, ResourceFieldRef, Volume } from './shape.ts';

/** Fills a pod template as it is stored, in place. */
export function defaultPodTemplate(template: PodTemplateSpec): void {
  template.metadata ??= {};
  dropOldInitContainers(template.metadata);
  template.spec ??= {};
  defaultPodSpec(template.spec);
}

/** What annotations once said of init containers: nobody reads it any more, and nobody is to see it. */
const oldInitContainers = ['alpha', 'beta'].flatMap((stage) =>
  ['init-containers', 'init-container-statuses'].map((what) => `pod.${stage}.kubernetes.io/${what}`),
);

/** In place. */
export function dropOldInitContainers(metadata: ObjectMeta): void {
  const { annotations } = metadata;
  if (!annotations || !oldInitContainers.some((name) => name in annotations)) return;
  const kept = Object.entries(annotations).filter(([name]) => !oldInitContainers.includes(name));
  if (kept.length > 0) metadata.annotations = Object.fromEntries(kept);
  else delete metadata.annotations;
}

/** Fills the spec of a pod or template, in place. What admission adds (tolerations, priority, token volume) is not done here. */
export function defaultPodSpec(spec: PodSpec): void {
  spec.restartPolicy ||= 'Always';
  spec.terminationGracePeriodSeconds ??= 30;
  spec.dnsPolicy ||= 'ClusterFirst';
  spec.securityContext ??= {};
  spec.schedulerName ||= 'default-scheduler';
  // The two names of the account always agree; the newer one decides.
  const account = spec.serviceAccountName || spec.serviceAccount;
  if (account) spec.serviceAccountName = spec.serviceAccount = account;
  for (const volume of spec.volumes ?? []) defaultVolume(volume);
  for (const container of [
    ...(spec.initContainers ?? []),
    ...(spec.containers ?? []),
    ...(spec.ephemeralContainers ?? []),
  ])
    defaultContainer(container, spec.hostNetwork === true);
}

/** What only pods get, not the templates they are made from: limits stand in for missing requests. */
export function defaultPod(spec: PodSpec): void {
  defaultPodSpec(spec);
  spec.enableServiceLinks ??= true;
  for (const { resources } of [...(spec.initContainers ?? []), ...(spec.containers ?? [])])
    if (resources?.limits) resources.requests = { ...resources.limits, ...resources.requests };
}

function defaultContainer(container: Container, hostNetwork: boolean): void {
  container.imagePullPolicy ||= pullPolicyOf(container.image ?? '');
  container.terminationMessagePath ||= '/dev/termination-log';
  container.terminationMessagePolicy ||= 'File';
  container.resources ??= {};
  for (const port of container.ports ?? []) {
    port.protocol ||= 'TCP';
    if (hostNetwork && port.containerPort) port.hostPort ||= port.containerPort;
  }
  for (const { valueFrom } of container.env ?? []) {
    if (valueFrom?.fieldRef) valueFrom.fieldRef.apiVersion ||= 'v1';
    if (valueFrom?.resourceFieldRef) defaultDivisor(valueFrom.resourceFieldRef);
  }
  for (const probe of [container.livenessProbe, container.readinessProbe, container.startupProbe])
    if (probe) defaultProbe(probe);
  for (const handler of [container.lifecycle?.postStart, container.lifecycle?.preStop])
    if (handler) defaultHandler(handler);
  if (container.securityContext?.procMount === '') container.securityContext.procMount = 'Default';
}

/** Without a tag, or with the tag `latest`, an image may change at any time. Most pods are of the same few images. */
const pullPolicyOf = perKey((image: string) => (imageTag(image) === 'latest' ? 'Always' : 'IfNotPresent'), 1000);

function defaultProbe(probe: Probe): void {
  probe.timeoutSeconds ||= 1;
  probe.periodSeconds ||= 10;
  probe.successThreshold ||= 1;
  probe.failureThreshold ||= 3;
  defaultHandler(probe);
}

function defaultHandler({ httpGet, grpc }: Handler): void {
  if (httpGet) {
    httpGet.path ||= '/';
    httpGet.scheme ||= 'HTTP';
  }
  if (grpc) grpc.service ??= '';
}

function defaultDivisor(ref: ResourceFieldRef): void {
  ref.divisor ??= '0';
}

/** `defaultMode` 420 is 0644. */
const fileMode = 420;

type Source = Record<string, unknown>;

const sourceDefaults: Readonly<Record<string, (source: Source) => void>> = {
  secret: setMode,
  configMap: setMode,
  projected: (source) => {
    setMode(source);
    for (const projection of (source.sources as Source[] | undefined) ?? []) {
      const token = projection.serviceAccountToken as Source | undefined;
      if (token) token.expirationSeconds ??= 3600;
      defaultDownwardItems(projection.downwardAPI as Source | undefined);
    }
  },
  downwardAPI: (source) => {
    setMode(source);
    defaultDownwardItems(source);
  },
  hostPath: (source) => {
    source.type ??= '';
  },
  iscsi: (source) => {
    source.iscsiInterface ||= 'default';
  },
  rbd: (source) => {
    source.pool ||= 'rbd';
    source.user ||= 'admin';
    source.keyring ||= '/etc/ceph/keyring';
  },
  azureDisk: (source) => {
    source.cachingMode ??= 'ReadWrite';
    source.kind ??= 'Shared';
    source.fsType ??= 'ext4';
    source.readOnly ??= false;
  },
  scaleIO: (source) => {
    source.storageMode ||= 'ThinProvisioned';
    source.fsType ||= 'xfs';
  },
  ephemeral: (source) => {
    const template = source.volumeClaimTemplate as { spec?: Source; metadata?: Source } | undefined;
    if (!template) return;
    template.metadata ??= {};
    template.spec ??= {};
    template.spec.volumeMode ??= 'Filesystem';
    template.spec.resources ??= {};
  },
};

function setMode(source: Source): void {
  source.defaultMode ??= fileMode;
}

function defaultDownwardItems(source: Source | undefined): void {
  for (const item of (source?.items as Source[] | undefined) ?? []) {
    const field = item.fieldRef as { apiVersion?: string } | undefined;
    if (field) field.apiVersion ||= 'v1';
    const resource = item.resourceFieldRef as ResourceFieldRef | undefined;
    if (resource) defaultDivisor(resource);
  }
}

/** Defaults of one volume source; also for the sources of persistent volumes, which look alike. */
export function defaultVolumeSource(kind: string, source: unknown): void {
  if (Object.hasOwn(sourceDefaults, kind) && source) sourceDefaults[kind]?.(source as Source);
}

function defaultVolume(volume: Volume): void {
  const kinds = Object.keys(volume).filter(
    (key) => key !== 'name' && volume[key] !== null && volume[key] !== undefined,
  );
  if (kinds.length === 0) volume.emptyDir = {};
  for (const kind of kinds) defaultVolumeSource(kind, volume[kind]);
}
