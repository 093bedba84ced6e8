import { type FieldError, required } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { defaultPodTemplate } from '../core/pod-defaults.ts';
import { gatedTemplate } from '../core/pod-gates.ts';
import type { LabelSelector, PodTemplateSpec } from '../core/pod-shape.ts';
import { containerCells, containersColumn, imagesColumn } from '../core/pod-template-table.ts';
import { templateWarnings } from '../core/pod-warnings.ts';
import { nonNegative } from '../field-rules.ts';
import { replicaCounts } from '../replica-counts.ts';
import { sameValue } from '../same-value.ts';
import { selectorText } from '../selector-text.ts';
import { checkedStatus } from '../status-subresource.ts';
import { defineKind } from '../strategy.ts';
import { age, ageColumn, nameColumn, wideColumn } from '../table-cells.ts';
import { immutableSelector, validateOwnTemplate, validateSelector } from './workload-rules.ts';

interface ReplicaSet extends KubeObject {
  spec?: { replicas?: number; minReadySeconds?: number; selector?: LabelSelector; template?: PodTemplateSpec };
  status?: { replicas?: number; readyReplicas?: number };
}

const at = FieldPath.of('spec');

function validate({ spec = {} }: ReplicaSet): FieldError[] {
  return [
    ...nonNegative(spec.replicas, at.child('replicas')),
    ...nonNegative(spec.minReadySeconds, at.child('minReadySeconds')),
    ...validateSelector(spec.selector, 'deployment', at.child('selector')),
    ...(spec.template
      ? validateOwnTemplate(spec.template, spec.selector, at.child('template'))
      : [required(at.child('template'))]),
  ];
}

export const replicaSet = defineKind<ReplicaSet>({
  group: 'apps',
  version: 'v1',
  kind: 'ReplicaSet',
  resource: 'replicasets',
  default(object) {
    object.spec ??= {};
    object.status ??= {};
    object.status.replicas ??= 0;
    object.spec.replicas ??= 1;
    object.spec.template ??= {};
    defaultPodTemplate(object.spec.template);
  },
  generationRises: (next, previous) => !sameValue(next.spec, previous.spec),
  validate,
  // An update is checked both as a new object and as a change.
  validateUpdate: (next, previous) => [
    ...validate(next),
    ...immutableSelector(next.spec?.selector, previous.spec?.selector, at),
  ],
  ...gatedTemplate,
  warnings: templateWarnings,
  subresources: {
    status: checkedStatus<ReplicaSet>(replicaCounts('fullyLabeledReplicas', 'readyReplicas', 'availableReplicas')),
  },
  scale: { specReplicas: '.spec.replicas', statusReplicas: '.status.replicas', selector: '.spec.selector' },
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
      selectorText(object.spec?.selector),
    ],
  },
});
