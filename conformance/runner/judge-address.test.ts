import { Agent } from 'undici';
import { expect, test } from 'vitest';
import { makeAuthority, makePair } from '../lab/certificates.ts';
import type { RuleResult } from '../result.ts';
import { defineRule } from '../rule.ts';
import { answerStatus } from '../sabotage/transforms.ts';
import { startHttps } from '../target/https-target.fixture.ts';
import type { Target } from '../target/target.ts';
import { judge } from './judge.ts';

const rule = defineRule('health.livez', {
  sabotage: answerStatus(500),
  flags: ['--one'],
  check: async ({ send, expect }) => expect((await send('GET', '/livez')).status).toBe(200),
});

/** Judges a rule on a server that is started for it at this port, under an authority of its own. */
async function judgedAt(port: number): Promise<{ result: RuleResult; port: number }> {
  const authority = await makeAuthority('one of several');
  const pair = await makePair({ name: 'CN=server', usage: 'server', hosts: ['127.0.0.1'] }, authority);
  const server = await startHttps(pair, (_, response) => response.end('{}'), port);
  const started: Target = { url: server.url, certificateAuthority: authority.certificate };
  const own = new Agent();
  const result = await judge(
    rule,
    { url: 'http://127.0.0.1:9', capabilities: [], version: 'fake' },
    {
      agents: { own, anonymous: own },
      timeout: 5_000,
      patience: 200,
      keep: false,
      launcher: {
        take: async () => started,
        own: async () => ({ target: started, stop: async () => {} }),
        giveBack: () => {},
        stopAll: async () => {},
      },
    },
  );
  await Promise.all([server.stop(), own.close()]);
  return { result, port: Number(new URL(server.url).port) };
}

test('a server that is started where an earlier one was is known by its own authority', async () => {
  const first = await judgedAt(0);
  expect(first.result).toMatchObject({ verdict: 'pass' });
  expect((await judgedAt(first.port)).result).toMatchObject({ verdict: 'pass' });
});
