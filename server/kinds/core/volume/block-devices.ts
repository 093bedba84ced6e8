import { type FieldError, invalidValue, notSupported, required } from '../../../base/field-error.ts';
import type { FieldPath } from '../../../base/field-path.ts';
import { oneOf } from '../../field-rules.ts';
import { all, entries, needs, type Source, type SourceCheck, text, within } from './source-fields.ts';

/** Disks that are reached by the address of a device. */

const targetName = /^(?:iqn\.\d{4}-\d{2}\.[A-Za-z0-9.-]+:[^,;*&$|\s]+|eui.[A-Za-z0-9]{16}|naa.[A-Za-z0-9]{32})$/;

const isTargetName = (name: string) => targetName.test(name);

export const iscsi: SourceCheck = (source, at) => {
  const target = text(source, 'iqn');
  const initiator = text(source, 'initiatorName');
  return [
    ...needs('targetPortal', 'iqn')(source, at),
    ...(target && !isTargetName(target) ? [invalidValue(at.child('iqn'), target, 'must be valid format')] : []),
    ...within('lun', 0, 255)(source, at),
    ...((source.chapAuthDiscovery || source.chapAuthSession) && !source.secretRef
      ? [required(at.child('secretRef'))]
      : []),
    ...(initiator !== undefined && !isTargetName(initiator)
      ? [invalidValue(at.child('initiatorname'), initiator, 'must be valid format')]
      : []),
  ];
};

const longestTarget = 64;

/** With an initiator of its own a volume is known by its name and the portal together, told at `at`. */
export function longTarget(source: Source | undefined, name: string, at: FieldPath, told: string): FieldError[] {
  const known = `${name}:${text(source ?? {}, 'targetPortal') ?? ''}`;
  return source?.initiatorName === undefined || Buffer.byteLength(known) <= longestTarget
    ? []
    : [invalidValue(at, told, `${known} must have at most ${longestTarget} bytes`)];
}

export const fibreChannel: SourceCheck = (source, at) => {
  const wide = entries(source, 'targetWWNs').length > 0;
  const ids = entries(source, 'wwids').length > 0;
  if (!wide && !ids) return [required(at.child('targetWWNs'), 'targetWWNs or wwids must be given, not both')];
  if (!wide) return [];
  return [
    ...(ids ? [invalidValue(at.child('targetWWNs'), source.targetWWNs, 'and wwids may not both be given')] : []),
    ...(source.lun === undefined
      ? [required(at.child('lun'), 'is needed with targetWWNs')]
      : within('lun', 0, 255)(source, at)),
  ];
};

/** Managed disks have addresses of one form, all others of another. */
function azureAddress(source: Parameters<SourceCheck>[0], at: Parameters<SourceCheck>[1]): FieldError[] {
  const uri = text(source, 'diskURI') ?? '';
  const start = source.kind === 'Managed' ? '/subscriptions/' : 'https://';
  return uri.startsWith(start) ? [] : [notSupported(at.child('diskURI'), uri, [`${start}…`])];
}

export const azureDisk: SourceCheck = all(
  needs('diskName', 'diskURI'),
  (source, at) => oneOf(text(source, 'cachingMode'), ['None', 'ReadOnly', 'ReadWrite'], at.child('cachingMode')),
  (source, at) => oneOf(text(source, 'kind'), ['Dedicated', 'Managed', 'Shared'], at.child('kind')),
  azureAddress,
);
