import { type FieldError, invalidValue, notSupported, required } from '../../../base/field-error.ts';
import type { FieldPath } from '../../../base/field-path.ts';
import { qualifiedName } from '../../../base/names.ts';
import { oneOf, requiredText } from '../../field-rules.ts';
import type { FieldRef, ResourceFieldRef } from './shape.ts';

/** What a container may be told about its own pod, by environment variables and by files. */

export const environmentFieldPaths = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.podIP',
  'status.podIPs',
] as const;

export const volumeFieldPaths = [
  'metadata.name',
  'metadata.namespace',
  'metadata.labels',
  'metadata.annotations',
  'metadata.uid',
] as const;

export const environmentResources = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
] as const;

export const volumeResources = environmentResources;

const subscript = /^(metadata\.(?:labels|annotations))\['(.*)'\]$/s;

export function validateFieldRef(ref: FieldRef, paths: readonly string[], at: FieldPath): FieldError[] {
  if (!ref.apiVersion) return [required(at.child('apiVersion'))];
  if (!ref.fieldPath) return [required(at.child('fieldPath'))];
  if (ref.apiVersion !== 'v1')
    return [invalidValue(at.child('fieldPath'), ref.fieldPath, 'is no field of this version')];
  const map = subscript.exec(ref.fieldPath);
  if (map?.[2] !== undefined) {
    // Keys of annotations may be written in any case.
    const key = map[1] === 'metadata.annotations' ? map[2].toLowerCase() : map[2];
    return qualifiedName(key).map((problem) => invalidValue(at, map[2], problem));
  }
  if (!knownPaths.has(ref.fieldPath))
    return [
      invalidValue(at.child('fieldPath'), ref.fieldPath, 'error converting fieldPath: field label not supported'),
    ];
  return oneOf(oldPaths[ref.fieldPath] ?? ref.fieldPath, [...paths].sort(), at.child('fieldPath'));
}

/** What fields were once called, and may still be. */
const oldPaths: Readonly<Record<string, string>> = { 'spec.host': 'spec.nodeName' };

const knownPaths = new Set<string>([
  ...environmentFieldPaths,
  ...volumeFieldPaths,
  ...Object.keys(oldPaths),
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
]);

const hugePages = (resource: string) => /^(limits|requests)\.hugepages-/.test(resource);

const cpuDivisors = ['1m', '1'];
const memoryDivisors = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'];

export function validateResourceFieldRef(
  { containerName, resource, divisor = '0' }: ResourceFieldRef,
  resources: readonly string[],
  inVolume: boolean,
  at: FieldPath,
): FieldError[] {
  const fit = validateDivisor(resource, divisor, at.child('divisor'));
  if (inVolume && !containerName) return [required(at.child('containerName')), ...fit];
  if (!resource) return requiredText(resource, at.child('resource'));
  return known(resource, resources) ? fit : [notSupported(at.child('resource'), resource, [...resources].sort())];
}

const known = (resource: string, resources: readonly string[]) => resources.includes(resource) || hugePages(resource);

/** Any divisor goes with what is no resource. */
function validateDivisor(resource = '', divisor: string, at: FieldPath): FieldError[] {
  if (divisor === '0' || divisor === '' || !known(resource, environmentResources)) return [];
  const allowed = resource.endsWith('.cpu') ? cpuDivisors : memoryDivisors;
  return allowed.includes(divisor) ? [] : [invalidValue(at, divisor, `only ${allowed.join(', ')} fit ${resource}`)];
}
