import { duplicate, type FieldError, invalidValue } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { dnsLabel } from '../../base/names.ts';
import { tolerationKey, validateTolerations } from '../core/pod/scheduling.ts';
import type { Quantities, Toleration } from '../core/pod/shape.ts';
import { validateOverhead } from '../core/pod/spec.ts';
import { eachOf, immutable } from '../field-rules.ts';
import { validateLabels } from '../label-selector-field.ts';
import { defineKind } from '../strategy.ts';
import { age, ageColumn, column, nameColumn } from '../table-cells.ts';

export interface RuntimeClass extends KubeObject {
  handler?: string;
  overhead?: { podFixed?: Quantities };
  scheduling?: { nodeSelector?: Record<string, string>; tolerations?: Toleration[] };
}

function repeatedTolerations(tolerations: readonly Toleration[] | undefined, at: FieldPath): FieldError[] {
  const keys = new Set<string>();
  return eachOf(tolerations, at, (toleration, here) => {
    const key = tolerationKey(toleration);
    const twice = keys.has(key);
    keys.add(key);
    return twice ? [duplicate(here, toleration)] : [];
  });
}

function validate({ handler = '', overhead, scheduling }: RuntimeClass): FieldError[] {
  const at = FieldPath.of('scheduling');
  return [
    ...dnsLabel(handler).map((problem) => invalidValue('handler', handler, problem)),
    ...validateOverhead(overhead?.podFixed, FieldPath.of('overhead')),
    ...validateLabels(scheduling?.nodeSelector, at.child('nodeSelector')),
    // Told one level deeper than they are.
    ...validateTolerations(scheduling?.tolerations, at.child('tolerations').child('tolerations')),
    ...repeatedTolerations(scheduling?.tolerations, at.child('tolerations')),
  ];
}

export const runtimeClass = defineKind<RuntimeClass>({
  group: 'node.k8s.io',
  version: 'v1',
  kind: 'RuntimeClass',
  resource: 'runtimeclasses',
  bareFinalizers: true,
  createOnUpdate: true,
  unconditionalUpdate: false,
  validate,
  validateUpdate: (next, previous) => immutable(next.handler, previous.handler, FieldPath.of('handler')),
  table: {
    columns: [nameColumn, column('Handler'), ageColumn],
    cells: (object, now) => [object.metadata.name, object.handler, age(object, now)],
  },
});
