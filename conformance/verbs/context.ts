import type { Expect } from '../assertions.ts';
import type { Capability } from '../capability.ts';
import type { KeyPair } from '../lab/certificates.ts';
import type { Lab } from '../lab/lab.ts';
import type { Query, Send } from './client.ts';
import type { Collection } from './collection.ts';
import type { Exchange } from './exchange.ts';
import type { KindName, KindPath } from './kinds.ts';
import type { WaitOptions } from './wait-until.ts';
import type { Watch } from './watch.ts';
import type { Workspace } from './workspace.ts';

/** Somebody to act as, by impersonation. */
export interface User {
  readonly name: string;
  readonly groups?: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, string | readonly string[]>>;
}

/** Requests as one user: raw ones by `send`, and each kind of the rule's namespace by name. */
export type Verbs = Readonly<Record<KindName, Collection>> & {
  readonly send: Send;
  /** A kind that is not listed, such as a custom one. */
  readonly kind: (at: KindPath) => Collection;
  readonly watch: (path: string, query?: Query, headers?: Readonly<Record<string, string>>) => Promise<Watch>;
};

/** All that a check may use. */
export type RuleContext = Verbs & {
  readonly expect: Expect;
  /** The same verbs as another user. */
  readonly as: (user: User) => Verbs;
  /** The same verbs with another bearer token. */
  readonly withToken: (token: string) => Verbs;
  /** The same verbs with a client certificate, and a token if one is given. */
  readonly withCertificate: (pair: KeyPair, token?: string) => Verbs;
  /** The lab that the server trusts; only for rules that need it. */
  readonly lab: Lab;
  /** The same verbs as a client of its own that reads a configuration file; nobody is at its keyboard. */
  readonly withKubeconfig: (file: string) => Verbs;
  /** Where the server is, as far as a configuration file tells of it. */
  readonly cluster: { readonly server: string; readonly 'certificate-authority-data'?: string };
  /** The name or address at which the server reaches this machine. */
  readonly webhookHost: string;
  /** The same on another server of the make, started with these flags; only for rules that need `flags`. */
  readonly start: (flags: readonly string[]) => Promise<RuleContext & { readonly stop: () => Promise<void> }>;
  readonly namespace: Workspace['namespace'];
  readonly extraNamespace: Workspace['extraNamespace'];
  readonly unique: Workspace['unique'];
  readonly later: Workspace['later'];
  /** Runs after all that, and even if the objects shall stay: for what is on this machine. */
  readonly release: (step: () => unknown) => void;
  readonly waitUntil: <T>(
    what: string,
    look: () => Promise<T>,
    accept: (seen: T) => boolean,
    options?: WaitOptions,
  ) => Promise<T>;
  /**
   * Once one server has heard of something: until all behind the address have. Where there is but one, at once. For what
   * cannot be tried again, as a write that is to be refused.
   */
  readonly allHeard: () => Promise<void>;
  /** How many milliseconds to wait for what should come at once. */
  readonly patience: number;
  /** How many for what takes several steps of others: a controller, or a follower of rights and types, hears of it late, and acts. */
  readonly longPatience: number;
  /** For what a genuine server does not keep either: a failure in here is only a warning. */
  readonly looser: (assertion: () => void | Promise<void>) => Promise<void>;
  /** Gives up without a verdict; the reason is shown. */
  readonly skip: (reason: string) => never;
  /** What the target can do. */
  readonly capabilities: readonly Capability[];
  /** As the target tells it, such as `v1.25.16`; empty where it tells none. */
  readonly version: string;
  /** A context for one cell of a matrix; forks of one lane share a namespace, and lane 0 shares the rule's own. */
  readonly fork: (lane: number, cell: string) => Fork;
};

/** A context of its own for a part of a rule; what it makes goes when the rule is done. */
export interface Fork {
  readonly context: RuleContext;
  readonly exchanges: readonly Exchange[];
  /** Whether its exchanges are wanted of a cell that held, too. */
  readonly verbose: boolean;
  /** Ends its watches. */
  readonly close: () => void;
}

/** A context with what it has recorded. */
export interface RuleRun {
  readonly context: RuleContext;
  readonly exchanges: Exchange[];
  readonly warnings: string[];
  /** Takes away what was made; gives a line for each thing that would not go. */
  readonly cleanUp: () => Promise<readonly string[]>;
  /** Ends what the check is doing: from now on only the clean-up reaches the target. */
  readonly stop: () => void;
  /** How many requests were made so far. */
  readonly requests: () => number;
}
