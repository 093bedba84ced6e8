import type { Container, Pod, SeccompProfile } from './shape.ts';

/** Annotations that say what fields of a security context say now. */
export const seccompOfPod = 'seccomp.security.alpha.kubernetes.io/pod';
/** With the name of a container behind it. */
export const seccompOfContainer = 'container.seccomp.security.alpha.kubernetes.io/';

const local = 'localhost/';
const profiles: ReadonlyMap<string, string> = new Map([
  ['runtime/default', 'RuntimeDefault'],
  ['docker/default', 'RuntimeDefault'],
  ['unconfined', 'Unconfined'],
]);

export const isSeccompProfile = (text: string): boolean => profiles.has(text) || text.startsWith(local);

/** Undefined: the annotation is not there, or names nothing. */
function profileOf(text: string | undefined): SeccompProfile | undefined {
  const type = profiles.get(text ?? '');
  if (type) return { type };
  const file = text?.startsWith(local) ? text.slice(local.length) : '';
  return file ? { type: 'Localhost', localhostProfile: file } : undefined;
}

/** What only the annotations of a new pod say is said by its fields too. In place. */
export function fillSeccompProfiles({ metadata: { annotations }, spec }: Pod): void {
  if (!annotations || !spec) return;
  fill(spec, profileOf(annotations[seccompOfPod]));
  const containers: readonly Container[] = [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
  for (const container of containers) fill(container, profileOf(annotations[seccompOfContainer + container.name]));
}

function fill(
  holder: { securityContext?: { seccompProfile?: SeccompProfile } },
  profile: SeccompProfile | undefined,
): void {
  if (!profile || holder.securityContext?.seccompProfile) return;
  holder.securityContext = { ...holder.securityContext, seccompProfile: profile };
}
