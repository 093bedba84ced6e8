import { type FieldError, invalidValue, required } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { nonNegative } from '../field-rules.ts';
import { validateLabels } from '../label-selector-field.ts';
import { replicaCounts } from '../replica-counts.ts';
import { sameValue } from '../same-value.ts';
import { checkedStatus } from '../status-subresource.ts';
import { defineKind } from '../strategy.ts';
import { age, ageColumn, labelText, nameColumn, wideColumn } from '../table-cells.ts';
import { defaultPodTemplate } from './pod-defaults.ts';
import { gatedTemplate } from './pod-gates.ts';
import type { PodTemplateSpec } from './pod-shape.ts';
import { validateWorkloadTemplate } from './pod-spec.ts';
import { containerCells, containersColumn, imagesColumn } from './pod-template-table.ts';
import { templateWarnings } from './pod-warnings.ts';

export interface ReplicationController extends KubeObject {
  spec?: { replicas?: number; minReadySeconds?: number; selector?: Record<string, string>; template?: PodTemplateSpec };
  status?: { replicas?: number; readyReplicas?: number };
}

const at = FieldPath.of('spec');

function defaults(object: ReplicationController): void {
  object.spec ??= {};
  object.status ??= {};
  object.status.replicas ??= 0;
  const { spec, metadata } = object;
  const labels = spec.template?.metadata?.labels;
  if (labels && Object.keys(labels).length > 0) {
    if (Object.keys(spec.selector ?? {}).length === 0) spec.selector = { ...labels };
    if (Object.keys(metadata.labels ?? {}).length === 0) metadata.labels = { ...labels };
  }
  spec.replicas ??= 1;
  if (spec.template) defaultPodTemplate(spec.template);
}

function validate({ spec = {} }: ReplicationController): FieldError[] {
  const selector = spec.selector ?? {};
  const labels = spec.template?.metadata?.labels ?? {};
  const fits = Object.entries(selector).every(([key, value]) => Object.hasOwn(labels, key) && labels[key] === value);
  return [
    ...nonNegative(spec.minReadySeconds, at.child('minReadySeconds')),
    ...(Object.keys(selector).length === 0 ? [required(at.child('selector'))] : []),
    ...validateLabels(spec.selector, at.child('selector')),
    ...nonNegative(spec.replicas, at.child('replicas')),
    ...(spec.template
      ? [
          ...(fits
            ? []
            : [
                invalidValue(
                  at.child('template').child('metadata').child('labels'),
                  labels,
                  '`selector` does not match template `labels`',
                ),
              ]),
          ...validateWorkloadTemplate(spec.template, at.child('template')),
        ]
      : [required(at.child('template'))]),
  ];
}

export const replicationController = defineKind<ReplicationController>({
  group: '',
  version: 'v1',
  kind: 'ReplicationController',
  resource: 'replicationcontrollers',
  defaultPropagation: 'Orphan',
  generationRises: (next, previous) => !sameValue(next.spec, previous.spec),
  default: defaults,
  validate,
  // An update is checked both as a new object and as a change.
  validateUpdate: validate,
  ...gatedTemplate,
  warnings: templateWarnings,
  subresources: {
    status: checkedStatus<ReplicationController>(
      replicaCounts('fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'),
    ),
  },
  scale: { specReplicas: '.spec.replicas', statusReplicas: '.status.replicas', selector: '.spec.selector' },
  selectable: { 'status.replicas': ({ status }) => String(status?.replicas ?? 0) },
  table: {
    columns: [
      nameColumn,
      { name: 'Desired', type: 'integer' },
      { name: 'Current', type: 'integer' },
      { name: 'Ready', type: 'integer' },
      ageColumn,
      containersColumn,
      imagesColumn,
      wideColumn('Selector'),
    ],
    cells: (object, now) => [
      object.metadata.name,
      object.spec?.replicas ?? 0,
      object.status?.replicas ?? 0,
      object.status?.readyReplicas ?? 0,
      age(object, now),
      ...containerCells(object.spec?.template),
      labelText(object.spec?.selector),
    ],
  },
});
