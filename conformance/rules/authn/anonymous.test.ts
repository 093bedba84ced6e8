import { Agent } from 'undici';
import { expect, test } from 'vitest';
import { startServer } from '../../../server/start.ts';
import { judge } from '../../runner/judge.ts';
import rules from './anonymous.rules.ts';

const judged = ['authn.anonymous.user', 'authn.anonymous.default'];

/** What is found of these rules at a server with these options. */
async function verdicts(options: Parameters<typeof startServer>[0]): Promise<string[]> {
  const server = await startServer(options);
  const own = new Agent({ connect: { rejectUnauthorized: false } });
  try {
    const target = { url: server.url, token: server.adminToken, capabilities: [], version: 'v1.25.0' };
    const waits = { timeout: 60_000, patience: 5_000, keep: false };
    const found: string[] = [];
    for (const rule of rules.filter(({ id }) => judged.includes(id))) {
      found.push((await judge(rule, target, { agents: { own, anonymous: own }, ...waits })).verdict);
    }
    return found;
  } finally {
    await own.close();
    await server.stop();
  }
}

test('a server that allows all to all needs no anonymous users', async () => {
  expect(await verdicts({ authorizationMode: ['AlwaysAllow'] })).toEqual(['skipped', 'skipped']);
});

test('any other needs them', async () => {
  expect(await verdicts({ anonymousAuth: false })).toEqual(['fail', 'fail']);
});
