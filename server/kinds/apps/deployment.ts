import { type FieldError, forbiddenField, invalidValue, required } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import type { Work } from '../../base/turns/work.ts';
import { scale } from '../autoscaling/scale.ts';
import { defaultPodTemplate } from '../core/pod/defaults.ts';
import { gatedTemplate } from '../core/pod/gates.ts';
import type { PodPolicy } from '../core/pod/security.ts';
import type { LabelSelector, PodTemplateSpec } from '../core/pod/shape.ts';
import { templateWarnings } from '../core/pod/warnings.ts';
import { containerCells, containersColumn, imagesColumn } from '../core/pod-template/table.ts';
import { nonNegative, oneOf } from '../field-rules.ts';
import { replicaCounts } from '../replica-counts.ts';
import { sameValue, specChanged } from '../same-value.ts';
import { selectorText } from '../selector-text.ts';
import { checkedStatus } from '../status-subresource.ts';
import { defineKind } from '../strategy.ts';
import { age, ageColumn, column, nameColumn, wideColumn } from '../table-cells.ts';
import { keepRollback, settleRollback, unreadableRollback, validateRollback } from './rollback.ts';
import {
  countOf,
  immutableSelector,
  notOver100,
  type PodCount,
  sharedDisksOf,
  unreadableSelector,
  validateOwnTemplate,
  validatePodCount,
  validateSelector,
} from './workload-rules.ts';

interface Deployment extends KubeObject {
  spec?: {
    replicas?: number;
    selector?: LabelSelector;
    template?: PodTemplateSpec;
    strategy?: { type?: string; rollingUpdate?: { maxSurge?: PodCount; maxUnavailable?: PodCount } };
    minReadySeconds?: number;
    revisionHistoryLimit?: number;
    paused?: boolean;
    progressDeadlineSeconds?: number;
  };
  status?: {
    replicas?: number;
    readyReplicas?: number;
    updatedReplicas?: number;
    availableReplicas?: number;
    unavailableReplicas?: number;
  };
}

const at = FieldPath.of('spec');
function defaults(deployment: Deployment): void {
  deployment.spec ??= {};
  deployment.status ??= {};
  settleRollback(deployment);
  const { spec } = deployment;
  spec.replicas ??= 1;
  spec.template ??= {};
  defaultPodTemplate(spec.template);
  spec.strategy ??= {};
  const { strategy } = spec;
  strategy.type ||= 'RollingUpdate';
  if (strategy.type === 'RollingUpdate') {
    strategy.rollingUpdate ??= {};
    strategy.rollingUpdate.maxUnavailable ??= '25%';
    strategy.rollingUpdate.maxSurge ??= '25%';
  }
  spec.revisionHistoryLimit ??= 10;
  spec.progressDeadlineSeconds ??= 600;
}

type Strategy = NonNullable<NonNullable<Deployment['spec']>['strategy']>;

function validateStrategy({ type = '', rollingUpdate }: Strategy, here: FieldPath): FieldError[] {
  const rolling = here.child('rollingUpdate');
  if (type === 'Recreate')
    return rollingUpdate ? [forbiddenField(rolling, "may not be specified when strategy `type` is 'Recreate'")] : [];
  if (type !== 'RollingUpdate') return oneOf(type, ['Recreate', 'RollingUpdate'], here);
  if (!rollingUpdate) return [required(rolling, 'this should be defaulted and never be nil')];
  const { maxSurge, maxUnavailable } = rollingUpdate;
  const unavailable = rolling.child('maxUnavailable');
  return [
    ...validatePodCount(maxUnavailable, unavailable),
    ...validatePodCount(maxSurge, rolling.child('maxSurge')),
    ...(countOf(maxUnavailable) === 0 && countOf(maxSurge) === 0
      ? [invalidValue(unavailable, maxUnavailable, 'may not be 0 when `maxSurge` is 0')]
      : []),
    ...notOver100(maxUnavailable, unavailable),
  ];
}

function* validate(deployment: Deployment, policy: PodPolicy): Work<FieldError[]> {
  const { spec = {} } = deployment;
  const { progressDeadlineSeconds: deadline, minReadySeconds = 0 } = spec;
  const deadlineAt = at.child('progressDeadlineSeconds');
  return [
    ...nonNegative(spec.replicas, at.child('replicas')),
    ...validateSelector(spec.selector, 'deployment', at.child('selector')),
    ...(unreadableSelector(spec.selector, at) ?? [
      ...(yield* validateOwnTemplate(spec.template, spec.selector, policy, at.child('template'))),
      ...sharedDisksOf(spec, at.child('template')),
    ]),
    ...validateStrategy(spec.strategy ?? {}, at.child('strategy')),
    ...nonNegative(spec.minReadySeconds, at.child('minReadySeconds')),
    ...nonNegative(spec.revisionHistoryLimit, at.child('revisionHistoryLimit')),
    ...validateRollback(deployment, at),
    ...nonNegative(deadline, deadlineAt),
    ...(deadline !== undefined && deadline <= minReadySeconds
      ? [invalidValue(deadlineAt, deadline, 'must be greater than minReadySeconds')]
      : []),
  ];
}

/** More may be missing than there are. */
const validateStatus = (next: Deployment, previous: Deployment): FieldError[] => [
  ...replicaCounts('updatedReplicas', 'readyReplicas', 'availableReplicas')(next, previous),
  ...nonNegative(next.status?.unavailableReplicas, FieldPath.of('status', 'unavailableReplicas')),
];

/** Controllers read the annotations too, so a change of them is a new generation. */
const isNewGeneration = (next: Deployment, previous: Deployment) =>
  specChanged(next, previous) || !sameValue(next.metadata.annotations ?? {}, previous.metadata.annotations ?? {});

const status = checkedStatus<Deployment>(validateStatus, 'labels');

export const deployment = defineKind<Deployment>({
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  resource: 'deployments',
  loosePrefixOnUpdate: true,
  unreadable: unreadableRollback,
  default: defaults,
  generationRises: isNewGeneration,
  validate,
  validateUpdate: (next, previous) => immutableSelector(next.spec?.selector, previous.spec?.selector, at),
  ...gatedTemplate,
  warnings: (next, previous) => (!previous || isNewGeneration(next, previous) ? templateWarnings(next) : []),
  subresources: {
    scale,
    status: {
      ...status,
      prepareUpdate(next, previous, context) {
        status.prepareUpdate?.(next, previous, context);
        keepRollback(next, previous);
      },
    },
  },
  table: {
    columns: [
      nameColumn,
      column('Ready', 'How many of the wanted pods are ready.'),
      column('Up-to-date', 'How many pods were made from the newest template.'),
      column('Available', 'How many pods have been ready for long enough.'),
      ageColumn,
      containersColumn,
      imagesColumn,
      wideColumn('Selector', 'Which pods are its own.'),
    ],
    cells: (object, now) => [
      object.metadata.name,
      `${object.status?.readyReplicas ?? 0}/${object.spec?.replicas ?? 0}`,
      object.status?.updatedReplicas ?? 0,
      object.status?.availableReplicas ?? 0,
      age(object, now),
      ...containerCells(object.spec?.template),
      selectorText(object.spec?.selector),
    ],
  },
});
