import type { HistogramSource } from '../base/histogram.ts';
import type { Admission, AdmissionPlugin } from './admission.ts';
import { AdmissionMetrics } from './admission-metrics.ts';
import type { AdmissionOptions } from './options.ts';
import { followedKinds, followKinds, type PluginServices } from './plugin-services.ts';
import { alwaysDeny } from './plugins/always-deny.ts';
import { certificateApproval } from './plugins/certificates/certificate-approval.ts';
import { certificateSigning } from './plugins/certificates/certificate-signing.ts';
import { certificateSubjectRestriction } from './plugins/certificates/certificate-subject-restriction.ts';
import { defaultIngressClass } from './plugins/default-ingress-class.ts';
import { defaultStorageClass } from './plugins/default-storage-class.ts';
import { denyServiceExternalIps } from './plugins/deny-service-external-ips.ts';
import { eventRateLimit } from './plugins/event-rate-limit/event-rate-limit.ts';
import { limitRanger } from './plugins/limit-ranger/limit-ranger.ts';
import { namespaceExists } from './plugins/namespace-exists.ts';
import { namespaceLifecycle } from './plugins/namespace-lifecycle.ts';
import { nodeRestriction } from './plugins/node-restriction/node-restriction.ts';
import { ownerReferencesPermissionEnforcement } from './plugins/owner-references-permission-enforcement.ts';
import { persistentVolumeClaimResize } from './plugins/persistent-volume-claim-resize.ts';
import { podSecurity } from './plugins/pod-security/pod-security.ts';
import { alwaysPullImages } from './plugins/pods/always-pull-images.ts';
import { defaultTolerationSeconds } from './plugins/pods/default-toleration-seconds.ts';
import { extendedResourceToleration } from './plugins/pods/extended-resource-toleration.ts';
import { limitPodHardAntiAffinityTopology } from './plugins/pods/limit-pod-hard-anti-affinity-topology.ts';
import { priority } from './plugins/pods/priority.ts';
import { runtimeClass } from './plugins/pods/runtime-class.ts';
import { securityContextDeny } from './plugins/pods/security-context-deny.ts';
import { resourceQuota } from './plugins/resource-quota/resource-quota.ts';
import { serviceAccount } from './plugins/service-account/service-account.ts';
import { storageObjectInUseProtection } from './plugins/storage-object-in-use-protection.ts';
import { taintNodesByCondition } from './plugins/taint-nodes-by-condition.ts';
import { AdmissionTable } from './table.ts';

/** The plugins that call webhooks, which are made elsewhere. */
export interface WebhookPlugins {
  readonly mutating: AdmissionPlugin;
  readonly validating: AdmissionPlugin;
  /** Tells when the webhooks care about other writes than before. */
  onChange(changed: () => void): void;
}

interface PluginEntry {
  /** As `--enable-admission-plugins` names it. */
  readonly name: string;
  /** Runs unless it is disabled. */
  readonly byDefault: boolean;
  /** Undefined: the plugin is known but has nothing to do in this server. */
  make(services: PluginServices, webhooks: WebhookPlugins): AdmissionPlugin | undefined;
}

const on = (name: string, make: PluginEntry['make']): PluginEntry => ({ name, byDefault: true, make });
const off = (name: string, make: PluginEntry['make']): PluginEntry => ({ name, byDefault: false, make });
const idle = () => undefined;

/**
 * All plugins in the order in which they run; each mutates before any validates. What webhooks put in is seen by the
 * quota, and what the others put in is seen by webhooks.
 */
