import { duplicate, type FieldError, forbiddenField, invalidValue, required, tooLong } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { qualifiedName } from '../../base/names.ts';
import { eachOf, immutable, oneOf, requiredOneOf } from '../field-rules.ts';
import { sameValue } from '../same-value.ts';
import { defineKind, type WriteContext } from '../strategy.ts';
import { age, ageColumn, column, nameColumn } from '../table-cells.ts';

interface TopologyTerm {
  matchLabelExpressions?: { key?: string; values?: string[] }[];
}

interface StorageClass extends KubeObject {
  provisioner?: string;
  parameters?: Record<string, string>;
  reclaimPolicy?: string;
  mountOptions?: string[];
  allowVolumeExpansion?: boolean;
  volumeBindingMode?: string;
  allowedTopologies?: TopologyTerm[];
}

const parameterBytes = 256 * 1024;
const parameterCount = 512;

function validateParameters(parameters: Record<string, string> = {}): FieldError[] {
  const at = FieldPath.of('parameters');
  const entries = Object.entries(parameters);
  const size = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
  return [
    ...(entries.length > parameterCount ? [tooLong(at, parameterCount)] : []),
    ...(Object.hasOwn(parameters, '') ? [invalidValue(at, '', 'field can not be empty.')] : []),
    ...(size > parameterBytes ? [tooLong(at, parameterBytes)] : []),
  ];
}

const provisionerName = (name: string | undefined, at: FieldPath): FieldError[] =>
  name ? qualifiedName(name.toLowerCase()).map((problem) => invalidValue(at, name, problem)) : [required(at)];

/** No key twice in a term, no value twice in a key, and no two terms alike; an empty term is like any other. */
function validateTopologies(terms: readonly TopologyTerm[] | undefined): FieldError[] {
  const seen = new Set<string>(['[]']);
  return eachOf(terms, FieldPath.of('allowedTopologies'), ({ matchLabelExpressions = [] }, at) => {
    const here = at.child('matchLabelExpressions');
    const errors = validateExpressions(matchLabelExpressions, here);
    const text = JSON.stringify(
      matchLabelExpressions.map(({ key, values }) => [key, [...(values ?? [])].sort()]).sort(),
    );
    if (seen.has(text)) errors.push(duplicate(here, ''));
    seen.add(text);
    return errors;
  });
}

function validateExpressions(list: NonNullable<TopologyTerm['matchLabelExpressions']>, at: FieldPath): FieldError[] {
  const keys = new Set<string>();
  return eachOf(list, at, ({ key = '', values = [] }, here) => {
    const twice = keys.has(key);
    keys.add(key);
    return [
      ...qualifiedName(key).map((problem) => invalidValue(here.child('key'), key, problem)),
      ...(twice ? [duplicate(here.child('key'), key)] : []),
      ...(values.length === 0 ? [required(here.child('values'))] : []),
      ...eachOf(values, here.child('values'), (value, spot, position) =>
        values.indexOf(value) < position ? [duplicate(spot, value)] : [],
      ),
    ];
  });
}

const validate = (object: StorageClass): FieldError[] => [
  ...provisionerName(object.provisioner, FieldPath.of('provisioner')),
  ...validateParameters(object.parameters),
  ...oneOf(object.reclaimPolicy || undefined, ['Delete', 'Retain'], FieldPath.of('reclaimPolicy')),
  ...requiredOneOf(object.volumeBindingMode, ['Immediate', 'WaitForFirstConsumer'], FieldPath.of('volumeBindingMode')),
  ...validateTopologies(object.allowedTopologies),
];

function validateUpdate(next: StorageClass, previous: StorageClass, { emptied }: WriteContext): FieldError[] {
  const fixed = (['parameters', 'provisioner', 'reclaimPolicy'] as const)
    .filter((field) => emptied.has(field) || !sameValue(next[field] ?? {}, previous[field] ?? {}))
    .map((field) => forbiddenField(field, `updates to ${field} are forbidden.`));
  return [
    ...fixed,
    ...immutable(next.volumeBindingMode, previous.volumeBindingMode, FieldPath.of('volumeBindingMode')),
  ];
}

const defaultAnnotations = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

const isDefault = ({ metadata }: KubeObject) =>
  defaultAnnotations.some((name) => metadata.annotations?.[name] === 'true');

export const storageClass = defineKind<StorageClass>({
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'StorageClass',
  resource: 'storageclasses',
  deleteAnswersObject: true,
  default(object) {
    object.reclaimPolicy ??= 'Delete';
    object.volumeBindingMode ??= 'Immediate';
  },
  validate,
  validateUpdate,
  table: {
    columns: [
      nameColumn,
      column('Provisioner'),
      column('ReclaimPolicy'),
      column('VolumeBindingMode'),
      column('AllowVolumeExpansion'),
      ageColumn,
    ],
    cells: (object, now) => [
      isDefault(object) ? `${object.metadata.name} (default)` : object.metadata.name,
      object.provisioner,
      object.reclaimPolicy ?? 'Delete',
      object.volumeBindingMode ?? '<unset>',
      object.allowVolumeExpansion === true,
      age(object, now),
    ],
  },
});
