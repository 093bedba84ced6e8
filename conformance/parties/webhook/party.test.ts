import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../../../fixtures/temporary-folder.fixture.ts';
import { policies } from '../../../webhooks/policies/index.ts';
import { pathOf } from '../../../webhooks/policy.ts';
import { selfSigned } from '../../../webhooks/self-signed.ts';
import { serve } from '../../../webhooks/serve.ts';
import { makeAuthority, makePair } from '../../lab/certificates.ts';
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
  ['dies-of-garbage', 'webhook.bears.garbage'],
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

test.each([undefined, 'needs-object', 'renames'])('an API server asks one that %s', async (fault) => {
  const { candidate, stop } = await webhookParty.specimen(fault);
  onTestFinished(stop);
  const rules = webhookParty.rules.filter(({ id }) => id === 'webhook.server.writes');
  const [result] = (await playParty(webhookParty, candidate, rules, options)).results;
  expect(result).toMatchObject(fault ? { verdict: 'fail', finding: { kind: 'assertion' } } : { verdict: 'pass' });
});

test('a patch may be written in any order, and a review may be what refuses', async () => {
  const authority = await makeAuthority('strangers');
  const { certificate: cert, key } = await makePair({ name: 'CN=webhook', usage: 'server' }, authority);
  const { url, stop } = await startStranger({ cert, key });
  onTestFinished(stop);
  const ids = ['webhook.author.idempotent', 'webhook.bears.dry-run', 'webhook.refuses-garbage'];
  const rules = webhookParty.rules.filter(({ id }) => ids.includes(id));
  const { results } = await playParty(webhookParty, { url, authority: authority.certificate }, rules, options);
  expect(results.map(({ id, verdict, finding }) => [id, verdict, finding?.message])).toEqual(
    rules.map(({ id }) => [id, 'pass', undefined]),
  );
});

test('a webhook is asked about nothing but what it is configured for', async () => {
  const { candidate, stop } = await webhookParty.specimen();
  onTestFinished(stop);
  const rules = webhookParty.rules.filter(({ id }) => id === 'webhook.answer.uid');
  const only = { url: candidate.url, authority: candidate.authority, resources: ['configmaps'] };
  const { results } = await playParty(webhookParty, only, rules, { ...options, verbose: true });
  const asked = results[0]?.exchanges.map(({ requestBody = '' }) => JSON.parse(requestBody).request.resource.resource);
  expect(new Set(asked)).toEqual(new Set(['configmaps']));
});

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
  expect(await judgeFace(webhookParty, [...argv, '--url', candidate.url, '--resource', 'gadgets'])).toBe(2);
  expect(said.join('')).toContain('cannot be asked');
});

/** A webhook as other libraries write them: operations in no order, and refusals of garbage in a review with 200. */
async function startStranger(keyPair: { readonly cert: string; readonly key: string }) {
  let turn = 0;
  const server = createServer(keyPair, async (request, response) => {
    const { kind, request: { uid = '', object = null } = {} } = ((await json(request).catch(() => undefined)) ??
      {}) as Review;
    const labels = object?.metadata?.labels ?? {};
    const operations = ['one', 'two'].map((name) => ({ op: 'add', path: `/metadata/labels/${name}`, value: 'yes' }));
    turn += 1;
    const missing = { op: 'add', path: '/metadata/labels', value: labels };
    const patch = [missing, ...(turn % 2 ? operations : operations.toReversed())];
    const bytes = Buffer.from(JSON.stringify(patch)).toString('base64');
    const refusal = { uid, allowed: false, status: { code: 400, message: 'that is no review' } };
    const changed = object?.metadata ? { patchType: 'JSONPatch', patch: bytes } : {};
    const answer = kind === 'AdmissionReview' && uid ? { uid, allowed: true, ...changed } : refusal;
    response.end(JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: answer }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = async () => void server.close().closeAllConnections();
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/`, stop };
}

interface Review {
  readonly kind?: string;
  readonly request?: {
    readonly uid?: string;
    readonly object?: { readonly metadata?: { readonly labels?: object } } | null;
  };
}

test('an answer without an end is read no further than anybody would', async () => {
  const { cert, key } = await selfSigned(['127.0.0.1']);
  let sent = 0;
  const server = createServer({ cert, key }, (_, response) => {
    response.on('error', () => undefined);
    const more = () => {
      do sent += 1;
      while (response.write(Buffer.alloc(1 << 20)));
      response.once('drain', more);
    };
    more();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const candidate = { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/`, authority: cert };
  const fault = await Promise.resolve(webhookParty.inspect?.(candidate)).catch((error: Error) => error);
  expect(String(fault)).toContain('the answer goes on');
  expect(sent).toBeLessThan(64);
});
