import { type FieldError, forbiddenField, invalidValue, required } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { dnsSubdomain } from '../../base/names.ts';
import { immutable, named, oneOf } from '../field-rules.ts';
import { validateLabelSelector } from '../label-selector-field.ts';
import { compareAmounts } from '../quantity-text.ts';
import { sameValue } from '../same-value.ts';
import { keepAllButStatus } from '../status-subresource.ts';
import { defineKind, type Features, type WriteContext } from '../strategy.ts';
import { age, ageColumn, column, nameColumn, wideColumn } from '../table-cells.ts';
import { markUnsettled } from '../unsettled.ts';
import type { LabelSelector, Quantities, ResourceRequirements } from './pod/shape.ts';
import { quantityPositive, resourceAmount, volumeSize } from './resource-names.ts';

interface ObjectReference {
  apiGroup?: string;
  kind?: string;
  name?: string;
}

export interface ClaimSpec {
  accessModes?: string[];
  selector?: LabelSelector;
  resources?: ResourceRequirements;
  volumeName?: string;
  storageClassName?: string;
  volumeMode?: string;
  dataSource?: ObjectReference;
  dataSourceRef?: ObjectReference;
}

export interface PersistentVolumeClaim extends KubeObject {
  spec?: ClaimSpec;
  status?: {
    phase?: string;
    accessModes?: string[];
    capacity?: Quantities;
    allocatedResources?: Quantities;
    resizeStatus?: string;
    conditions?: { type?: string; status?: string; reason?: string }[];
  };
}

const at = FieldPath.of('spec');

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce'];
const ofOnePod = 'ReadWriteOncePod';
export const volumeModes = ['Block', 'Filesystem'];
const classAnnotation = 'volume.beta.kubernetes.io/storage-class';

/** In place. */
export function defaultClaimSpec(spec: ClaimSpec): void {
  spec.volumeMode ??= 'Filesystem';
  spec.resources ??= {};
}

/** The modes that there are: one is of a feature. */
export const knownModes = (features: Features): readonly string[] =>
  features.enabled(ofOnePod) ? [...accessModes, ofOnePod] : accessModes;

export const validateAccessModes = (
  modes: readonly string[] | undefined,
  here: FieldPath,
  known: readonly string[] = accessModes,
): FieldError[] => [
  ...(modes?.length ? [] : [required(here, 'at least 1 access mode is required')]),
  ...(modes ?? []).flatMap((mode) => oneOf(mode, known, here)),
  ...(modes?.includes(ofOnePod) && modes.some((mode) => accessModes.includes(mode))
    ? [forbiddenField(here, 'may not use ReadWriteOncePod with other access modes')]
    : []),
];

/** Also for the claims that a StatefulSet or an ephemeral volume makes. */
export function validateClaimSpec(spec: ClaimSpec, here: FieldPath, modes?: readonly string[]): FieldError[] {
  const storage = spec.resources?.requests?.storage;
  const size = here.child('resources').key('storage');
  return [
    ...validateAccessModes(spec.accessModes, here.child('accessModes'), modes),
    ...validateLabelSelector(spec.selector, here.child('selector')),
    ...(storage === undefined
      ? [required(size)]
      : [...resourceAmount('storage', storage, size), ...quantityPositive(storage, size)]),
    ...named(spec.storageClassName, dnsSubdomain, here.child('storageClassName')),
    ...oneOf(spec.volumeMode, volumeModes, here.child('volumeMode')),
    ...dataSource(spec.dataSource, here.child('dataSource')),
    ...dataSource(spec.dataSourceRef, here.child('dataSourceRef')),
    ...(spec.dataSource && spec.dataSourceRef && !sameValue(spec.dataSource, spec.dataSourceRef)
      ? [invalidValue(here, 'dataSource', 'must match dataSourceRef')]
      : []),
  ];
}

function dataSource(source: ObjectReference | undefined, here: FieldPath): FieldError[] {
  if (!source) return [];
  const errors: FieldError[] = [];
  if (!source.name) errors.push(required(here.child('name')));
  if (!source.kind) errors.push(required(here.child('kind')));
  if (!source.apiGroup && source.kind !== 'PersistentVolumeClaim')
    errors.push(
      invalidValue(here, source.kind ?? '', "must be 'PersistentVolumeClaim' when referencing the default apiGroup"),
    );
  return errors;
}

/** A claim may be bound once, and a bound claim may grow; nothing else of it changes. */
function validateUpdate(
  next: PersistentVolumeClaim,
  previous: PersistentVolumeClaim,
  { emptied }: WriteContext,
): FieldError[] {
  const after = structuredClone(next.spec ?? {});
  const before = previous.spec ?? {};
  if (!before.volumeName && after.volumeName) delete after.volumeName;
  const movesClass = classMovesToField(next, previous);
  if (movesClass) delete after.storageClassName;
  const [size, oldSize] = [after, before].map(({ resources }) => resources?.requests?.storage) as [string?, string?];
  const requests = after.resources?.requests ?? (emptied.has('spec.resources.requests') ? {} : undefined);
  if (previous.status?.phase === 'Bound' && requests && oldSize !== undefined)
    after.resources = { ...after.resources, requests: { ...requests, storage: oldSize } };
  const errors = movesClass ? [] : oldClassStays(next, previous);
  if (!sameValue(after, before))
    errors.push(forbiddenField(at, 'spec is immutable after creation except resources.requests for bound claims'));
  if (compareAmounts(size ?? '0', oldSize ?? '0') < 0)
    errors.push(
      forbiddenField(
        at.child('resources').child('requests').child('storage'),
        'field can not be less than previous value',
      ),
    );
  return [
    ...errors,
    // Told without the `spec` in front.
    ...immutable(next.spec?.volumeMode, previous.spec?.volumeMode, FieldPath.of('volumeMode')),
  ];
}

