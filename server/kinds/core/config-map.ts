import { type FieldError, forbiddenField, invalidValue, tooLong } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { configMapKey } from '../../base/names.ts';
import { sameValue } from '../same-value.ts';
import { defineKind } from '../strategy.ts';
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

export const dataKeys = (data: Readonly<Record<string, string>> | undefined, at: FieldPath): FieldError[] =>
  Object.keys(data ?? {}).flatMap((key) => configMapKey(key).map((problem) => invalidValue(at.key(key), key, problem)));

/** Once the flag is set it stands, and the fields with it: a reader may keep what it read for good. */
export function frozen<T extends KubeObject & { immutable?: boolean }>(
  next: T,
  previous: T,
  fields: readonly (keyof T & string)[],
): FieldError[] {
  if (previous.immutable !== true) return [];
  const why = 'field is immutable when `immutable` is set';
  return [
    ...(next.immutable === true ? [] : [forbiddenField('immutable', why)]),
    ...fields.filter((field) => !sameContent(next[field], previous[field])).map((field) => forbiddenField(field, why)),
  ];
}

const sameContent = (a: unknown, b: unknown) => sameValue(a ?? {}, b ?? {});

function validate({ data = {}, binaryData = {} }: ConfigMap): FieldError[] {
  const texts = FieldPath.of('data');
  const twice = Object.keys(data)
    .filter((key) => Object.hasOwn(binaryData, key))
    .map((key) => invalidValue(texts.key(key), key, 'duplicate of key present in binaryData'));
  const size =
    Object.values(data).reduce((sum, value) => sum + Buffer.byteLength(value), 0) +
    Object.values(binaryData).reduce((sum, value) => sum + decodedLength(value), 0);
  return [
    ...dataKeys(data, texts),
    ...twice,
    ...dataKeys(binaryData, FieldPath.of('binaryData')),
    // The limit is about the whole object, which has no name of its own.
    ...(size > maxDataBytes ? [tooLong('[]', maxDataBytes)] : []),
  ];
}

export const configMap = defineKind<ConfigMap>({
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  resource: 'configmaps',
  validate,
  validateUpdate: (next, previous) => frozen(next, previous, ['data', 'binaryData']),
  table: {
    columns: [nameColumn, column('Data'), ageColumn],
    cells: (map, now) => [
      map.metadata.name,
      Object.keys(map.data ?? {}).length + Object.keys(map.binaryData ?? {}).length,
      age(map, now),
    ],
  },
});
