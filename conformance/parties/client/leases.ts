import { parse } from 'yaml';
import { merged } from '../../verbs/merged.ts';
import { patchTypes } from '../../verbs/patch-types.ts';
import { patched } from '../json-patch.ts';
import { failure, json } from './answers.ts';
import type { ClientContext } from './context.ts';
import type { Reply } from './replies.ts';
import type { Seen } from './scripted-server.ts';
import { namespace } from './world.ts';

const collection = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;

/** The Lease that candidates campaign for. */
export const leaseName = 'leader';

export interface LeaseSpec {
  readonly holderIdentity?: string | null;
  readonly leaseDurationSeconds?: number;
  readonly acquireTime?: string;
  readonly renewTime?: string;
  readonly leaseTransitions?: number;
}

export interface Lease {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace: string; readonly resourceVersion: string };
  readonly spec: LeaseSpec;
}

/** The one Lease of a server, and what is asked of it. */
export interface Leases {
  readonly lease: () => Lease | undefined;
  /** Somebody else writes it. */
  readonly write: (spec: LeaseSpec) => void;
  readonly reads: () => readonly Seen[];
  /** What the writes that were taken have made of it, with their times. */
  readonly taken: () => readonly { readonly at: number; readonly lease: Lease }[];
  /** All that were tried. */
  readonly tried: () => readonly Seen[];
}

/** A time as Leases have it, in microseconds. */
export const microTime = (milliseconds: number): string => new Date(milliseconds).toISOString().replace('Z', '000Z');

const isLease = ({ path }: Seen): boolean => path === collection || path === `${collection}/${leaseName}`;

/** Serves the Lease: it is made, read, replaced, patched and applied. */
export function serveLease({ whim, server }: Pick<ClientContext, 'whim' | 'server'>): Leases {
  let lease: Lease | undefined;
  let version = 100;
  const taken: { at: number; lease: Lease }[] = [];
  const store = ({ metadata, spec }: Pick<Lease, 'spec'> & { readonly metadata?: object }): Lease => {
    version += 1;
    const own = { name: leaseName, namespace, resourceVersion: String(version), uid: 'u-leader' };
    lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { ...metadata, ...own }, spec };
    return lease;
  };
  whim((seen) => {
    if (!isLease(seen)) return undefined;
    if (seen.method === 'GET') return lease ? json(lease) : notFound;
    const wish = wishOf(seen, lease);
    if ('body' in wish) return wish;
    const status = lease ? 200 : 201;
    taken.push({ at: seen.at, lease: store(wish) });
    return json(lease, status);
  });
  const asked = (isMeant: (seen: Seen) => boolean) => (): readonly Seen[] =>
    server.seen.filter((seen) => isLease(seen) && isMeant(seen));
  return {
    lease: () => lease,
    write: (spec) => void store({ spec }),
    reads: asked(({ method }) => method === 'GET'),
    taken: () => taken,
    tried: asked(({ method }) => method !== 'GET'),
  };
}

const notFound = failure(404, 'NotFound', `leases.coordination.k8s.io "${leaseName}" not found`);
const conflict = 'the object has been modified; please apply your changes to the latest version';

/** What a write would have the Lease be, or why it cannot. */
function wishOf({ method, headers, body }: Seen, lease: Lease | undefined): Lease | Reply {
  if (method === 'POST')
    return lease ? failure(409, 'AlreadyExists', `leases "${leaseName}" already exists`) : JSON.parse(body);
  if (method !== 'PUT' && method !== 'PATCH') return failure(405, 'MethodNotAllowed', 'it is not played here');
  const wish = method === 'PUT' ? (JSON.parse(body) as Lease) : patchedBy(headers['content-type'] ?? '', body, lease);
  if ('body' in wish || !lease) return wish;
  const { resourceVersion } = wish.metadata;
  if (!resourceVersion) return failure(422, 'Invalid', 'metadata.resourceVersion: must be specified for an update');
  return resourceVersion === lease.metadata.resourceVersion ? wish : failure(409, 'Conflict', conflict);
}

/** The Lease as a patch of any type changes it; only an apply makes one. */
function patchedBy(type: string, body: string, lease: Lease | undefined): Lease | Reply {
  if (!lease) return type === patchTypes.apply ? parse(body) : notFound;
  if (type !== patchTypes.json) return merged(lease, parse(body)) as Lease;
  try {
    return patched(lease, JSON.parse(body)) as Lease;
  } catch (error) {
    return failure(422, 'Invalid', `the server rejected our request: ${(error as Error).message}`);
  }
}