export const orderedPlugins: readonly PluginEntry[] = [
  off('AlwaysAdmit', idle),
  on('NamespaceLifecycle', namespaceLifecycle),
  off('NamespaceExists', namespaceExists),
  off('SecurityContextDeny', () => securityContextDeny),
  off('LimitPodHardAntiAffinityTopology', () => limitPodHardAntiAffinityTopology),
  on('LimitRanger', limitRanger),
  on('ServiceAccount', serviceAccount),
  off('NodeRestriction', nodeRestriction),
  on('TaintNodesByCondition', () => taintNodesByCondition),
  off('AlwaysPullImages', () => alwaysPullImages),
  on('PodSecurity', podSecurity),
  on('Priority', priority),
  on('DefaultTolerationSeconds', defaultTolerationSeconds),
  off('EventRateLimit', eventRateLimit),
  off('ExtendedResourceToleration', () => extendedResourceToleration),
  // Labels volumes with the zones of a cloud, of which there is none here.
  off('PersistentVolumeLabel', idle),
  on('DefaultStorageClass', defaultStorageClass),
  on('StorageObjectInUseProtection', () => storageObjectInUseProtection),
  off('OwnerReferencesPermissionEnforcement', ownerReferencesPermissionEnforcement),
  on('PersistentVolumeClaimResize', persistentVolumeClaimResize),
  on('RuntimeClass', runtimeClass),
  on('CertificateApproval', certificateApproval),
  on('CertificateSigning', certificateSigning),
  on('CertificateSubjectRestriction', () => certificateSubjectRestriction),
  on('DefaultIngressClass', defaultIngressClass),
  off('DenyServiceExternalIPs', () => denyServiceExternalIps),
  on('MutatingAdmissionWebhook', (_, { mutating }) => mutating),
  on('ValidatingAdmissionWebhook', (_, { validating }) => validating),
  on('ResourceQuota', resourceQuota),
  off('AlwaysDeny', () => alwaysDeny),
];

export const defaultPlugins: readonly string[] = orderedPlugins
  .filter(({ byDefault }) => byDefault)
  .map(({ name }) => name);

/** Names of a v1.25 server for plugins that this one does not have. */
export const unavailablePlugins: readonly string[] = [
  'ImagePolicyWebhook',
  'NamespaceAutoProvision',
  'PodNodeSelector',
  'PodTolerationRestriction',
];

export interface AdmissionParts extends Omit<PluginServices, 'followed'> {
  readonly webhooks: WebhookPlugins;
  readonly metrics: { addHistogram(source: HistogramSource): void };
  /** Runs always, after all that can change an object. */
  readonly last: readonly AdmissionPlugin[];
}

/**
 * Builds admission from checked options (see `checkAdmissionOptions`) and follows what it needs of the store.
 * @throws Error when the configuration of a plugin makes no sense
 */
export async function buildAdmission({
  webhooks,
  metrics,
  last,
  ...parts
}: AdmissionParts): Promise<Admission & { stop(): void }> {
  const services: PluginServices = { ...parts, followed: followedKinds() };
  const plugins = orderedPlugins
    .filter((entry) => isEnabled(entry, parts.options))
    .map(({ make }) => make(services, webhooks))
    .filter((plugin) => plugin !== undefined);
  const stop = await followKinds(services.followed, parts.store);
  const { resources } = parts;
  const measured = new AdmissionMetrics();
  metrics.addHistogram(measured.plugins);
  metrics.addHistogram(measured.steps);
  const table = new AdmissionTable([...plugins, ...last], {
    metrics: measured,
    equivalentsOf: (group, resource) => equivalents(resources, group, resource),
  });
  webhooks.onChange(() => table.renew());
  services.followed.resourceQuotas.onFirstAndLast(() => table.renew());
  return Object.assign(table, { stop });
}

/** Other resources that show the same objects, as the Events of two groups are the same. */
function equivalents(resources: PluginServices['resources'], group: string, resource: string) {
  const all = [...resources.all()];
  const prefix = all.find((each) => each.group === group && each.plural === resource)?.prefix;
  return all
    .filter((other) => other.prefix === prefix && other.group !== group)
    .map((other) => ({ group: other.group, resource: other.plural }));
}

const isEnabled = (
  { name, byDefault }: PluginEntry,
  { enableAdmissionPlugins, disableAdmissionPlugins }: AdmissionOptions,
) => (byDefault || enableAdmissionPlugins.includes(name)) && !disableAdmissionPlugins.includes(name);
