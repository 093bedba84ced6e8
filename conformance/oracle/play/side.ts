import type { Target } from '../../target/target.ts';
import type { Client } from '../../verbs/client.ts';

/** One of the servers that are compared, connected. */
export interface Side {
  readonly target: Target;
  readonly client: Client;
  /** The value of the label that all it makes carries. */
  readonly run: string;
  /** Once aborted, what is under way is only cleaned up. */
  readonly stopped: AbortSignal;
  /** At which the server reaches webhooks on this machine. */
  readonly webhookHost: string;
  readonly close: () => Promise<void>;
}
