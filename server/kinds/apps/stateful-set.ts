import { type FieldError, forbiddenField, invalidValue, required } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { scaleOfObject } from '../autoscaling/scale.ts';
import { type ClaimSpec, defaultClaimSpec } from '../core/persistent-volume-claim.ts';
import { podAnnotationErrors } from '../core/pod/annotations.ts';
import { defaultPodTemplate } from '../core/pod/defaults.ts';
import { dropGatedFields } from '../core/pod/gates.ts';
import type { LabelSelector, PodTemplateSpec } from '../core/pod/shape.ts';
import { keptRunning } from '../core/pod/spec.ts';
import { validateAnnotations } from '../core/pod/template-annotations.ts';
import { changedSpecWarnings } from '../core/pod/warnings.ts';
import { containerCells, containersColumn, imagesColumn } from '../core/pod-template/table.ts';
import { nonNegative } from '../field-rules.ts';
import { validateLabels } from '../label-selector-field.ts';
import { replicaCounts } from '../replica-counts.ts';
import { sameValue, specChanged } from '../same-value.ts';
import { checkedStatus } from '../status-subresource.ts';
import { defineKind, type Features } from '../strategy.ts';
import { age, ageColumn, column, nameColumn } from '../table-cells.ts';
import { type PodCount, templateFits, unreadableSelector, validateSelector } from './workload-rules.ts';

interface ClaimTemplate {
  kind?: string;
  apiVersion?: string;
  metadata?: { creationTimestamp?: string | null };
  spec?: ClaimSpec;
  status?: { phase?: string };
}

interface Spec {
  replicas?: number;
  selector?: LabelSelector;
  template?: PodTemplateSpec;
  serviceName?: string;
  podManagementPolicy?: string;
  updateStrategy?: { type?: string; rollingUpdate?: { partition?: number; maxUnavailable?: PodCount } };
  revisionHistoryLimit?: number;
  minReadySeconds?: number;
  persistentVolumeClaimRetentionPolicy?: unknown;
  volumeClaimTemplates?: ClaimTemplate[];
}

interface StatefulSet extends KubeObject {
  spec?: Spec;
  status?: { replicas?: number; readyReplicas?: number; availableReplicas?: number };
}

const at = FieldPath.of('spec');

function defaults(set: StatefulSet): void {
  set.spec ??= {};
  set.status ??= {};
  set.status.replicas ??= 0;
  set.status.availableReplicas ??= 0;
  const { spec } = set;
  spec.serviceName ??= '';
  spec.podManagementPolicy ||= 'OrderedReady';
  spec.updateStrategy ??= {};
  const strategy = spec.updateStrategy;
  // Who names the type is taken at their word.
  if (!strategy.type) strategy.rollingUpdate ??= {};
  strategy.type ||= 'RollingUpdate';
  if (strategy.type === 'RollingUpdate' && strategy.rollingUpdate) strategy.rollingUpdate.partition ??= 0;
  spec.replicas ??= 1;
  spec.revisionHistoryLimit ??= 10;
  spec.template ??= {};
  defaultPodTemplate(spec.template);
  for (const claim of spec.volumeClaimTemplates ?? []) {
    claim.kind = 'PersistentVolumeClaim';
    claim.apiVersion = 'v1';
    claim.spec ??= {};
    defaultClaimSpec(claim.spec);
    claim.status ??= {};
    claim.status.phase ||= 'Pending';
  }
}

function validateStrategy({ type, rollingUpdate }: NonNullable<Spec['updateStrategy']>, here: FieldPath): FieldError[] {
  if (!type) return [required(here)];
  if (type === 'OnDelete')
    return rollingUpdate
      ? [invalidValue(here.child('rollingUpdate'), rollingUpdate, "only allowed for updateStrategy 'RollingUpdate'")]
      : [];
  if (type === 'RollingUpdate')
    return nonNegative(rollingUpdate?.partition, here.child('rollingUpdate').child('partition'));
  return [invalidValue(here, { type }, "must be 'RollingUpdate' or 'OnDelete'")];
}

const templateAt = at.child('template');

/** Its pods themselves are not looked at. */
const validateTemplate = ({ template, selector }: Spec): FieldError[] => [
  ...(unreadableSelector(selector, at) ?? [
    ...templateFits(template, selector, templateAt),
    ...validateLabels(template?.metadata?.labels, templateAt.child('labels')),
    ...validateAnnotations(template?.metadata?.annotations, templateAt.child('annotations')),
    ...podAnnotationErrors(template?.metadata?.annotations, template?.spec ?? {}, templateAt.child('annotations')),
  ]),
  ...keptRunning(template, templateAt),
];

const validate = ({ spec = {} }: StatefulSet): FieldError[] => [
  ...(['OrderedReady', 'Parallel'].includes(spec.podManagementPolicy ?? '')
    ? []
    : [
        invalidValue(at.child('podManagementPolicy'), spec.podManagementPolicy, "must be 'OrderedReady' or 'Parallel'"),
      ]),
  ...validateStrategy(spec.updateStrategy ?? {}, at.child('updateStrategy')),
  ...nonNegative(spec.replicas, at.child('replicas')),
  ...nonNegative(spec.minReadySeconds, at.child('minReadySeconds')),
  ...validateSelector(spec.selector, 'statefulset', at.child('selector')),
  ...validateTemplate(spec),
];

function dropGated(spec: Spec | undefined, features: Features): void {
  dropGatedFields(spec?.template?.spec, features);
  if (!spec) return;
  if (!features.enabled('StatefulSetAutoDeletePVC')) delete spec.persistentVolumeClaimRetentionPolicy;
  if (!features.enabled('MaxUnavailableStatefulSet')) delete spec.updateStrategy?.rollingUpdate?.maxUnavailable;
}

const mutable = ['replicas', 'template', 'updateStrategy', 'persistentVolumeClaimRetentionPolicy', 'minReadySeconds'];

const fixedPart = (spec: Spec = {}) =>
  Object.fromEntries(Object.entries(spec).filter(([field]) => !mutable.includes(field)));

export const statefulSet = defineKind<StatefulSet>({
  group: 'apps',
  version: 'v1',
  kind: 'StatefulSet',
  resource: 'statefulsets',
  default: defaults,
  prepareCreate: ({ spec }, { features }) => dropGated(spec, features),
  prepareUpdate: ({ spec }, _previous, { features }) => dropGated(spec, features),
  generationRises: specChanged,
  validate,
  validateUpdate: (next, previous) => [
    ...(sameValue(fixedPart(next.spec), fixedPart(previous.spec))
      ? []
      : [
          forbiddenField(
            at,
            "updates to statefulset spec for fields other than 'replicas', 'template', 'updateStrategy', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
          ),
        ]),
    // Told again as part of the change.
    ...nonNegative(next.spec?.replicas, at.child('replicas')),
    ...nonNegative(next.spec?.minReadySeconds, at.child('minReadySeconds')),
  ],
  warnings: changedSpecWarnings,
  // Known as a field, but nothing ever has it.
  selectable: { 'status.successful': () => '' },
  subresources: {
    scale: scaleOfObject,
    status: checkedStatus<StatefulSet>(
      replicaCounts('readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'),
    ),
  },
  table: {
    columns: [
      nameColumn,
      column('Ready', 'How many of the wanted pods are ready.'),
      ageColumn,
      containersColumn,
      imagesColumn,
    ],
    cells: (object, now) => [
      object.metadata.name,
      `${object.status?.readyReplicas ?? 0}/${object.spec?.replicas ?? 0}`,
      age(object, now),
      ...containerCells(object.spec?.template),
    ],
  },
});
