import { isJsonObject } from '../base/json-value.ts';
import type { KubeObject } from '../base/kube-object.ts';
import { compareQuantities, parseQuantity } from '../base/quantity.ts';

/** Nothing there: an empty list counts as none. A null that is kept is something: the zero time. */
const absent = (value: unknown) => value === undefined || (Array.isArray(value) && value.length === 0);

/** Members that are amounts, by what they stand in, and those whose own members are. */
const amounts: ReadonlySet<string> = new Set(['resourceFieldRef.divisor', 'emptyDir.sizeLimit']);
const amountsByName: ReadonlySet<string> = new Set(['capacity', 'limits', 'overhead', 'requests']);

/** `1Gi` and `1073741824` are one amount. */
function sameAmount(a: string, b: string): boolean {
  const [one, other] = [parseQuantity(a), parseQuantity(b)];
  return one !== undefined && other !== undefined && compareQuantities(one, other) === 0;
}

/**
 * Whether two decoded values mean the same: field order does not matter, nor how an amount is written; absent and an
 * empty list are equal. Work is proportional to the smaller value.
 */
export const sameValue = (a: unknown, b: unknown): boolean => sameMember(a, b, '', '');

function sameMember(a: unknown, b: unknown, key: string, holder: string): boolean {
  if (a === b || (absent(a) && absent(b))) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, position) => sameMember(item, b[position], '', ''));
  if (typeof a === 'string' && typeof b === 'string')
    return (amountsByName.has(holder) || amounts.has(`${holder}.${key}`)) && sameAmount(a, b);
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  for (const name of Object.keys(a))
    if (!sameMember(a[name], Object.hasOwn(b, name) ? b[name] : undefined, name, key)) return false;
  return Object.keys(b).every((name) => Object.hasOwn(a, name) || absent(b[name]));
}

/** When the generation of most kinds rises. */
export const specChanged = (next: KubeObject, previous: KubeObject): boolean => !sameValue(next.spec, previous.spec);
