import { type FieldError, forbiddenField, invalidValue, required } from '../../base/field-error.ts';
import type { FieldPath } from '../../base/field-path.ts';
import { qualifiedName } from '../../base/names.ts';
import { compareAmounts, isWhole, signOf, wholeOf } from '../quantity-text.ts';
import type { Quantities, ResourceRequirements } from './pod/shape.ts';

/** Names of resources (cpu, memory, example.com/gpu) and the amounts asked of them. */

const computeResources = ['cpu', 'memory', 'ephemeral-storage'];

const countedObjects = [
  'pods',
  'services',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
];

const quotaResources = new Set([
  ...countedObjects,
  ...computeResources,
  'requests.storage',
  ...computeResources.flatMap((name) => [`requests.${name}`, `limits.${name}`]),
]);

const isQuotaOfHugePages = (name: string) => isHugePages(name) || name.startsWith('requests.hugepages-');

export const isStandardQuotaResource = (name: string) => quotaResources.has(name) || isQuotaOfHugePages(name);

const standardResources = new Set([...quotaResources, 'storage']);
const containerResources = new Set(computeResources);

/** Resources that count objects or devices and so have no fractions. */
const integerResources = new Set(countedObjects);

const isHugePages = (name: string) => name.startsWith('hugepages-');
const isNative = (name: string) => !name.includes('/') || name.includes('kubernetes.io/');

/** A vendor's resource: with a domain that is not ours, and not with the quota prefix. */
export function isExtendedResource(name: string): boolean {
  return !isNative(name) && !name.startsWith('requests.') && qualifiedName(`requests.${name}`).length === 0;
}

const isInteger = (name: string) => integerResources.has(name) || isExtendedResource(name);

/** Requests may be below limits; only for resources that can be shared out. */
export const overcommits = (name: string) => isNative(name) && !isHugePages(name);

const nameForm = (name: string, at: FieldPath): FieldError[] => {
  const problems = qualifiedName(name).map((problem) => invalidValue(at, name, problem));
  if (problems.length > 0) return problems;
  return name.includes('/') || standardResources.has(name) || isQuotaOfHugePages(name)
    ? []
    : [invalidValue(at, name, 'must be a standard resource type or fully qualified')];
};

export function containerResourceName(name: string, at: FieldPath): FieldError[] {
  const errors = nameForm(name, at);
  if (!name.includes('/')) {
    if (!containerResources.has(name) && !isHugePages(name))
      errors.push(invalidValue(at, name, 'must be a standard resource for containers'));
  } else if (!isNative(name) && !isExtendedResource(name))
    errors.push(invalidValue(at, name, "doesn't follow extended resource name standard"));
  return errors;
}

export function quotaResourceName(name: string, at: FieldPath): FieldError[] {
  const errors = nameForm(name, at);
  if (name.startsWith('count/')) return errors;
  if (!name.includes('/') && !isStandardQuotaResource(name))
    errors.push(invalidValue(at, name, 'must be a standard resource for quota'));
  return errors;
}

export function limitRangeResourceName(name: string, type: string, at: FieldPath): FieldError[] {
  return type === 'Pod' || type === 'Container' ? containerResourceName(name, at) : nameForm(name, at);
}

export const quantityNotNegative = (quantity: string, at: FieldPath): FieldError[] =>
  signOf(quantity) < 0 ? [invalidValue(at, quantity, 'must be greater than or equal to 0')] : [];

/** The size of a volume, of whatever it is told: not negative, which what does not fit into 64 bits turns to be. */
export const volumeSize = (quantity: string, at: FieldPath): FieldError[] =>
  signOf(quantity) < 0 || BigInt.asIntN(64, wholeOf(quantity)) < 0n
    ? [invalidValue(at, quantity, 'must be a valid resource quantity')]
    : [];

export const quantityPositive = (quantity: string, at: FieldPath): FieldError[] =>
  signOf(quantity) <= 0 ? [invalidValue(at, quantity, 'must be greater than zero')] : [];

/** An amount of a resource: not negative, and whole for what cannot be split. */
export const resourceAmount = (name: string, quantity: string, at: FieldPath): FieldError[] => [
  ...quantityNotNegative(quantity, at),
  ...(isInteger(name) && !isWhole(quantity) ? [invalidValue(at, quantity, 'must be an integer')] : []),
];

export const resourceAmounts = (
  amounts: Quantities | undefined,
  nameRule: (name: string, at: FieldPath) => FieldError[],
  at: FieldPath,
): FieldError[] =>
  Object.entries(amounts ?? {}).flatMap(([name, quantity]) => [
    ...nameRule(name, at.key(name)),
    ...resourceAmount(name, quantity, at.key(name)),
  ]);

/** Huge pages come in whole pages, whose size is in their name. */
function wholePages(name: string, quantity: string, at: FieldPath): FieldError[] {
  if (!isHugePages(name)) return [];
  const page = name.slice('hugepages-'.length);
  const size = isWhole(page) ? wholeOf(page) : 0n;
  return size > 0n && signOf(quantity) >= 0 && wholeOf(quantity) % size === 0n
    ? []
    : [invalidValue(at, quantity, `must be a multiple of the size of ${name}`)];
}

/** Requests and limits of a container or claim, and how they fit together. */
export function validateRequirements(
  { limits = {}, requests = {} }: ResourceRequirements,
  nameRule: (name: string, at: FieldPath) => FieldError[],
  at: FieldPath,
): FieldError[] {
  const errors = Object.entries(limits).flatMap(([name, quantity]) => {
    const here = at.child('limits').key(name);
    return [...nameRule(name, here), ...resourceAmount(name, quantity, here), ...wholePages(name, quantity, here)];
  });
  for (const [name, quantity] of Object.entries(requests)) {
    const here = at.child('requests').key(name);
    errors.push(...nameRule(name, here), ...resourceAmount(name, quantity, here), ...wholePages(name, quantity, here));
    const limit = Object.hasOwn(limits, name) ? limits[name] : undefined;
    errors.push(...withinLimit(name, quantity, limit, at));
  }
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  if (names.some(isHugePages) && !names.some((name) => name === 'cpu' || name === 'memory'))
    errors.push(forbiddenField(at, 'HugePages require cpu or memory'));
  return errors;
}

function withinLimit(name: string, quantity: string, limit: string | undefined, at: FieldPath): FieldError[] {
  if (limit === undefined)
    return overcommits(name)
      ? []
      : [required(at.child('limits'), 'Limit must be set for non overcommitable resources')];
  const order = compareAmounts(quantity, limit);
  if (order !== 0 && !overcommits(name))
    return [invalidValue(at.child('requests'), quantity, `must be equal to ${name} limit of ${limit}`)];
  return order > 0 ? [invalidValue(at.child('requests'), quantity, `must be less than or equal to ${name} limit`)] : [];
}
