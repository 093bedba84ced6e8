import { badRequest, notFound } from '../base/status-error.ts';
import type { Stored } from '../store/store.ts';
import { StoredValue } from '../store/stored-value.ts';
import type { Call } from './call.ts';
import { keyOf, pathKey, subjectOf, view, viewNow } from './resource.ts';
import { waitForVersion } from './version-wait.ts';

/**
 * Reads one object: the newest state, or one not older than `resourceVersion` (`0`: any will do).
 * @throws 404 missing, 400 malformed version, 504 version not reached
 */
export async function get(
  call: Call,
  resourceVersion: string | undefined,
  missing = subjectOf(call.resource),
): Promise<Stored> {
  const { resource, services } = call;
  const key = pathKey(resource, call.namespace, call.name);
  const asked = parseVersion(resourceVersion);
  if (asked > 0) await waitForVersion(services, asked, resource);
  const stored = resource.rules.computed
    ? (await computed(call)).find((each) => each.key === key)
    : await services.store.get(key, { any: Boolean(resourceVersion) });
  if (!stored) throw notFound(missing, call.name);
  return resourceVersion ? view(resource, stored) : viewNow(resource, stored);
}

/** All objects of a kind that is not stored; they have no version. */
export async function computed(call: Call): Promise<readonly Stored[]> {
  const { resource, services } = call;
  const objects = (await resource.rules.computed?.(services)) ?? [];
  return objects.map((value) => new StoredValue(keyOf(resource, '', value.metadata.name ?? ''), 0, value));
}

/** A resourceVersion of a request as a number; 0 when there is none. @throws 400 */
export function parseVersion(text: string | undefined): number {
  if (!text) return 0;
  if (/^\d{1,20}$/.test(text)) {
    const version = Number(text);
    if (version <= Number.MAX_SAFE_INTEGER) return version;
    if (BigInt(text) < 2n ** 64n) return Number.MAX_SAFE_INTEGER;
  }
  throw badRequest(`Invalid value: ${JSON.stringify(text)}: resourceVersion must be a 64-bit unsigned integer`);
}
