import { type FieldError, forbiddenField, invalidValue, required } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { dnsSubdomain } from '../../base/names.ts';
import { immutable, named, oneOf } from '../field-rules.ts';
import { sameValue } from '../same-value.ts';
import { defineKind } from '../strategy.ts';
import { age, ageColumn, column, nameColumn, wideColumn } from '../table-cells.ts';
import { accessModeText, storageClassOf, validateAccessModes, volumeModes } from './persistent-volume-claim.ts';
import { defaultVolumeSource } from './pod/defaults.ts';
import { validateNodeSelector } from './pod/scheduling.ts';
import type { NodeSelectorTerm, Quantities } from './pod/shape.ts';
import { quantityPositive, resourceAmount } from './resource-names.ts';
import { persistentVolumeSources, sourcesOf, validateSource } from './volume/sources.ts';

interface VolumeSpec {
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

export interface PersistentVolume extends KubeObject {
  spec?: VolumeSpec;
  status?: { phase?: string; reason?: string; message?: string };
}

const at = FieldPath.of('spec');

function validateCapacity(capacity: Quantities = {}): FieldError[] {
  const here = at.child('capacity');
  const size = capacity.storage;
  if (size === undefined || Object.keys(capacity).length > 1)
    return Object.keys(capacity).length === 0
      ? [required(here)]
      : [invalidValue(here, capacity, 'only storage may be given, and it must be')];
  return [...resourceAmount('storage', size, here.key('storage')), ...quantityPositive(size, here.key('storage'))];
}

function validate({ spec = {} }: PersistentVolume): FieldError[] {
  const policy = spec.persistentVolumeReclaimPolicy;
  const affinity = spec.nodeAffinity;
  const hostPath = spec.hostPath as { path?: string } | undefined;
  return [
    ...validateAccessModes(spec.accessModes, at.child('accessModes')),
    ...validateCapacity(spec.capacity),
    ...oneOf(policy, ['Delete', 'Recycle', 'Retain'], at.child('persistentVolumeReclaimPolicy')),
    ...(affinity
      ? affinity.required
        ? validateNodeSelector(affinity.required.nodeSelectorTerms, at.child('nodeAffinity').child('required'))
        : [required(at.child('nodeAffinity').child('required'), 'must specify required node constraints')]
      : []),
    ...validateSource(spec, persistentVolumeSources, at),
    ...(spec.local && !affinity ? [required(at.child('nodeAffinity'), 'Local volume requires node affinity')] : []),
    ...(hostPath?.path === '/' && policy === 'Recycle'
      ? [forbiddenField(at.child('persistentVolumeReclaimPolicy'), "may not be 'recycle' for a hostPath mount of '/'")]
      : []),
    ...named(spec.storageClassName, dnsSubdomain, at.child('storageClassName')),
    ...oneOf(spec.volumeMode, volumeModes, at.child('volumeMode')),
  ];
}

function validateUpdate(next: PersistentVolume, previous: PersistentVolume): FieldError[] {
  const sources = ({ spec = {} }: PersistentVolume) =>
    sourcesOf(spec, persistentVolumeSources).map((kind) => [kind, spec[kind]]);
  const before = previous.spec?.nodeAffinity;
  return [
    // The whole object is checked anew as part of an update.
    ...validate(next),
    ...(sameValue(sources(next), sources(previous))
      ? []
      : [
          forbiddenField(at.child('persistentvolumesource'), 'spec.persistentvolumesource is immutable after creation'),
        ]),
    ...immutable(next.spec?.volumeMode, previous.spec?.volumeMode, at.child('volumeMode')),
    ...(before ? immutable(next.spec?.nodeAffinity, before, at.child('nodeAffinity')) : []),
  ];
}

export const persistentVolume = defineKind<PersistentVolume>({
  group: '',
  version: 'v1',
  kind: 'PersistentVolume',
  resource: 'persistentvolumes',
  deleteAnswersObject: true,
  default(volume) {
    volume.spec ??= {};
    volume.status ??= {};
    volume.status.phase ||= 'Pending';
    volume.spec.persistentVolumeReclaimPolicy ||= 'Retain';
    volume.spec.volumeMode ||= 'Filesystem';
    for (const kind of sourcesOf(volume.spec, persistentVolumeSources)) defaultVolumeSource(kind, volume.spec[kind]);
  },
  validate,
  validateUpdate,
  table: {
    columns: [
      nameColumn,
      column('Capacity'),
      column('Access Modes'),
      column('Reclaim Policy'),
      column('Status'),
      column('Claim'),
      column('StorageClass'),
      column('Reason'),
      ageColumn,
      wideColumn('VolumeMode'),
    ],
    cells(volume, now) {
      const { spec = {}, status = {}, metadata } = volume as PersistentVolume;
      const { claimRef } = spec;
      return [
        metadata.name,
        spec.capacity?.storage ?? '',
        accessModeText(spec.accessModes),
        spec.persistentVolumeReclaimPolicy,
        metadata.deletionTimestamp ? 'Terminating' : status.phase,
        claimRef ? `${claimRef.namespace ?? ''}/${claimRef.name ?? ''}` : '',
        storageClassOf(volume as PersistentVolume),
        status.reason ?? '',
        age(volume, now),
        spec.volumeMode ?? '<unset>',
      ];
    },
  },
});
