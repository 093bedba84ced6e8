import { addedCapabilities } from './baseline.ts';
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
import { type CheckedPod, containersOf } from './checked-pod.ts';

/** Since this version what Windows does not have is not asked of its pods. */
const knowsWindows = 25;
const isWindows = ({ spec = {} }: CheckedPod, minor: number) => minor >= knowsWindows && spec.os?.name === 'windows';

function privilegeEscalation(pod: CheckedPod, minor: number): Violation | undefined {
  if (isWindows(pod, minor)) return undefined;
  const names = namesOf(pod, ({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false);
  if (names.length === 0) return undefined;
  return {
    reason: 'allowPrivilegeEscalation != false',
    detail: `${containersText(names)} must set securityContext.allowPrivilegeEscalation=false`,
  };
}

const onlyNetBind: ReadonlySet<string> = new Set(['NET_BIND_SERVICE']);

function capabilities(pod: CheckedPod, minor: number): Violation | undefined {
  if (isWindows(pod, minor)) return undefined;
  const keeping = namesOf(pod, ({ securityContext }) => !securityContext?.capabilities?.drop?.includes('ALL'));
  const added = addedCapabilities(pod, onlyNetBind);
  const faults = [
    ...(keeping.length > 0 ? [`${containersText(keeping)} must set securityContext.capabilities.drop=["ALL"]`] : []),
    ...(added ? [added] : []),
  ];
  return faults.length > 0 ? { reason: 'unrestricted capabilities', detail: faults.join('; ') } : undefined;
}

const allowedVolumes: ReadonlySet<string> = new Set([
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
]);

function volumes({ spec = {} }: CheckedPod): Violation | undefined {
  const bad = (spec.volumes ?? []).flatMap(({ name = '', ...sources }) => {
    const [type] = Object.keys(sources).filter((source) => sources[source] && !allowedVolumes.has(source));
    return type === undefined ? [] : [{ name, type }];
  });
  if (bad.length === 0) return undefined;
  const types = [...new Set(bad.map(({ type }) => type))].sort();
  const names = bad.map(({ name }) => name);
  const verb = names.length === 1 ? 'uses' : 'use';
  const what = named('restricted volume type', 'restricted volume types', types);
  return { reason: 'restricted volume types', detail: `${named('volume', 'volumes', names)} ${verb} ${what}` };
}

function nonRoot(pod: CheckedPod): Violation | undefined {
  const reason = 'runAsNonRoot != true';
  const who = setters(pod, ({ runAsNonRoot }) => runAsNonRoot === false);
  if (who) return { reason, detail: `${who} must not set securityContext.runAsNonRoot=false` };
  if (pod.spec?.securityContext?.runAsNonRoot) return undefined;
  const silent = namesOf(pod, ({ securityContext }) => securityContext?.runAsNonRoot === undefined);
  return silent.length > 0
    ? { reason, detail: `pod or ${containersText(silent)} must set securityContext.runAsNonRoot=true` }
    : undefined;
}

function rootUser(pod: CheckedPod): Violation | undefined {
  const who = setters(pod, ({ runAsUser }) => runAsUser === 0);
  return who ? { reason: 'runAsUser=0', detail: `${who} must not set runAsUser=0` } : undefined;
}

const goodProfile = (type: string | undefined) => type === 'RuntimeDefault' || type === 'Localhost';

function seccomp(pod: CheckedPod, minor: number): Violation | undefined {
  if (isWindows(pod, minor)) return undefined;
  const reason = 'seccompProfile';
  const who = setters(pod, ({ seccompProfile }) => seccompProfile !== undefined && !goodProfile(seccompProfile.type));
  if (who) {
    const types = contextsOf(pod).flatMap(({ seccompProfile }) =>
      seccompProfile && !goodProfile(seccompProfile.type) ? [seccompProfile.type ?? ''] : [],
    );
    return { reason, detail: `${who} must not set securityContext.seccompProfile.type to ${sortedQuoted(types)}` };
  }
  if (pod.spec?.securityContext?.seccompProfile) return undefined;
  const silent = containersOf(pod)
    .filter(({ securityContext }) => !securityContext?.seccompProfile)
    .map(({ name = '' }) => name);
  if (silent.length === 0) return undefined;
  const detail = `pod or ${containersText(silent)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`;
  return { reason, detail };
}

/** What hardened pods do besides, in the order in which it is told. */
export const restrictedChecks: readonly Check[] = [
  { name: 'allowPrivilegeEscalation', since: 8, judge: privilegeEscalation },
  { name: 'restrictedCapabilities', since: 22, insteadOf: 'capabilities', judge: capabilities },
  { name: 'restrictedVolumes', since: 0, insteadOf: 'hostPathVolumes', judge: volumes },
  { name: 'runAsNonRoot', since: 0, judge: nonRoot },
  { name: 'runAsUser', since: 23, judge: rootUser },
  { name: 'restrictedSeccompProfile', since: 19, insteadOf: 'seccompProfile', judge: seccomp },
];
