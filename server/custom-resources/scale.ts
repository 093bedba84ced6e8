import { type FieldError, invalidValue, required } from '../base/field-error.ts';
import type { FieldPath } from '../base/field-path.ts';
import { isInteger, shownValue } from '../base/json-value.ts';
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
export function validateScale(object: KubeObject, paths: ScalePaths): FieldError[] {
  const errors = [paths.specReplicas, paths.statusReplicas].flatMap((path) => replicasErrors(object, path));
  const selector = paths.selector && valueAt(object, dottedNames(paths.selector));
  if (paths.selector && selector !== undefined && selector !== null && typeof selector !== 'string') {
    errors.push(invalidValue(paths.selector, '', 'should be a text'));
  }
  return errors;
}

function replicasErrors(object: KubeObject, path: string): FieldError[] {
  const value = valueAt(object, dottedNames(path));
  if (value === undefined || value === null) return [];
  const wrong = complaint(value);
  return wrong
    ? [{ reason: 'FieldValueInvalid', field: path, text: `Invalid value: ${shownValue(value)}: ${wrong}` }]
    : [];
}

function complaint(value: Json): string | undefined {
  if (!isInteger(value)) return 'should be an integer';
  if (value < 0) return 'should be a non-negative integer';
  return value > largest ? `should be less than or equal to ${largest}` : undefined;
}

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
