import { type FieldError, required } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import type { Work } from '../../base/turns/work.ts';
import { scale } from '../autoscaling/scale.ts';
import { defaultPodTemplate } from '../core/pod/defaults.ts';
import { gatedTemplate } from '../core/pod/gates.ts';
import type { PodPolicy } from '../core/pod/security.ts';
import type { LabelSelector, PodTemplateSpec } from '../core/pod/shape.ts';
import { changedSpecWarnings } from '../core/pod/warnings.ts';
import { replicaTable } from '../core/replica-table.ts';
import { nonNegative } from '../field-rules.ts';
import { replicaCounts } from '../replica-counts.ts';
import { specChanged } from '../same-value.ts';
import { selectorText } from '../selector-text.ts';
import { checkedStatus } from '../status-subresource.ts';
import { defineKind } from '../strategy.ts';
import {
  immutableSelector,
  sharedDisksOf,
  unreadableSelector,
  validateOwnTemplate,
  validateSelector,
} from './workload-rules.ts';

interface ReplicaSet extends KubeObject {
  spec?: { replicas?: number; minReadySeconds?: number; selector?: LabelSelector; template?: PodTemplateSpec };
  status?: { replicas?: number; readyReplicas?: number };
}

const at = FieldPath.of('spec');

function* validate({ spec = {} }: ReplicaSet, policy: PodPolicy): Work<FieldError[]> {
  return [
    ...nonNegative(spec.replicas, at.child('replicas')),
    ...nonNegative(spec.minReadySeconds, at.child('minReadySeconds')),
    ...validateSelector(spec.selector, 'deployment', at.child('selector')),
    ...(unreadableSelector(spec.selector, at) ?? [
      ...(spec.template
        ? yield* validateOwnTemplate(spec.template, spec.selector, policy, at.child('template'))
        : [required(at.child('template'))]),
      ...sharedDisksOf(spec, at.child('template')),
    ]),
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
  generationRises: specChanged,
  validate,
  // An update is checked both as a new object and as a change.
  *validateUpdate(next, previous, context) {
    return [
      ...(yield* validate(next, context)),
      ...immutableSelector(next.spec?.selector, previous.spec?.selector, at),
    ];
  },
  ...gatedTemplate,
  warnings: changedSpecWarnings,
  subresources: {
    scale,
    status: checkedStatus<ReplicaSet>(replicaCounts('fullyLabeledReplicas', 'readyReplicas', 'availableReplicas')),
  },
  table: replicaTable(({ spec }) => selectorText(spec?.selector)),
});
