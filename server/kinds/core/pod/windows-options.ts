import { type FieldError, forbiddenField, invalidValue } from '../../../base/field-error.ts';
import type { FieldPath } from '../../../base/field-path.ts';
import { dnsSubdomain } from '../../../base/names.ts';
import type { Container, PodSpec, WindowsOptions } from './shape.ts';

/** What only Windows pods look at; the form is checked for all. */

const maxCredentialBytes = 64 * 1024;
const maxDomain = 256;
const maxUser = 104;

const netBiosName = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const userCharacters = /^[^"/\\:;|=,+*?<>@[\]]+$/;
const onlyDotsAndSpaces = /^[. ]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is they that are looked for
const controlCharacter = /[\x00-\x1f\x7f]/;

/** `DOMAIN\user` or `user`. */
function userNameProblem(name: string): string | undefined {
  if (name === '') return 'cannot be an empty string';
  if (controlCharacter.test(name)) return 'cannot contain control characters';
  const parts = name.split('\\');
  if (parts.length > 2) return 'cannot contain more than one backslash';
  const [domain, user] = parts.length === 2 ? parts : [undefined, name];
  if (domain !== undefined && !isDomain(domain)) return 'has a domain that is neither a NetBIOS nor a DNS name';
  if (!user) return 'needs a user';
  if (user.length > maxUser) return `can have a user of at most ${maxUser} characters`;
  if (onlyDotsAndSpaces.test(user)) return 'cannot have a user of dots and spaces alone';
  return userCharacters.test(user) ? undefined : String.raw`cannot have one of "/\:;|=,+*?<>@[] in the user`;
}

const isDomain = (domain: string) =>
  domain.length < maxDomain && (netBiosName.test(domain) || dnsSubdomain(domain.toLowerCase()).length === 0);

export function validateWindowsOptions(options: WindowsOptions | undefined, at: FieldPath): FieldError[] {
  const { gmsaCredentialSpecName: specName, gmsaCredentialSpec: spec, runAsUserName: user } = options ?? {};
  const problem = user === undefined ? undefined : userNameProblem(user);
  const size = Buffer.byteLength(spec ?? '');
  return [
    ...(specName === undefined
      ? []
      : dnsSubdomain(specName).map((text) => invalidValue(at.child('gmsaCredentialSpecName'), specName, text))),
    ...(spec === '' ? [invalidValue(at.child('gmsaCredentialSpec'), spec, 'cannot be an empty string')] : []),
    ...(size > maxCredentialBytes
      ? [invalidValue(at.child('gmsaCredentialSpec'), size, `must be at most ${maxCredentialBytes} bytes`)]
      : []),
    ...(problem ? [invalidValue(at.child('runAsUserName'), user, problem)] : []),
  ];
}

/** Containers that run as processes of the host: all of a pod or none, and in the host's network. */
export function validateHostProcesses(spec: PodSpec, allowed: boolean | undefined, at: FieldPath): FieldError[] {
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess;
  const ofContainer = ({ securityContext }: Container) => securityContext?.windowsOptions?.hostProcess;
  const lists = ['initContainers', 'containers', 'ephemeralContainers'] as const;
  const containers = lists.flatMap((list) =>
    (spec[list] ?? []).map((container, position) => ({ container, here: at.child(list).index(position) })),
  );
  const processes = containers.filter(({ container }) => ofContainer(container) ?? ofPod);
  const differing = containers.filter(
    ({ container }) => ofPod !== undefined && (ofContainer(container) ?? ofPod) !== ofPod,
  );
  const errors = differing.map(({ container, here }) =>
    invalidValue(
      here.child('securityContext').child('windowsOptions').child('hostProcess'),
      ofContainer(container),
      'must be as the pod says',
    ),
  );
  return processes.length === 0
    ? errors
    : [
        ...errors,
        ...(processes.length < containers.length
          ? [invalidValue(at, '', 'either all containers of a pod are processes of the host or none is')]
          : []),
        ...(spec.hostNetwork
          ? []
          : [invalidValue(at.child('hostNetwork'), false, 'must be true where containers are processes of the host')]),
        ...(allowed ? [] : [forbiddenField(at, 'hostProcess containers are disallowed by cluster policy')]),
      ];
}
