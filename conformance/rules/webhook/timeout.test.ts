import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, type Dispatcher } from 'undici';
import { expect, test } from 'vitest';
import { startServer } from '../../../server/start.ts';
import type { Rule } from '../../rule.ts';
import { judge } from '../../runner/judge.ts';
import rules from './timeout.rules.ts';

/** Longer than half of what a refusal may take on a line that is quick. */
const lateness = 1_700;

/** Each request for a Secret takes long. */
const late: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  const begin = async (): Promise<void> => {
    if (String(options.path).endsWith('/secrets')) await sleep(lateness);
    dispatch(options, handler);
  };
  void begin();
  return true;
};

test('a line on which all takes long is no fault of a server that gives up in time', async () => {
  const server = await startServer();
  const agent = new Agent({ connect: { rejectUnauthorized: false } });
  try {
    const rule = rules.find(({ id }) => id === 'webhook.timeout.enforced') as Rule;
    const target = {
      url: server.url,
      token: server.adminToken,
      capabilities: ['webhooks'],
      version: 'v1.25.0',
    } as const;
    const own = agent.compose(late);
    const waits = { timeout: 60_000, patience: 5_000 + 20 * lateness, keep: false };
    const { verdict, finding } = await judge(rule, target, { agents: { own, anonymous: own }, ...waits });
    expect([verdict, finding?.message]).toEqual(['pass', undefined]);
  } finally {
    await agent.close();
    await server.stop();
  }
});
