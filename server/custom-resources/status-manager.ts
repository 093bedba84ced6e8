import { formatTime } from '../base/clock.ts';
import type { Json, ManagedFieldsEntry } from '../base/kube-object.ts';
import { inOrder } from '../patch/apply/managers.ts';
import type { Definition, DefinitionStatus } from './definition-shape.ts';

/** The name under which this server owns what it writes into the status of definitions. */
const manager = 'kube-apiserver';

/** The managers of a definition after its names and conditions were written by the server. */
export function bookStatus(
  { metadata, apiVersion }: Definition,
  status: DefinitionStatus,
  now: number,
): ManagedFieldsEntry[] {
  const others = (metadata.managedFields ?? []).filter(
    (entry) => !(entry.manager === manager && entry.operation === 'Update' && entry.subresource === 'status'),
  );
  const own: ManagedFieldsEntry = {
    manager,
    operation: 'Update',
    apiVersion,
    time: formatTime(now),
    fieldsType: 'FieldsV1',
    fieldsV1: {
      'f:status': { 'f:acceptedNames': fieldsOf(status.acceptedNames ?? {}), 'f:conditions': conditionFields(status) },
    },
    subresource: 'status',
  };
  return inOrder([...others, own]);
}

const fieldsOf = (value: object): { [key: string]: Json } =>
  Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [`f:${name}`, {}]),
  );

const conditionFields = ({ conditions = [] }: DefinitionStatus): { [key: string]: Json } =>
  Object.fromEntries(
    conditions.map((condition) => [
      `k:${JSON.stringify({ type: condition.type })}`,
      { '.': {}, ...fieldsOf(condition) },
    ]),
  );
