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
  readonly metadata: { readonly name: string; readonly namespace: string; readonly resourceVersion: string };
  readonly spec: LeaseSpec;
}

/** The one Lease of a server, and what is asked of it. */
export interface Leases {
  readonly lease: () => Lease | undefined;
  /** Somebody else writes it. */
  readonly write: (spec: LeaseSpec) => void;
  readonly reads: () => readonly Seen[];
  /** The writes that were taken, with their times. */
  readonly taken: () => readonly { readonly at: number; readonly sent: Lease }[];
  /** All that were tried. */
  readonly tried: () => readonly Seen[];
}

/** A time as Leases have it, in microseconds. */
export const microTime = (milliseconds: number): string => new Date(milliseconds).toISOString().replace('Z', '000Z');

const isLease = ({ path }: Seen): boolean => path === collection || path === `${collection}/${leaseName}`;

/** Serves the Lease: it is made, read and replaced. */
export function serveLease({ whim, server }: Pick<ClientContext, 'whim' | 'server'>): Leases {
  let lease: Lease | undefined;
  let version = 100;
  const taken: { at: number; sent: Lease }[] = [];
  const store = (spec: LeaseSpec, metadata: object = {}): Lease => {
    version += 1;
    const own = { name: leaseName, namespace, resourceVersion: String(version), uid: 'u-leader' };
    lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { ...metadata, ...own }, spec } as Lease;
    return lease;
  };
  const write = (seen: Seen): Reply => {
    const sent = JSON.parse(seen.body) as Lease;
    if (seen.method === 'POST' && lease)
      return failure(409, 'AlreadyExists', `leases.coordination.k8s.io "${leaseName}" already exists`);
    if (seen.method === 'PUT' && sent.metadata.resourceVersion !== lease?.metadata.resourceVersion)
      return failure(409, 'Conflict', 'the object has been modified; please apply your changes to the latest version');
    taken.push({ at: seen.at, sent });
    return json(store(sent.spec, sent.metadata), seen.method === 'POST' ? 201 : 200);
  };
  whim((seen) => {
    if (!isLease(seen)) return undefined;
    if (seen.method === 'POST' || seen.method === 'PUT') return write(seen);
    if (seen.method !== 'GET') return failure(405, 'MethodNotAllowed', 'it is not played here');
    return lease ? json(lease) : failure(404, 'NotFound', `leases.coordination.k8s.io "${leaseName}" not found`);
  });
  const asked = (isMeant: (seen: Seen) => boolean) => (): readonly Seen[] =>
    server.seen.filter((seen) => isLease(seen) && isMeant(seen));
  return {
    lease: () => lease,
    write: (spec) => void store(spec),
    reads: asked(({ method }) => method === 'GET'),
    taken: () => taken,
    tried: asked(({ method }) => method !== 'GET'),
  };
}
