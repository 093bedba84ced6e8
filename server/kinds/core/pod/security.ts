import { duplicate, type FieldError, forbiddenField, invalidValue, required } from '../../../base/field-error.ts';
import type { FieldPath } from '../../../base/field-path.ts';
import { between, eachOf, maxInt32, oneOf, requiredOneOf } from '../../field-rules.ts';
import type { WriteContext } from '../../strategy.ts';
import { relativePath } from '../volume/files.ts';
import type { ContainerSecurityContext, PodSecurityContext, PodSpec, SeccompProfile } from './shape.ts';
import { validateWindowsOptions } from './windows-options.ts';

/** Of one container. */
export function validateContainerSecurity(context: ContainerSecurityContext | undefined, at: FieldPath): FieldError[] {
  if (!context) return [];
  const errors = [
    ...userId(context.runAsUser, at.child('runAsUser')),
    ...userId(context.runAsGroup, at.child('runAsGroup')),
    ...oneOf(context.procMount, ['Default', 'Unmasked'], at.child('procMount')),
    ...validateSeccomp(context.seccompProfile, at.child('seccompProfile')),
    ...validateWindowsOptions(context.windowsOptions, at.child('windowsOptions')),
  ];
  if (context.allowPrivilegeEscalation === false) {
    if (context.privileged)
      errors.push(invalidValue(at, context, 'cannot set `allowPrivilegeEscalation` to false and `privileged` to true'));
    if (context.capabilities?.add?.includes('CAP_SYS_ADMIN'))
      errors.push(
        invalidValue(
          at,
          context,
          'cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN',
        ),
      );
  }
  return errors;
}

const userId = (id: number | undefined, at: FieldPath): FieldError[] => between(id, 0, maxInt32, at);

function validateSeccomp(profile: SeccompProfile | undefined, at: FieldPath): FieldError[] {
  if (!profile) return [];
  const { type, localhostProfile: file } = profile;
  if (type === 'Localhost')
    return file === undefined
      ? [required(at.child('localhostProfile'), 'must be set when seccomp type is Localhost')]
      : relativePath(file, at.child('localhostProfile'));
  return [
    ...requiredOneOf(type, ['Localhost', 'RuntimeDefault', 'Unconfined'], at.child('type')),
    ...(file !== undefined
      ? [invalidValue(at.child('localhostProfile'), file, 'can only be set when seccomp type is Localhost')]
      : []),
  ];
}

/** What the server was told about all pods. */
export type PodPolicy = Pick<WriteContext, 'allowPrivileged'>;

/** Where the server does not allow it, no container of any sort may have the rights of the host. */
export const validatePrivileges = (spec: PodSpec, { allowPrivileged }: PodPolicy, at: FieldPath): FieldError[] =>
  allowPrivileged
    ? []
    : (['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap((list) =>
        eachOf(spec[list], at.child(list), ({ securityContext }, here) =>
          securityContext?.privileged
            ? [forbiddenField(here.child('securityContext').child('privileged'), 'disallowed by cluster policy')]
            : [],
        ),
      );

const sysctlName = /^(?:[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?$/;

/** Of the whole pod. */
export function validatePodSecurity(
  context: PodSecurityContext | undefined,
  spec: PodSpec,
  at: FieldPath,
): FieldError[] {
  const shared =
    spec.shareProcessNamespace && spec.hostPID
      ? [
          invalidValue(
            at.child('shareProcessNamespace'),
            true,
            'ShareProcessNamespace and HostPID cannot both be enabled',
          ),
        ]
      : [];
  if (!context) return shared;
  const names = new Set<string>();
  return [
    ...userId(context.fsGroup, at.child('fsGroup')),
    ...userId(context.runAsUser, at.child('runAsUser')),
    ...userId(context.runAsGroup, at.child('runAsGroup')),
    ...eachOf(context.supplementalGroups, at.child('supplementalGroups'), userId),
    ...shared,
    ...eachOf(context.sysctls, at.child('sysctls'), ({ name }, here) => {
      if (!name) return [required(here.child('name'))];
      if (name.length > 253 || !sysctlName.test(name))
        return [invalidValue(here.child('name'), name, 'must be the name of a kernel setting (such as kernel.sem)')];
      if (names.has(name)) return [duplicate(here.child('name'), name)];
      names.add(name);
      return [];
    }),
    ...oneOf(context.fsGroupChangePolicy, ['Always', 'OnRootMismatch'], at.child('fsGroupChangePolicy')),
    ...validateSeccomp(context.seccompProfile, at.child('seccompProfile')),
    ...validateWindowsOptions(context.windowsOptions, at.child('windowsOptions')),
  ];
}
