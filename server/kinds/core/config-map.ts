import { append, type FieldError, forbiddenField, invalidValue, tooLong } from '../../base/field-error.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { configMapKey } from '../../base/names.ts';
import { sameValue } from '../same-value.ts';
import { defineKind, type WriteContext } from '../strategy.ts';
import { age, ageColumn, column, nameColumn } from '../table-cells.ts';

export interface ConfigMap extends KubeObject {
  data?: Record<string, string>;
  /** base64 */
  binaryData?: Record<string, string>;
  immutable?: boolean;
}

/** Bytes that all values of a ConfigMap or Secret may have together. */
export const maxDataBytes = 1_048_576;

/** Length of what base64 text stands for. */
export function decodedLength(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.floor((base64.length * 3) / 4) - padding;
}

/** What is wrong with the keys; `at` is the field that holds them. */
export function dataKeys(data: Readonly<Record<string, string>> | undefined, at: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const key in data) {
    for (const problem of configMapKey(key)) errors.push(invalidValue(`${at}[${key}]`, key, problem));
  }
  return errors;
}

/** Once the flag is set it stands, and these maps with it: a reader may keep what it read for good. */
export function frozen<T extends KubeObject & { immutable?: boolean }>(
  next: T,
  previous: T,
  fields: readonly (keyof T & string)[],
  { emptied }: WriteContext,
): FieldError[] {
  if (previous.immutable !== true) return [];
  const why = 'field is immutable when `immutable` is set';
  return [
    ...(next.immutable === true ? [] : [forbiddenField('immutable', why)]),
    ...fields
      .filter((field) => emptied.has(field) || !sameValue(next[field] ?? {}, previous[field] ?? {}))
      .map((field) => forbiddenField(field, why)),
  ];
}

function validate({ data = {}, binaryData }: ConfigMap): FieldError[] {
  const errors = dataKeys(data, 'data');
  let size = 0;
  for (const key in data) size += Buffer.byteLength(data[key] ?? '');
  for (const key in binaryData) {
    size += decodedLength(binaryData[key] ?? '');
    const twice = Object.hasOwn(data, key);
    if (twice) errors.push(invalidValue(`data[${key}]`, key, 'duplicate of key present in binaryData'));
  }
  if (binaryData) append(errors, dataKeys(binaryData, 'binaryData'));
  // The limit is about the whole object, which has no name of its own.
  if (size > maxDataBytes) errors.push(tooLong('[]', maxDataBytes));
  return errors;
}

export const configMap = defineKind<ConfigMap>({
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  resource: 'configmaps',
  emptyIsNone: ['data'],
  validate,
  validateUpdate: (next, previous, context) =>
    previous.immutable ? frozen(next, previous, ['data', 'binaryData'], context) : [],
  table: {
    columns: [nameColumn, column('Data'), ageColumn],
    cells: (map, now) => [
      map.metadata.name,
      Object.keys(map.data ?? {}).length + Object.keys(map.binaryData ?? {}).length,
      age(map, now),
    ],
  },
});
