import { type FieldError, forbiddenField } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { immutable } from '../field-rules.ts';
import { sameValue } from '../same-value.ts';
import { defineKind, type Features } from '../strategy.ts';
import { age, ageColumn, column, nameColumn, wideColumn } from '../table-cells.ts';
import { markUnsettled } from '../unsettled.ts';
import { accessModeText, storageClassOf } from './persistent-volume-claim.ts';
import { defaultVolumeSource } from './pod/defaults.ts';
import { persistentVolumeSources, sourcesOf } from './volume/sources.ts';
import { type VolumeSpec, validateVolumeSpec } from './volume/volume-spec.ts';

export interface PersistentVolume extends KubeObject {
  spec?: VolumeSpec;
  status?: { phase?: string; reason?: string; message?: string };
}

const at = FieldPath.of('spec');

const validate = ({ spec = {} }: PersistentVolume): FieldError[] => validateVolumeSpec(spec, at);

/** Two fields are told without the `spec` in front. */
const modeAt = FieldPath.of('volumeMode');
const affinityAt = FieldPath.of('nodeAffinity');

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
    ...immutable(next.spec?.volumeMode, previous.spec?.volumeMode, modeAt),
    ...(before ? immutable(next.spec?.nodeAffinity, before, affinityAt) : []),
  ];
}

/** Fields of features that are off are dropped without a word. In place. */
function dropGated({ spec }: PersistentVolume, features: Features): void {
  const csi = spec?.csi as { nodeExpandSecretRef?: object } | undefined;
  if (csi && !features.enabled('CSINodeExpandSecret')) delete csi.nodeExpandSecretRef;
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
