import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../../../fixtures/temporary-folder.fixture.ts';
import { policies } from '../../../webhooks/policies/index.ts';
import { pathOf } from '../../../webhooks/policy.ts';
import { selfSigned } from '../../../webhooks/self-signed.ts';
import { serve } from '../../../webhooks/serve.ts';
import { judgeFace } from '../face.ts';
import { playParty } from '../play.ts';
import { webhookParty } from './party.ts';

const options = { timeout: 20_000, workers: 4, verbose: false };

test.each(policies.map((policy) => [policy.name, policy] as const))(
  'our own %s keeps every rule',
  async (_, policy) => {
    const keyPair = await selfSigned(['127.0.0.1']);
    const server = await serve({ policies, address: '127.0.0.1', port: 0, keyPair, report: () => undefined });
    onTestFinished(() => server.stop());
    const candidate = { url: `https://127.0.0.1:${server.port}${pathOf(policy)}`, authority: keyPair.cert };
    const { results } = await playParty(webhookParty, candidate, webhookParty.rules, options);
    const broken = results.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'skipped');
    expect(broken.map(({ id, finding }) => [id, finding?.message])).toEqual([]);
    expect(results.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThanOrEqual(11);
  },
);

test.each([
  ['counts-on', 'webhook.author.idempotent'],
  ['fails-on-garbage', 'webhook.refuses-garbage'],
  ['own-uid', 'webhook.answer.uid'],
  ['needs-object', 'webhook.bears.operations'],
])('a bad one that %s breaks %s', async (fault, id) => {
  const { candidate, stop } = await webhookParty.specimen(fault);
  onTestFinished(stop);
  const rules = webhookParty.rules.filter((rule) => rule.id === id);
  const [result] = (await playParty(webhookParty, candidate, rules, options)).results;
  expect(result).toMatchObject({ id, verdict: 'fail', finding: { kind: 'assertion' } });
  expect(result?.exchanges.length).toBeGreaterThan(0);
});

test.each([undefined, 'needs-object', 'renames'])(
  'an API server asks one that %s',
  { timeout: 60_000 },
  async (fault) => {
    const { candidate, stop } = await webhookParty.specimen(fault);
    onTestFinished(stop);
    const rules = webhookParty.rules.filter(({ id }) => id === 'webhook.server.writes');
    const [result] = (await playParty(webhookParty, candidate, rules, options)).results;
    expect(result).toMatchObject(fault ? { verdict: 'fail', finding: { kind: 'assertion' } } : { verdict: 'pass' });
  },
);

test('the command judges by address and authority, and says when there is nothing', async () => {
  const said: string[] = [];
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((text) => Boolean(said.push(String(text))));
  onTestFinished(() => void vi.restoreAllMocks());
  const out = temporaryFolder(onTestFinished);
  const { candidate, stop } = await webhookParty.specimen();
  writeFileSync(join(out, 'ca.crt'), candidate.authority);
  const argv = ['--out', out, '--ca', join(out, 'ca.crt'), '--rule', 'webhook.answer.uid'];
  expect(await judgeFace(webhookParty, [...argv, '--url', candidate.url])).toBe(0);
  expect(JSON.parse(readFileSync(join(out, 'webhook.json'), 'utf8')).counts.pass).toBe(1);
  await stop();
  expect(await judgeFace(webhookParty, [...argv, '--url', candidate.url])).toBe(3);
  expect(await judgeFace(webhookParty, [...argv, '--url', 'http://127.0.0.1/'])).toBe(2);
  expect(await judgeFace(webhookParty, ['--url', candidate.url])).toBe(2);
  expect(said.join('')).toContain('cannot be asked');
});
