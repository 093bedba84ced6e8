import { type FieldError, invalidValue } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import { notOver100, validatePodCount } from '../apps/workload-rules.ts';
import { validateConditions } from '../conditions.ts';
import { nonNegative } from '../field-rules.ts';
import { validateLabelSelector } from '../label-selector-field.ts';
import { specChanged } from '../same-value.ts';
import { checkedStatus } from '../status-subresource.ts';
import { defineKind } from '../strategy.ts';
import { age, ageColumn, column, nameColumn } from '../table-cells.ts';
import type { DisruptionBudget } from './disruption-budget-shape.ts';
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
      ...validateConditions(status.conditions, FieldPath.of('status', 'conditions')),
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
