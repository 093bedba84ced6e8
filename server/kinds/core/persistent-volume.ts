import { type FieldError, forbiddenField } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { immutable } from '../field-rules.ts';
import { sameValue } from '../same-value.ts';
import { defineKind, type Features, type WriteContext } from '../strategy.ts';
import { age, ageColumn, column, nameColumn, wideColumn } from '../table-cells.ts';
import { markUnsettled } from '../unsettled.ts';
import { accessModeText, knownModes, storageClassOf } from './persistent-volume-claim.ts';
import { defaultVolumeSource } from './pod/defaults.ts';
import { persistentVolumeSources, sourcesOf } from './volume/sources.ts';
import { type VolumeSpec, validateVolumeSpec } from './volume/volume-spec.ts';

export interface PersistentVolume extends KubeObject {
  spec?: VolumeSpec;
  status?: { phase?: string; reason?: string; message?: string };
}

const at = FieldPath.of('spec');

const mountOptions = 'volume.beta.kubernetes.io/mount-options';
/** What the older way to give mount options, by an annotation, is known to. */
const takesMountOptions = [
  'awsElasticBlockStore',
  'azureDisk',
  'azureFile',
  'cephfs',
  'cinder',
  'gcePersistentDisk',
  'glusterfs',
  'iscsi',
  'nfs',
  'photonPersistentDisk',
  'quobyte',
  'rbd',
  'vsphereVolume',
];

const validateAnnotations = ({ metadata, spec = {} }: PersistentVolume): FieldError[] =>
  metadata.annotations?.[mountOptions] === undefined || takesMountOptions.some((source) => spec[source])
    ? []
    : [
        forbiddenField(
          FieldPath.of('metadata', 'annotations').child(mountOptions),
          'volumes of this type take no mount options by annotation',
        ),
      ];

const validate = (volume: PersistentVolume, { features }: WriteContext): FieldError[] => [
  ...validateVolumeSpec(volume.spec ?? {}, at, knownModes(features), volume.metadata.name ?? ''),
  ...validateAnnotations(volume),
];

/** Two fields are told without the `spec` in front. */
const modeAt = FieldPath.of('volumeMode');
const affinityAt = FieldPath.of('nodeAffinity');

/** What stays of the source: with which secret it grows may be said later, once. */
function fixedSource({ spec = {} }: PersistentVolume, growsBySecret: boolean) {
  const part = (kind: string) => {
    if (kind !== 'csi' || growsBySecret) return spec[kind];
    const { controllerExpandSecretRef: _secret, ...others } = csiFields(spec);
    return others;
  };
  return sourcesOf(spec, persistentVolumeSources).map((kind) => [kind, part(kind)]);
}

function validateUpdate(next: PersistentVolume, previous: PersistentVolume, context: WriteContext): FieldError[] {
  const growsBySecret = csiFields(previous.spec).controllerExpandSecretRef !== undefined;
  const before = previous.spec?.nodeAffinity;
  return [
    // The whole object is checked anew as part of an update.
    ...validate(next, context),
    ...(sameValue(fixedSource(next, growsBySecret), fixedSource(previous, growsBySecret))
      ? []
      : [
          forbiddenField(at.child('persistentvolumesource'), 'spec.persistentvolumesource is immutable after creation'),
        ]),
    ...immutable(next.spec?.volumeMode, previous.spec?.volumeMode, modeAt),
    ...(before ? immutable(next.spec?.nodeAffinity, before, affinityAt) : []),
  ];
}

interface Csi {
  controllerExpandSecretRef?: object;
  nodeExpandSecretRef?: object;
}

const csiFields = (spec: VolumeSpec | undefined): Csi => (spec?.csi as Csi | undefined) ?? {};

/** Fields of features that are off are dropped without a word. In place. */
function dropGated({ spec }: PersistentVolume, features: Features): void {
  if (!features.enabled('CSINodeExpandSecret')) delete csiFields(spec).nodeExpandSecretRef;
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
    volume.spec.volumeMode ??= 'Filesystem';
    for (const kind of sourcesOf(volume.spec, persistentVolumeSources)) defaultVolumeSource(kind, volume.spec[kind]);
  },
  prepareCreate(volume, { features }) {
    dropGated(volume, features);
    // Only reads fill in the phase of a new one.
    markUnsettled(volume);
  },
  prepareUpdate: (volume, _previous, { features }) => dropGated(volume, features),
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
