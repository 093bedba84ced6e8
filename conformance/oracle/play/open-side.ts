import { type Target, withoutCertificate } from '../../target/target.ts';
import { type Agents, connect } from '../../verbs/wire/connections.ts';
import { clientOf } from '../../verbs/wire/plugin-client.ts';
import type { Side } from './side.ts';

/** A side with the connections that it was opened with; a file of its own, as users see the other and have no undici. */
export interface OpenSide extends Side {
  readonly agents: Agents;
}

/** How long a request may take, in milliseconds. */
const limit = 15_000;

type SideParts = Pick<Side, 'run' | 'stopped'> & Partial<Pick<Side, 'webhookHost'>>;

export function openSide(target: Target, { run, stopped, webhookHost }: SideParts): OpenSide {
  const [own, anonymous] = [connect(target), connect(withoutCertificate(target))];
  const agents = { own, anonymous };
  const client = clientOf({
    target,
    agents,
    userAgent: 'touchstone/0.1 (comparing)',
    record: () => undefined,
    limit,
  });
  return {
    target,
    agents,
    client,
    run,
    stopped,
    webhookHost: webhookHost ?? '127.0.0.1',
    close: async () => void (await Promise.all([own.destroy(), anonymous.destroy()])),
  };
}
