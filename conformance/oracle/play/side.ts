import { type Target, withoutCertificate } from '../../target/target.ts';
import type { Client } from '../../verbs/client.ts';
import { type Agents, connect, makeClient } from '../../verbs/http-client.ts';

/** One of the servers that are compared, connected. */
export interface Side {
  readonly name: string;
  readonly target: Target;
  readonly agents: Agents;
  readonly client: Client;
  /** The value of the label that all it makes carries. */
  readonly run: string;
  /** Once aborted, what is under way is only cleaned up. */
  readonly stopped: AbortSignal;
  /** At which the server reaches webhooks on this machine. */
  readonly webhookHost: string;
  readonly close: () => Promise<void>;
}

/** How long a request may take, in milliseconds. */
const limit = 15_000;

type SideParts = Pick<Side, 'run' | 'stopped'> & Partial<Pick<Side, 'webhookHost'>>;

export function openSide(name: string, target: Target, { run, stopped, webhookHost }: SideParts): Side {
  const [own, anonymous] = [connect(target), connect(withoutCertificate(target))];
  const agents = { own, anonymous };
  const client = makeClient({
    target,
    agents,
    userAgent: 'touchstone/0.1 (comparing)',
    record: () => undefined,
    limit,
  });
  return {
    name,
    target,
    agents,
    client,
    run,
    stopped,
    webhookHost: webhookHost ?? '127.0.0.1',
    close: async () => void (await Promise.all([own.destroy(), anonymous.destroy()])),
  };
}
