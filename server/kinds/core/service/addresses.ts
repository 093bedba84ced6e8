import type { KubeObject } from '../../../base/kube-object.ts';
import type { IpFamily } from './address-bits.ts';

/** What can be wrong with an address or port that somebody asks for. */
export type Refusal = 'outside' | 'taken';

/** Who asks: one write of one Service. A holder finds what it holds already free. */
export interface Claim {
  /** `namespace/name` */
  readonly holder: string;
  /** A dry run takes nothing and does not notice what is taken. */
  readonly dryRun: boolean;
  /** Told how to give back what was claimed, should the write not come about. */
  onAbandon(giveBack: () => void): void;
}

/**
 * The cluster addresses and node ports of all Services of a server.
 *
 * What is held follows from the Services that exist: `follow` is called for each change of one. Between a claim and
 * the write it is for, the claim alone holds the address, and no other write gets it, be it of the same Service.
 */
export interface ServiceAddresses {
  /** The families that have a range, the preferred first. */
  readonly families: readonly IpFamily[];
  /** The first address of the preferred family: that of the Service `kubernetes`. */
  readonly first: string;
  /** A free address of the family. Undefined when all are held. */
  pickAddress(family: IpFamily, claim: Claim): string | undefined;
  /** Claims a certain address. */
  takeAddress(address: string, claim: Claim): Refusal | undefined;
  /** A free node port, none of `except`. Undefined when all are held. */
  pickPort(claim: Claim, except: ReadonlySet<number>): number | undefined;
  takePort(port: number, claim: Claim): Refusal | undefined;
  /** A Service was created (`previous` missing), changed, or removed (`current` missing). */
  follow(previous: KubeObject | undefined, current: KubeObject | undefined): void;
}
