import { Agent, type Dispatcher } from 'undici';
import { expect, test } from 'vitest';
import { startServer } from '../../../server/start.ts';
import type { Rule } from '../../rule.ts';
import { judge } from '../../runner/judge.ts';
import rules from './all.rules.ts';

/** Of the Leases that are created, and not only tried, the first comes to be, as where a server has not heard that their namespace goes. */
const behind: Dispatcher.DispatcherComposeInterceptor = (dispatch) => {
  let isFirst = true;
  return (options, handler) => {
    const path = String(options.path);
    if (!isFirst || options.method !== 'POST' || !path.endsWith('/leases')) return dispatch(options, handler);
    isFirst = false;
    return dispatch({ ...options, path: path.replace(/namespaces\/[^/]+/, 'namespaces/default') }, handler);
  };
};

test('a server that hears a little later than another of its address that a namespace goes is no fault', async () => {
  const server = await startServer();
  const agent = new Agent({ connect: { rejectUnauthorized: false } });
  try {
    const rule = rules.find(({ id }) => id === 'dryrun.all.admission') as Rule;
    const target = { url: server.url, token: server.adminToken, capabilities: [], version: 'v1.25.0' };
    const own = agent.compose(behind);
    const waits = { timeout: 60_000, patience: 5_000, keep: false };
    const { verdict, finding } = await judge(rule, target, { agents: { own, anonymous: own }, ...waits });
    expect([verdict, finding?.message]).toEqual(['pass', undefined]);
  } finally {
    await agent.close();
    await server.stop();
  }
});
