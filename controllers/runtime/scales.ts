import { ApiError } from './api-error.ts';
import type { Client } from './client.ts';
import { findKind } from './discovery.ts';
import { defineResource, type Resource, type Scale } from './resources.ts';

/** Whose scale it is: an object as others refer to it. */
export interface ScaleTarget {
  readonly apiVersion?: string;
  readonly kind: string;
  readonly name: string;
}

export interface FoundScale {
  /** Where the scale is written. */
  readonly resource: Resource<Scale>;
  readonly scale: Scale;
}

/**
 * How many pods an object wants and has, whatever kind it is.
 * @throws ApiError, not found where the object is gone, or its kind has no scale or is not served
 */
export async function scaleOf(
  client: Client,
  { apiVersion = '', kind, name }: ScaleTarget,
  namespace: string,
): Promise<FoundScale> {
  const found = await findKind(client, apiVersion, kind);
  if (!found) throw new ApiError(404, { message: `no kind ${kind} is served in ${apiVersion || 'v1'}` }, 'scale');
  const resource = defineResource<Scale>(found.group, found.version, found.plural, kind, found.namespaced);
  return { resource, scale: await client.get(resource, { namespace, name, part: 'scale' }) };
}
