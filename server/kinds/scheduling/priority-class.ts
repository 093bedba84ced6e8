import { type FieldError, forbiddenField } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { immutable, requiredOneOf } from '../field-rules.ts';
import { defineKind } from '../strategy.ts';
import { age, ageColumn, nameColumn } from '../table-cells.ts';

export interface PriorityClass extends KubeObject {
  value?: number;
  globalDefault?: boolean;
  description?: string;
  preemptionPolicy?: string;
}

/** Higher priorities are the system's own. */
const highestUserPriority = 1_000_000_000;

/** The classes that every server has. */
const systemPriorities: ReadonlyMap<string, number> = new Map([
  ['system-cluster-critical', 2_000_000_000],
  ['system-node-critical', 2_000_001_000],
]);

function nameAndValue({ metadata, value = 0, globalDefault }: PriorityClass): FieldError[] {
  const name = metadata.name ?? '';
  if (name.startsWith('system-'))
    return systemPriorities.get(name) === value && !globalDefault
      ? []
      : [
          forbiddenField(
            'metadata.name',
            "priority class names with 'system-' prefix are reserved for system use only",
          ),
        ];
  return value > highestUserPriority
    ? [forbiddenField('value', `maximum allowed value of a user defined priority is ${highestUserPriority}`)]
    : [];
}

export const priorityClass = defineKind<PriorityClass>({
  group: 'scheduling.k8s.io',
  version: 'v1',
  kind: 'PriorityClass',
  resource: 'priorityclasses',
  loosePrefixOnUpdate: true,
  undeletable: (name) =>
    systemPriorities.has(name) ? 'this is a system priority class and cannot be deleted' : undefined,
  default(object) {
    object.value ??= 0;
    object.preemptionPolicy ??= 'PreemptLowerPriority';
  },
  // It has a generation, which stays 1.
  generationRises: () => false,
  validateCreate: (object) => [
    ...nameAndValue(object),
    ...requiredOneOf(object.preemptionPolicy, ['PreemptLowerPriority', 'Never'], FieldPath.of('preemptionPolicy')),
  ],
  validateUpdate: (next, previous) => [
    ...(next.value === previous.value ? [] : [forbiddenField('value', 'may not be changed in an update.')]),
    ...immutable(next.preemptionPolicy, previous.preemptionPolicy, FieldPath.of('preemptionPolicy')),
  ],
  table: {
    columns: [nameColumn, { name: 'Value', type: 'integer' }, { name: 'Global-Default', type: 'boolean' }, ageColumn],
    cells: (object, now) => [object.metadata.name, object.value ?? 0, object.globalDefault === true, age(object, now)],
  },
});
