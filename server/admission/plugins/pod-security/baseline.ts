import { appArmorPrefix } from '../../../kinds/core/pod/annotations.ts';
import {
  type Check,
  containersText,
  contextsOf,
  named,
  namesOf,
  setters,
  sortedQuoted,
  type Violation,
} from './check.ts';
import { type CheckedPod, containersOf, type SecurityContext } from './checked-pod.ts';

const seccompAnnotation =
  /^(?:seccomp\.security\.alpha\.kubernetes\.io\/pod$|container\.seccomp\.security\.alpha\.kubernetes\.io\/)/;

const defaultCapabilities: ReadonlySet<string> = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]);

const safeSysctls: ReadonlySet<string> = new Set([
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.ip_unprivileged_port_start',
  'net.ipv4.ping_group_range',
  'net.ipv4.tcp_syncookies',
]);

const safeSelinuxTypes: ReadonlySet<string> = new Set(['', 'container_t', 'container_init_t', 'container_kvm_t']);

/** `key="value"` of annotations, in order. */
function annotationsText({ metadata }: CheckedPod, bad: (key: string, value: string) => boolean): string[] {
  return Object.entries(metadata?.annotations ?? {})
    .filter(([key, value]) => bad(key, value))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .sort();
}

function appArmor(pod: CheckedPod): Violation | undefined {
  const found = annotationsText(
    pod,
    (key, value) =>
      key.startsWith(appArmorPrefix) && value !== '' && value !== 'runtime/default' && !value.startsWith('localhost/'),
  );
  if (found.length === 0) return undefined;
  return { reason: `forbidden AppArmor profile${found.length > 1 ? 's' : ''}`, detail: found.join(', ') };
}

/** Capabilities that containers add beyond those allowed, in words; empty for none. */
export function addedCapabilities(pod: CheckedPod, allowed: ReadonlySet<string>): string {
  const bad = ({ capabilities }: SecurityContext = {}) =>
    (capabilities?.add ?? []).filter((name) => !allowed.has(name));
  const names = namesOf(pod, ({ securityContext }) => bad(securityContext).length > 0);
  if (names.length === 0) return '';
  const which = sortedQuoted(containersOf(pod).flatMap(({ securityContext }) => bad(securityContext)));
  return `${containersText(names)} must not include ${which} in securityContext.capabilities.add`;
}

function capabilities(pod: CheckedPod): Violation | undefined {
  const detail = addedCapabilities(pod, defaultCapabilities);
  return detail ? { reason: 'non-default capabilities', detail } : undefined;
}

function hostNamespaces({ spec = {} }: CheckedPod): Violation | undefined {
  const shared = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter((field) => spec[field] === true);
  return shared.length > 0
    ? { reason: 'host namespaces', detail: shared.map((field) => `${field}=true`).join(', ') }
    : undefined;
}

function hostPaths({ spec = {} }: CheckedPod): Violation | undefined {
  const names = (spec.volumes ?? []).filter(({ hostPath }) => hostPath).map(({ name = '' }) => name);
  return names.length > 0 ? { reason: 'hostPath volumes', detail: named('volume', 'volumes', names) } : undefined;
}

function hostPorts(pod: CheckedPod): Violation | undefined {
  const names = namesOf(pod, ({ ports = [] }) => ports.some(({ hostPort }) => hostPort));
  if (names.length === 0) return undefined;
  const ports = containersOf(pod).flatMap((container) =>
    (container.ports ?? []).flatMap(({ hostPort }) => (hostPort ? [String(hostPort)] : [])),
  );
  const all = [...new Set(ports)].sort();
  const verb = names.length === 1 ? 'uses' : 'use';
  return {
    reason: 'hostPort',
    detail: `${containersText(names)} ${verb} hostPort${all.length > 1 ? 's' : ''} ${all.join(', ')}`,
  };
}

function privileged(pod: CheckedPod): Violation | undefined {
  const names = namesOf(pod, ({ securityContext }) => securityContext?.privileged === true);
  if (names.length === 0) return undefined;
  return { reason: 'privileged', detail: `${containersText(names)} must not set securityContext.privileged=true` };
}

