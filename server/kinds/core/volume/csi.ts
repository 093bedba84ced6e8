import { type FieldError, invalidValue, required, tooLong } from '../../../base/field-error.ts';
import type { FieldPath } from '../../../base/field-path.ts';
import { dnsSubdomain } from '../../../base/names.ts';
import { all, needs, type Source, type SourceCheck, secretAddress, text } from './source-fields.ts';

/** Volumes of storage drivers. */

const maxDriverBytes = 63;

/** A CSI driver: at most 63 bytes, a DNS subdomain whatever the case. */
export const csiDriverName = (driver: string | undefined, at: FieldPath): FieldError[] => [
  ...(driver ? [] : [required(at)]),
  ...(Buffer.byteLength(driver ?? '') > maxDriverBytes ? [tooLong(at, maxDriverBytes)] : []),
  ...dnsSubdomain((driver ?? '').toLowerCase()).map((problem) => invalidValue(at, driver ?? '', problem)),
];

const driver: SourceCheck = (source, at) => csiDriverName(text(source, 'driver'), at.child('driver'));

/** The secret's form is told at `name` of the source itself. */
function publishSecret(source: Source, at: FieldPath): FieldError[] {
  const secret = source.nodePublishSecretRef as { name?: string } | undefined;
  if (!secret) return [];
  const { name } = secret;
  if (!name) return [required(at.child('nodePublishSecretRef').child('name'))];
  return dnsSubdomain(name).map((problem) => invalidValue(at.child('name'), name, problem));
}

/** In a pod. */
export const csiInPod: SourceCheck = all(driver, publishSecret);

const volumeSecrets = [
  'controllerPublishSecretRef',
  'controllerExpandSecretRef',
  'nodePublishSecretRef',
  'nodeExpandSecretRef',
];

/** In a persistent volume. */
export const csiInVolume: SourceCheck = all(
  driver,
  needs('volumeHandle'),
  ...volumeSecrets.map((field) => secretAddress(field)),
);
