import { type FieldError, invalidValue, required } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import type { Work } from '../../base/turns/work.ts';
import { sharedDisksOf } from '../apps/workload-rules.ts';
import { scaleOfGroup } from '../autoscaling/scale.ts';
import { nonNegative } from '../field-rules.ts';
import { replicaCounts } from '../replica-counts.ts';
import { sameValue, specChanged } from '../same-value.ts';
import { checkedStatus } from '../status-subresource.ts';
import { defineKind } from '../strategy.ts';
import { labelText } from '../table-cells.ts';
import { defaultPodTemplate } from './pod/defaults.ts';
import { gatedTemplate } from './pod/gates.ts';
import type { PodPolicy } from './pod/security.ts';
import type { PodTemplateSpec } from './pod/shape.ts';
import { validateWorkloadTemplate } from './pod/spec.ts';
import { templateWarnings } from './pod/warnings.ts';
import { replicaTable } from './replica-table.ts';

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

function* validate({ spec = {} }: ReplicationController, policy: PodPolicy): Work<FieldError[]> {
  const selector = spec.selector ?? {};
  const labels = spec.template?.metadata?.labels ?? {};
  const fits = Object.entries(selector).every(([key, value]) => Object.hasOwn(labels, key) && labels[key] === value);
  return [
    ...nonNegative(spec.minReadySeconds, at.child('minReadySeconds')),
    ...(Object.keys(selector).length === 0 ? [required(at.child('selector'))] : []),
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
          ...(yield* validateWorkloadTemplate(spec.template, policy, at.child('template'))),
          ...sharedDisksOf(spec, at.child('template')),
        ]
      : [required(at.child('template'))]),
  ];
}

export const replicationController = defineKind<ReplicationController>({
  group: '',
  version: 'v1',
  kind: 'ReplicationController',
  resource: 'replicationcontrollers',
  orphansDependents: {},
  generationRises: specChanged,
  default: defaults,
  validate,
  // An update is checked both as a new object and as a change.
  validateUpdate: (next, _previous, context) => validate(next, context),
  ...gatedTemplate,
  // A change is told the faults of what it replaces.
  warnings: (next, previous) =>
    previous && sameValue(next.spec, previous.spec) ? [] : templateWarnings(previous ?? next),
  subresources: {
    scale: scaleOfGroup,
    status: checkedStatus<ReplicationController>(
      replicaCounts('fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'),
    ),
  },
  selectable: { 'status.replicas': ({ status }) => String(status?.replicas ?? 0) },
  table: replicaTable(({ spec }) => labelText(spec?.selector)),
});
