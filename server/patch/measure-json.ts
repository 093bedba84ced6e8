import type { Json } from '../base/kube-object.ts';
import { ExcessivePatchError } from './patch-error.ts';

/**
 * About how many bytes a value takes as JSON.
 * @throws ExcessivePatchError it is nested deeper than `levels`
 */
export function measureJson(value: Json, levels: number): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 4;
  if (levels <= 0) throw new ExcessivePatchError('the patched object is nested too deep');
  let size = 2;
  if (Array.isArray(value)) {
    for (const each of value) size += 1 + measureJson(each, levels - 1);
    return size;
  }
  for (const key of Object.keys(value)) size += key.length + 4 + measureJson(value[key] as Json, levels - 1);
  return size;
}
