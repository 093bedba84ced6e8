import type { Capability } from '../capability.ts';
import type { Lab } from '../lab/lab.ts';
import type { PluginMeddling } from '../target/credential-plugin.ts';
import type { Target } from '../target/target.ts';
import type { Refusal } from '../target/writes-refused.ts';
import type { Exchange } from './exchange.ts';
import type { Permit } from './guest/permit.ts';
import type { Agents } from './wire/connections.ts';
import type { Witness } from './witness.ts';

export interface ContextOptions {
  /** Keep the exchanges of cells that hold, too. */
  readonly verbose?: boolean;
  readonly ruleId: string;
  readonly target: Target;
  readonly agents: Agents;
  readonly keep: boolean;
  /** Whether namespaces must be finalized by us, because no controller does it. */
  readonly finalize: boolean;
  readonly patience: number;
  readonly requestLimit: number;
  readonly lab?: Lab;
  readonly webhookHost: string;
  readonly start?: (flags: readonly string[]) => Promise<Started>;
  readonly client?: PluginMeddling;
  /** What may be done to the target; everything unless given. */
  readonly permit?: Permit;
  readonly capabilities?: readonly Capability[];
  /** Of the target, as it tells it. */
  readonly version?: string;
  /** How many there are behind the target's address; 1 unless given. */
  readonly servers?: number;
  /** Milliseconds after which others of the cluster have done with a new namespace; missing: nobody writes them. */
  readonly tended?: number;
  /** By its own account the caller may not do everything. */
  readonly narrow?: boolean;
  /** How every write is answered where none gets through. */
  readonly refused?: Refusal;
  /** Paths of collections that nothing is judged by where they are not found. */
  readonly unserved?: readonly string[];
  /** Where to record, should somebody else record there, too. */
  readonly exchanges?: Exchange[];
  /** Hears all that the rule sends. */
  readonly witness?: Witness;
}

/** A server that runs for one rule. */
export type Started = Pick<ContextOptions, 'target' | 'agents'> & { readonly stop: () => Promise<void> };
