import { type FieldError, invalidValue, required } from '../base/field-error.ts';
import type { FieldPath } from '../base/field-path.ts';
import { isInteger, isJsonObject } from '../base/json-value.ts';
import type { Json, KubeObject } from '../base/kube-object.ts';
import type { ScalePaths } from '../kinds/autoscaling/scale.ts';
import type { DefinitionVersion, ScaleSubresource } from './definition-shape.ts';
import { dottedNames, valueAt } from './dotted-path.ts';

/** Where a version finds the numbers of its scale subresource, if it has one. */
export function scalePathsOf({ subresources }: DefinitionVersion): ScalePaths | undefined {
  const scale = subresources?.scale;
  if (!scale?.specReplicasPath || !scale.statusReplicasPath) return undefined;
  return {
    specReplicas: scale.specReplicasPath,
    statusReplicas: scale.statusReplicasPath,
    ...(scale.labelSelectorPath && { selector: scale.labelSelectorPath }),
  };
}

const largest = 2 ** 31 - 1;

/** Besides the schema: what the scale subresource shows must be numbers of replicas and a text. */
export const validateScale = (
  object: KubeObject,
  { specReplicas, statusReplicas, selector }: ScalePaths,
): FieldError[] => [
  ...placeErrors(object, specReplicas, numberComplaint, 0),
  ...placeErrors(object, statusReplicas, numberComplaint, 0),
  ...(selector ? placeErrors(object, selector, textComplaint, '') : []),
];

/** `zero`: shown where nothing can be found. */
function placeErrors(
  object: KubeObject,
  path: string,
  complaint: (value: Json) => string | undefined,
  zero: Json,
): FieldError[] {
  const names = dottedNames(path);
  const value = valueAt(object, names) ?? null;
  const wrong = value === null ? wayComplaint(object, names) : complaint(value);
  return wrong ? [invalidValue(path, value ?? zero, wrong)] : [];
}

/** On the way to a value there are objects, or there is nothing. */
function wayComplaint(object: KubeObject, names: readonly string[]): string | undefined {
  const way = names.map((_, i) => valueAt(object, names.slice(0, i)));
  const found = way.some((value) => value !== undefined && value !== null && !isJsonObject(value));
  return found ? 'should be below objects alone' : undefined;
}

function numberComplaint(value: Json): string | undefined {
  if (!isInteger(value)) return 'should be an integer';
  if (value < 0) return 'should be a non-negative integer';
  return value > largest ? `should be less than or equal to ${largest}` : undefined;
}

const textComplaint = (value: Json) => (typeof value === 'string' ? undefined : 'should be a text');

/** The rules for the paths that a definition gives. */
export function validateScalePaths(scale: ScaleSubresource, path: FieldPath): FieldError[] {
  const errors = [
    ...pathErrors(scale.specReplicasPath, path.child('specReplicasPath'), ['.spec.'], 'under .spec'),
    ...pathErrors(scale.statusReplicasPath, path.child('statusReplicasPath'), ['.status.'], 'under .status'),
  ];
  const { labelSelectorPath } = scale;
  if (!labelSelectorPath) return errors;
  const at = path.child('labelSelectorPath');
  return [...errors, ...pathErrors(labelSelectorPath, at, ['.spec.', '.status.'], 'under either .spec or .status')];
}

function pathErrors(given: string | undefined, at: FieldPath, roots: readonly string[], where: string): FieldError[] {
  if (!given) return [required(at)];
  if (!given.startsWith('.')) return [invalidValue(at, given, 'must be a simple json path starting with .')];
  return roots.some((root) => given.startsWith(root))
    ? []
    : [invalidValue(at, given, `should be a json path ${where}`)];
}