function procMount(pod: CheckedPod): Violation | undefined {
  const bad = ({ procMount: mount = 'Default' }: SecurityContext = {}) => mount !== 'Default';
  const names = namesOf(pod, ({ securityContext }) => bad(securityContext));
  if (names.length === 0) return undefined;
  const which = sortedQuoted(
    containersOf(pod).flatMap(({ securityContext }) =>
      bad(securityContext) ? [securityContext?.procMount ?? ''] : [],
    ),
  );
  return { reason: 'procMount', detail: `${containersText(names)} must not set securityContext.procMount to ${which}` };
}

function seLinux(pod: CheckedPod): Violation | undefined {
  const badType = ({ seLinuxOptions: { type = '' } = {} }: SecurityContext) => !safeSelinuxTypes.has(type);
  const bad = (context: SecurityContext) =>
    badType(context) || Boolean(context.seLinuxOptions?.user || context.seLinuxOptions?.role);
  const who = setters(pod, bad);
  if (!who) return undefined;
  const contexts = contextsOf(pod);
  const types = [...new Set(contexts.filter(badType).map(({ seLinuxOptions }) => seLinuxOptions?.type ?? ''))].sort();
  const faults = [
    ...(types.length > 0 ? [named('type', 'types', types)] : []),
    ...(contexts.some(({ seLinuxOptions }) => seLinuxOptions?.user) ? ['user may not be set'] : []),
    ...(contexts.some(({ seLinuxOptions }) => seLinuxOptions?.role) ? ['role may not be set'] : []),
  ];
  return {
    reason: 'seLinuxOptions',
    detail: `${who} set forbidden securityContext.seLinuxOptions: ${faults.join('; ')}`,
  };
}

/** Before there were fields, annotations named the profile. */
function seccompAnnotations(pod: CheckedPod): Violation | undefined {
  const found = annotationsText(pod, (key, value) => seccompAnnotation.test(key) && value === 'unconfined');
  if (found.length === 0) return undefined;
  return { reason: 'seccompProfile', detail: `forbidden annotation${found.length > 1 ? 's' : ''} ${found.join(', ')}` };
}

function seccomp(pod: CheckedPod): Violation | undefined {
  const who = setters(pod, ({ seccompProfile }) => seccompProfile?.type === 'Unconfined');
  if (!who) return undefined;
  return {
    reason: 'seccompProfile',
    detail: `${who} must not set securityContext.seccompProfile.type to "Unconfined"`,
  };
}

function sysctls({ spec = {} }: CheckedPod): Violation | undefined {
  const names = (spec.securityContext?.sysctls ?? [])
    .map(({ name = '' }) => name)
    .filter((name) => !safeSysctls.has(name));
  return names.length > 0 ? { reason: 'forbidden sysctls', detail: [...new Set(names)].sort().join(', ') } : undefined;
}

function hostProcess(pod: CheckedPod): Violation | undefined {
  const who = setters(pod, ({ windowsOptions }) => windowsOptions?.hostProcess === true);
  return who
    ? { reason: 'hostProcess', detail: `${who} must not set securityContext.windowsOptions.hostProcess=true` }
    : undefined;
}

/** What keeps known ways to more privileges shut, in the order in which it is told. */
export const baselineChecks: readonly Check[] = [
  { name: 'appArmorProfile', since: 0, judge: appArmor },
  { name: 'capabilities', since: 0, judge: capabilities },
  { name: 'hostNamespaces', since: 0, judge: hostNamespaces },
  { name: 'hostPathVolumes', since: 0, judge: hostPaths },
  { name: 'hostPorts', since: 0, judge: hostPorts },
  { name: 'privileged', since: 0, judge: privileged },
  { name: 'procMount', since: 0, judge: procMount },
  { name: 'seLinuxOptions', since: 0, judge: seLinux },
  { name: 'seccompProfile', since: 0, until: 19, judge: seccompAnnotations },
  { name: 'seccompProfile', since: 19, judge: seccomp },
  { name: 'sysctls', since: 0, judge: sysctls },
  { name: 'windowsHostProcess', since: 0, judge: hostProcess },
];
