import { invalidValue } from '../../base/field-error.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import {
  compileLabelSelector,
  type LabelRequirement,
  type LabelSelectorObject,
} from '../../base/selectors/label-selector.ts';
import { badRequest, internalError, invalid, type Subject } from '../../base/status-error.ts';
import type { KindTable } from '../kind-table.ts';
import type { SubresourceRules } from '../strategy.ts';
import { customScaleTable, scaleTable } from './scale-table.ts';

const apiVersion = 'autoscaling/v1';

/** Where `scale` finds its numbers. */
export interface ScalePaths {
  /** Dots in front, for example `.spec.replicas`. */
  readonly specReplicas: string;
  readonly statusReplicas: string;
  /** A label selector, as text or as a LabelSelector. */
  readonly selector?: string;
}

const usualPaths: ScalePaths = {
  specReplicas: '.spec.replicas',
  statusReplicas: '.status.replicas',
  selector: '.spec.selector',
};

/** The `scale` subresource of a built-in kind. `missing`: as of its document. */
const scaleOf = (missing?: (subject: Subject) => Subject): SubresourceRules => ({
  unownedFields: [],
  document: {
    group: 'autoscaling',
    version: 'v1',
    kind: 'Scale',
    read: (object) => scaleAt(usualPaths, object),
    show: (object) => scaleAt(usualPaths, object),
    put(object, document) {
      demandNumber(object, document);
      putReplicas(usualPaths, object, document);
    },
    field: usualPaths.specReplicas,
    hasOwners: true,
    table: scaleTable as KindTable,
    ...(missing && { missing }),
  },
});

const ofScale = ({ group, resource }: Subject): Subject => ({ group, resource: `${resource}/scale` });

export const scale = scaleOf(ofScale);

/** Where the object is missing, that is told. */
export const scaleOfObject = scaleOf();

/** Where the object is missing, its scale is told to be, by the group of scales. */
export const scaleOfGroup = scaleOf((subject) => ({ ...ofScale(subject), group: 'autoscaling' }));

/** The `scale` subresource of a custom kind, which judges the number with the rest of the object. */
export const customScale = (paths: ScalePaths): SubresourceRules => ({
  unownedFields: [],
  document: {
    group: 'autoscaling',
    version: 'v1',
    kind: 'Scale',
    read(object) {
      if (valueAt(object, paths.specReplicas) !== undefined) return scaleAt(paths, object);
      throw internalError(`the spec replicas field ${JSON.stringify(paths.specReplicas)} does not exist`);
    },
    show: (object) => scaleAt(paths, object),
    start: (object) => withMark(paths, object, scaleAt(paths, object)),
    put(object, document) {
      refuseMark(paths, document);
      putReplicas(paths, object, document);
    },
    field: paths.specReplicas,
    // The version of a Scale is none of a custom kind.
    hasOwners: false,
    table: customScaleTable as KindTable,
  },
});

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

/** What a Scale says of an object. A write through it may bring the number that the object lacks. */
function scaleAt(paths: ScalePaths, object: KubeObject): KubeObject {
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

/** Stands in a Scale for the number that a custom object lacks, so that it shows whether a patch brings one. */
const unset = -(2 ** 31);

const withMark = ({ specReplicas }: ScalePaths, object: KubeObject, document: KubeObject): KubeObject =>
  valueAt(object, specReplicas) === undefined ? { ...document, spec: { replicas: unset } } : document;

/** @throws 400 */
function refuseMark({ specReplicas }: ScalePaths, document: KubeObject): void {
  if (wantedNumber(document) !== unset) return;
  throw badRequest(`the spec replicas field ${JSON.stringify(specReplicas)} cannot be empty`);
}

const wantedNumber = (document: KubeObject) => valueAt(document, '.spec.replicas') ?? 0;

/** @throws 422 */
function demandNumber({ metadata }: KubeObject, document: KubeObject): void {
  const replicas = wantedNumber(document);
  if (typeof replicas === 'number' && replicas >= 0) return;
  const error = invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0');
  throw invalid({ group: 'autoscaling', resource: 'Scale' }, metadata.name ?? '', [error]);
}

function putReplicas({ specReplicas }: ScalePaths, object: KubeObject, document: KubeObject): void {
  putAt(object, specReplicas, wantedNumber(document));
  object.metadata.resourceVersion = document.metadata.resourceVersion;
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
