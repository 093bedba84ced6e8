import type { ObjectMeta } from '../../../base/kube-object.ts';

/** The parts of a pod that the standards look at. */
export interface CheckedPod {
  readonly metadata?: ObjectMeta;
  readonly spec?: CheckedSpec;
}

export interface SecurityContext {
  readonly privileged?: boolean;
  readonly procMount?: string;
  readonly allowPrivilegeEscalation?: boolean;
  readonly runAsNonRoot?: boolean;
  readonly runAsUser?: number;
  readonly capabilities?: { readonly add?: readonly string[]; readonly drop?: readonly string[] };
  readonly seccompProfile?: { readonly type?: string };
  readonly seLinuxOptions?: { readonly type?: string; readonly user?: string; readonly role?: string };
  readonly windowsOptions?: { readonly hostProcess?: boolean };
  readonly sysctls?: readonly { readonly name?: string }[];
}

export interface CheckedContainer {
  readonly name?: string;
  readonly image?: string;
  readonly ports?: readonly { readonly hostPort?: number }[];
  readonly securityContext?: SecurityContext;
}

export interface CheckedSpec {
  readonly containers?: readonly CheckedContainer[];
  readonly initContainers?: readonly CheckedContainer[];
  readonly ephemeralContainers?: readonly CheckedContainer[];
  readonly volumes?: readonly { readonly name?: string; readonly [source: string]: unknown }[];
  readonly securityContext?: SecurityContext;
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly hostIPC?: boolean;
  readonly runtimeClassName?: string;
  readonly os?: { readonly name?: string };
}

/** Every container, in the order in which they are told of. */
export const containersOf = ({ spec = {} }: CheckedPod): readonly CheckedContainer[] => [
  ...(spec.initContainers ?? []),
  ...(spec.containers ?? []),
  ...(spec.ephemeralContainers ?? []),
];
