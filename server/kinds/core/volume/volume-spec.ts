import { posix } from 'node:path';
import { type FieldError, forbiddenField, notSupported, required } from '../../../base/field-error.ts';
import type { FieldPath } from '../../../base/field-path.ts';
import { dnsSubdomain } from '../../../base/names.ts';
import { named, oneOf } from '../../field-rules.ts';
import { validateAccessModes, volumeModes } from '../persistent-volume-claim.ts';
import { validateNodeSelector } from '../pod/scheduling.ts';
import type { NodeSelectorTerm, Quantities } from '../pod/shape.ts';
import { quantityPositive, volumeSize } from '../resource-names.ts';
import { longTarget } from './block-devices.ts';
import { type Source, text } from './source-fields.ts';
import { persistentVolumeSources, sourcesOf, validateSource } from './sources.ts';

/** What a persistent volume is; an attachment may carry the same in itself. */
export interface VolumeSpec {
  capacity?: Quantities;
  accessModes?: string[];
  claimRef?: { namespace?: string; name?: string };
  persistentVolumeReclaimPolicy?: string;
  storageClassName?: string;
  mountOptions?: string[];
  volumeMode?: string;
  nodeAffinity?: { required?: { nodeSelectorTerms?: NodeSelectorTerm[] } };
  /** One of the sources. */
  [source: string]: unknown;
}

function validateCapacity(capacity: Quantities = {}, at: FieldPath): FieldError[] {
  const names = Object.keys(capacity);
  return [
    ...(names.length === 0 ? [required(at)] : []),
    ...(names.length === 1 && names[0] === 'storage' ? [] : [notSupported(at, capacity, ['storage'])]),
    ...Object.entries(capacity).flatMap(([name, amount]) => [
      ...volumeSize(amount, at.key(name)),
      ...quantityPositive(amount, at.key(name)),
    ]),
  ];
}

function validateNodeAffinity({ nodeAffinity }: VolumeSpec, at: FieldPath): FieldError[] {
  if (!nodeAffinity) return [];
  return nodeAffinity.required
    ? validateNodeSelector(nodeAffinity.required.nodeSelectorTerms, at.child('required'))
    : [required(at.child('required'), 'must specify required node constraints')];
}

/** A disk of a node is of use only there; what stands beside another source does not count. */
const placeOfLocal = (spec: VolumeSpec, at: FieldPath): FieldError[] =>
  sourcesOf(spec, persistentVolumeSources)[0] === 'local' && !spec.nodeAffinity
    ? [required(at.child('nodeAffinity'), 'Local volume requires node affinity')]
    : [];

const reclaimPolicies = ['Delete', 'Recycle', 'Retain'];

function recycledRoot({ hostPath, persistentVolumeReclaimPolicy }: VolumeSpec, at: FieldPath): FieldError[] {
  const { path = '' } = (hostPath ?? {}) as { path?: string };
  return posix.normalize(path) === '/' && persistentVolumeReclaimPolicy === 'Recycle'
    ? [forbiddenField(at.child('persistentVolumeReclaimPolicy'), "may not be 'recycle' for a hostPath mount of '/'")]
    : [];
}

/** A target that stands beside another source does not count. */
const portalOfTarget = (spec: VolumeSpec, name: string, at: FieldPath): FieldError[] => {
  const iscsi = spec.iscsi as Source | undefined;
  return sourcesOf(spec, persistentVolumeSources)[0] === 'iscsi'
    ? longTarget(iscsi, name, at.child('iscsi').child('targetportal'), text(iscsi ?? {}, 'targetPortal') ?? '')
    : [];
};

/** @param name of the volume */
export const validateVolumeSpec = (
  spec: VolumeSpec,
  at: FieldPath,
  modes: readonly string[],
  name: string,
): FieldError[] => [
  ...validateAccessModes(spec.accessModes, at.child('accessModes'), modes),
  ...validateCapacity(spec.capacity, at.child('capacity')),
  ...oneOf(spec.persistentVolumeReclaimPolicy, reclaimPolicies, at.child('persistentVolumeReclaimPolicy')),
  ...validateNodeAffinity(spec, at.child('nodeAffinity')),
  ...validateSource(spec, persistentVolumeSources, at, ['flexVolume']),
  ...portalOfTarget(spec, name, at),
  ...placeOfLocal(spec, at),
  ...recycledRoot(spec, at),
  ...named(spec.storageClassName, dnsSubdomain, at.child('storageClassName')),
  ...oneOf(spec.volumeMode, volumeModes, at.child('volumeMode')),
];

const notInline = [
  'capacity',
  'claimRef',
  'persistentVolumeReclaimPolicy',
  'nodeAffinity',
  'storageClassName',
  'volumeMode',
] as const;

/** What may be said as well, because it changes nothing. */
const harmless: Readonly<Record<string, string>> = {
  persistentVolumeReclaimPolicy: 'Retain',
  volumeMode: 'Filesystem',
};

/** Amounts count when there are any, the rest when it is there. */
const isGiven = (value: unknown, field: string) =>
  field === 'capacity'
    ? Object.keys(value ?? {}).length > 0
    : value !== undefined && value !== null && value !== '' && value !== harmless[field];

/** Inside an attachment only access modes and the source of a storage driver have a meaning. */
export const validateInlineVolumeSpec = (spec: VolumeSpec, at: FieldPath): FieldError[] => [
  ...notInline
    .filter((field) => isGiven(spec[field], field))
    .map((field) => forbiddenField(at.child(field), 'may not be specified in the context of inline volumes')),
  ...(spec.csi ? [] : [required(at.child('csi'), 'has to be specified in the context of inline volumes')]),
  ...validateAccessModes(spec.accessModes, at.child('accessModes')),
  ...validateSource(spec, persistentVolumeSources, at, ['flexVolume']),
  ...placeOfLocal(spec, at),
];
