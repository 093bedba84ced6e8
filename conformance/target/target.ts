import type { Capability } from '../capability.ts';
import type { Plugin } from './credential-plugin.ts';
import type { Refusal } from './writes-refused.ts';

/** What is judged: an address and the credentials of an administrator. Plain data, so that workers can be told of it. */
export interface Target {
  /** Without a slash at the end. */
  readonly url: string;
  readonly token?: string;
  readonly username?: string;
  readonly password?: string;
  /** PEM texts. */
  readonly certificateAuthority?: string;
  readonly clientCertificate?: string;
  readonly clientKey?: string;
  readonly serverName?: string;
  readonly insecure?: boolean;
  /** Reached through a proxy of ours, which shows the client certificate on our behalf. */
  readonly proxied?: boolean;
  /** Gives the credentials. */
  readonly plugin?: Plugin;
}

/** A target together with what was found out about it. */
export interface KnownTarget extends Target {
  readonly capabilities: readonly Capability[];
  /** Milliseconds that it takes to answer the least of questions. */
  readonly roundTrip?: number;
  /** How many servers there are behind its address, as they tell; 1 unless given. */
  readonly servers?: number;
  /** Milliseconds after which others of the cluster have done with a new namespace; missing: nobody writes them. */
  readonly tended?: number;
  /** By its own account the caller may not do everything: what is refused for that is not judged. */
  readonly narrow?: boolean;
  /** How every write is refused before it comes to the server: where that is the answer, nothing is judged. */
  readonly refused?: Refusal;
  /** What it may have and others of its cluster keep the suite from: nothing is known of it, though it is claimed. */
  readonly withheld?: readonly Capability[];
  /** The server's own words about its version, for reports. */
  readonly version: string;
  /** What it lacks, and how that was seen. */
  readonly absent?: Partial<Record<Capability, string>>;
  /** Paths of collections that it does not have: where it answers 404 there, nothing is judged. */
  readonly unserved?: readonly string[];
  /** What it says it has: what is missing of this is a fault. */
  readonly claims?: readonly Capability[];
  /** Whether further servers of the same make can be started. */
  readonly launches?: boolean;
  /** What a further server has that is started with these flags, where the target itself lacks it. */
  readonly beside?: Beside;
  /** The folder of the lab whose services run beside the suite. */
  readonly labFolder?: string;
  /** The name or address at which the target reaches this machine; default: the loopback interface. */
  readonly webhookHost?: string;
}

/** A further server of the target's make. */
export interface Beside {
  readonly capabilities: readonly Capability[];
  readonly flags: readonly string[];
  /** What one can have in place of these, and the flags for it. */
  readonly more?: Partial<Record<Capability, readonly string[]>>;
  /** The one with these flags alone, where it runs already. */
  readonly target?: Target;
}

/** How curl reaches the target; `$CA`, `$CERT` and `$KEY` stand for PEM files. */
export function curlOptionsOf({ certificateAuthority, clientCertificate, insecure }: Target): readonly string[] {
  return [
    ...(insecure ? ['--insecure'] : []),
    ...(certificateAuthority && !insecure ? ['--cacert', '"$CA"'] : []),
    ...(clientCertificate ? ['--cert', '"$CERT"', '--key', '"$KEY"'] : []),
  ];
}

/** The same target for somebody without a client certificate. */
export function withoutCertificate({ clientCertificate: _, clientKey: __, ...target }: Target): Target {
  return target;
}
