import { badRequest, notFound } from '../base/status-error.ts';
import type { Stored } from '../store/store.ts';
import type { Call } from './call.ts';
import { keyOf, subjectOf, view } from './resource.ts';
import { waitForVersion } from './version-wait.ts';

/**
 * Reads one object: the newest state, or one not older than `resourceVersion` (`0`: any will do).
 * @throws 404 missing, 400 malformed version, 504 version not reached
 */
export async function get(
  call: Call,
  resourceVersion: string | undefined,
  subject = call.resource.plural,
): Promise<Stored> {
  const { resource, services } = call;
  const asked = parseVersion(resourceVersion);
  if (asked > 0) await waitForVersion(services, asked);
  const stored = await services.store.get(keyOf(resource, call.namespace, call.name), {
    any: Boolean(resourceVersion),
  });
  if (!stored) throw notFound({ ...subjectOf(resource), resource: subject }, call.name);
  return view(resource, stored);
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