const oldClassOf = ({ metadata }: PersistentVolumeClaim) => metadata.annotations?.[classAnnotation];

/** A claim whose class only the annotation names may say the same in the field, and may then drop the annotation. */
function classMovesToField(next: PersistentVolumeClaim, previous: PersistentVolumeClaim): boolean {
  const [before, after] = [oldClassOf(previous), oldClassOf(next)];
  return (
    before !== undefined &&
    previous.spec?.storageClassName === undefined &&
    next.spec?.storageClassName === before &&
    (after === undefined || after === before)
  );
}

const oldClassStays = (next: PersistentVolumeClaim, previous: PersistentVolumeClaim): FieldError[] =>
  immutable(
    oldClassOf(next) ?? '',
    oldClassOf(previous) ?? '',
    FieldPath.of('metadata', 'annotations').child(classAnnotation),
  );

/**
 * Either name of the source stands for both. The older one once took only claims and snapshots: anything else in it is
 * dropped without a word, unless it is stored already or both are given. In place.
 */
function settleSource(spec: ClaimSpec | undefined, previous: ClaimSpec | undefined): void {
  if (!spec) return;
  const isNew = !spec.dataSourceRef && !previous?.dataSource && !previous?.dataSourceRef;
  if (spec.dataSource && isNew && !fitsOldField(spec.dataSource)) delete spec.dataSource;
  if (spec.dataSource && !spec.dataSourceRef) spec.dataSourceRef = { ...spec.dataSource };
  else if (spec.dataSourceRef && !spec.dataSource) spec.dataSource = { ...spec.dataSourceRef };
}

/** The storage class, which an annotation named before there was a field. */
export const storageClassOf = ({ metadata, spec }: KubeObject & { spec?: { storageClassName?: string } }) =>
  metadata.annotations?.[classAnnotation] ?? spec?.storageClassName ?? '';

const shortModes: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

export const accessModeText = (modes: readonly string[] | undefined) =>
  Object.keys(shortModes)
    .filter((mode) => modes?.includes(mode))
    .map((mode) => shortModes[mode])
    .join(',');

export const persistentVolumeClaim = defineKind<PersistentVolumeClaim>({
  group: '',
  version: 'v1',
  kind: 'PersistentVolumeClaim',
  resource: 'persistentvolumeclaims',
  default(claim) {
    claim.spec ??= {};
    claim.status ??= {};
    claim.status.phase ||= 'Pending';
    defaultClaimSpec(claim.spec);
  },
  deleteAnswersObject: true,
  prepareCreate(claim) {
    settleSource(claim.spec, undefined);
    // Only reads fill in the phase of a new one.
    markUnsettled(claim);
  },
  prepareUpdate: ({ spec }, previous) => settleSource(spec, previous.spec),
  validate: ({ spec = {} }, { features }) => validateClaimSpec(spec, at, knownModes(features)),
  validateUpdate,
  subresources: {
    status: {
      prepareUpdate(next, previous, { features }) {
        keepAllButStatus(next, previous);
        if (features.enabled('RecoverVolumeExpansionFailure')) return;
        delete next.status?.allocatedResources;
        delete next.status?.resizeStatus;
      },
      validateUpdate: ({ status = {} }) =>
        Object.entries(status.capacity ?? {}).flatMap(([name, quantity]) =>
          volumeSize(quantity, FieldPath.of('status', 'capacity').key(name)),
        ),
    },
  },
  table: {
    columns: [
      nameColumn,
      column('Status'),
      column('Volume'),
      column('Capacity'),
      column('Access Modes'),
      column('StorageClass'),
      ageColumn,
      wideColumn('VolumeMode'),
    ],
    cells(claim, now) {
      const { spec = {}, status = {}, metadata } = claim as PersistentVolumeClaim;
      return [
        metadata.name,
        metadata.deletionTimestamp ? 'Terminating' : status.phase,
        spec.volumeName ?? '',
        spec.volumeName ? (status.capacity?.storage ?? '0') : '',
        spec.volumeName ? accessModeText(status.accessModes) : '',
        storageClassOf(claim as PersistentVolumeClaim),
        age(claim, now),
        spec.volumeMode ?? '<unset>',
      ];
    },
  },
});

const fitsOldField = ({ apiGroup = '', kind = '' }: ObjectReference) =>
  (apiGroup === '' && kind === 'PersistentVolumeClaim') ||
  (apiGroup === 'snapshot.storage.k8s.io' && kind === 'VolumeSnapshot');
