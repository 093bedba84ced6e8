import { type FieldError, invalidValue, required } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import { qualifiedName } from '../../base/names.ts';
import { notOver100, validatePodCount } from '../apps/workload-rules.ts';
import { eachOf, nonNegative, oneOf } from '../field-rules.ts';
import { validateLabelSelector } from '../label-selector-field.ts';
import { specChanged } from '../same-value.ts';
import { checkedStatus } from '../status-subresource.ts';
import { defineKind } from '../strategy.ts';
import { age, ageColumn, column, nameColumn } from '../table-cells.ts';
import type { BudgetCondition, DisruptionBudget } from './disruption-budget-shape.ts';
import { budgetOfV1Beta1 } from './disruption-budget-v1beta1.ts';

const at = FieldPath.of('spec');

function validate({ spec = {} }: DisruptionBudget): FieldError[] {
  const { minAvailable, maxUnavailable } = spec;
  const count = (field: 'minAvailable' | 'maxUnavailable') => [
    ...validatePodCount(spec[field], at.child(field)),
    ...notOver100(spec[field], at.child(field)),
  ];
  return [
    ...(minAvailable !== undefined && maxUnavailable !== undefined
      ? [invalidValue(at, spec, 'minAvailable and maxUnavailable cannot be both set')]
      : []),
    ...count('minAvailable'),
    ...count('maxUnavailable'),
    ...validateLabelSelector(spec.selector, at.child('selector')),
  ];
}

function validateCondition(
  { type, status, reason, lastTransitionTime }: BudgetCondition,
  here: FieldPath,
): FieldError[] {
  return [
    ...qualifiedName(type ?? '').map((problem) => invalidValue(here.child('type'), type ?? '', problem)),
    ...oneOf(status ?? '', ['False', 'True', 'Unknown'], here.child('status')),
    ...(lastTransitionTime ? [] : [required(here.child('lastTransitionTime'), 'must be set')]),
    ...(reason ? [] : [required(here.child('reason'), 'must be set')]),
  ];
}

const counts = ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'] as const;

const orNotGiven = (value: number | string | undefined) => (value === undefined ? 'N/A' : String(value));

export const podDisruptionBudget = defineKind<DisruptionBudget>({
  group: 'policy',
  version: 'v1',
  kind: 'PodDisruptionBudget',
  resource: 'poddisruptionbudgets',
  plainMetadata: () => true,
  unconditionalUpdate: false,
  storedVersions: { v1beta1: budgetOfV1Beta1 },
  default(budget) {
    budget.spec ??= {};
    budget.status = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0, ...budget.status };
  },
  generationRises: specChanged,
  validate,
  subresources: {
    status: checkedStatus<DisruptionBudget>(({ status = {} }) => [
      ...eachOf(status.conditions, FieldPath.of('status', 'conditions'), validateCondition),
      ...counts.flatMap((field) => nonNegative(status[field], FieldPath.of('status', field))),
    ]),
  },
  table: {
    columns: [
      nameColumn,
      column('Min Available'),
      column('Max Unavailable'),
      { name: 'Allowed Disruptions', type: 'integer' },
      ageColumn,
    ],
    cells: (budget, now) => [
      budget.metadata.name,
      orNotGiven(budget.spec?.minAvailable),
      orNotGiven(budget.spec?.maxUnavailable),
      budget.status?.disruptionsAllowed ?? 0,
      age(budget, now),
    ],
  },
});
