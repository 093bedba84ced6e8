import { invalidValue } from '../base/field-error.ts';
import type { KubeObject } from '../base/kube-object.ts';
import { compileLabelSelector, type LabelRequirement, type LabelSelectorObject } from '../base/label-selector.ts';
import { badRequest, internalError, invalid } from '../base/status-error.ts';
import type { ScalePaths } from '../kinds/strategy.ts';
import { structureOfKind } from '../schema/load.ts';
import type { StructType } from '../schema/structure.ts';
import type { Resource, ServedVersion } from './resource.ts';

const apiVersion = 'autoscaling/v1';

/** The structure of bodies of `/scale`. */
export function scaleVersion(): ServedVersion {
  const structure = structureOfKind('autoscaling', 'v1', 'Scale') as StructType;
  return { group: 'autoscaling', version: 'v1', apiVersion, kind: 'Scale', structure };
}

const partsOf = (path: string) => path.split('.').filter((part) => part !== '');

function valueAt(object: unknown, path: string): unknown {
  let value = object;
  for (const part of partsOf(path)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}

function selectorText(selector: unknown): string | undefined {
  if (typeof selector === 'string') return selector || undefined;
  if (typeof selector !== 'object' || selector === null) return undefined;
  const { requirements } = compileLabelSelector(selector as LabelSelectorObject);
  return (
    [...requirements]
      .sort((a, b) => (a.key < b.key ? -1 : 1))
      .map(requirementText)
      .join(',') || undefined
  );
}

function requirementText({ key, operator, values }: LabelRequirement): string {
  if (operator === 'Exists') return key;
  if (operator === 'DoesNotExist') return `!${key}`;
  if (operator === 'In' && values.length === 1) return `${key}=${values[0]}`;
  return `${key} ${operator === 'In' ? 'in' : 'notin'} (${[...values].sort().join(',')})`;
}

/** What `/scale` shows of an object. @throws 500 for a custom object without the number it is asked for */
export function scaleOf(resource: Resource, object: KubeObject): KubeObject {
  const { specReplicas } = pathsOf(resource);
  if (resource.custom && valueAt(object, specReplicas) === undefined) {
    throw internalError(`the spec replicas field ${JSON.stringify(specReplicas)} does not exist`);
  }
  return scaleToChange(resource, object);
}

/** What a write through `/scale` starts from: it may bring the number that the object lacks. */
export function scaleToChange(resource: Resource, object: KubeObject): KubeObject {
  const paths = pathsOf(resource);
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const replicas = valueAt(object, paths.specReplicas);
  const selector = paths.selector ? selectorText(valueAt(object, paths.selector)) : undefined;
  return {
    kind: 'Scale',
    apiVersion,
    metadata: {
      ...(name && { name }),
      ...(namespace && { namespace }),
      ...(uid && { uid }),
      ...(resourceVersion && { resourceVersion }),
      creationTimestamp: creationTimestamp ?? null,
    },
    spec: typeof replicas === 'number' && replicas !== 0 ? { replicas } : {},
    status: { replicas: Number(valueAt(object, paths.statusReplicas) ?? 0), ...(selector && { selector }) },
  };
}

/**
 * Puts the wanted number into a copy-owned object. In place.
 * @throws 422 for a negative number; custom kinds judge it with the rest of the object
 */
export function setReplicas(resource: Resource, object: KubeObject, scale: KubeObject): void {
  const replicas = valueAt(scale, '.spec.replicas') ?? 0;
  if (!resource.custom && (typeof replicas !== 'number' || replicas < 0)) {
    const error = invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0');
    throw invalid({ group: 'autoscaling', resource: 'Scale' }, object.metadata.name ?? '', [error]);
  }
  putAt(object, pathsOf(resource).specReplicas, replicas);
  object.metadata.resourceVersion = scale.metadata.resourceVersion;
}

function pathsOf(resource: Resource): ScalePaths {
  const paths = resource.rules.scale;
  if (!paths) throw badRequest(`${resource.plural} have no scale`);
  return paths;
}

/** Sets the value at a path, making what is missing on the way. In place. */
function putAt(object: object, path: string, value: unknown): void {
  const parts = partsOf(path);
  let holder = object as Record<string, unknown>;
  for (const part of parts.slice(0, -1)) {
    const inner = Object.hasOwn(holder, part) ? holder[part] : undefined;
    if (typeof inner !== 'object' || inner === null) holder[part] = {};
    holder = holder[part] as Record<string, unknown>;
  }
  holder[parts.at(-1) ?? ''] = value;
}
