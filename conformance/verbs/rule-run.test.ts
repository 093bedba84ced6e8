import { Agent } from 'undici';
import { afterEach, expect, test } from 'vitest';
import { type FakeServer, startFakeServer } from '../fake-server.fixture.ts';
import type { Target } from '../target/target.ts';
import type { RuleRun } from './context.ts';
import { impersonation, makeRun } from './rule-run.ts';
import { certificateHeader } from './wire/outgoing.ts';

let fake: FakeServer;
const agent = new Agent();

afterEach(() => fake.stop());

async function runOn(parts: Partial<Target> = {}): Promise<RuleRun> {
  fake = await startFakeServer();
  const target = { url: fake.url, token: 'T', ...parts };
  return makeRun({
    ruleId: 'verbs.get',
    target,
    agents: { own: agent, anonymous: agent },
    keep: false,
    finalize: false,
    patience: 100,
    requestLimit: 1_000,
    webhookHost: '127.0.0.1',
  });
}

const last = () => fake.headersSeen.at(-1) ?? {};

test('as another user, requests carry who to act as', async () => {
  const { context } = await runOn();
  await context.as({ name: 'jane', groups: ['a', 'b'], uid: 'u', extra: { 'x/y': '1' } }).send('GET', '/api');
  expect(last()).toMatchObject({
    authorization: 'Bearer T',
    'impersonate-user': 'jane',
    'impersonate-group': 'a, b',
    'impersonate-uid': 'u',
    'impersonate-extra-x%2fy': '1',
  });
  await context.send('GET', '/api');
  expect(last()).not.toHaveProperty('impersonate-user');
});

test('what is not said of a user is not sent', () => {
  expect(impersonation({ name: 'jane' })).toEqual({ 'impersonate-user': 'jane' });
});

test('with another token only that one is sent', async () => {
  const { context } = await runOn();
  await context.withToken('other').send('GET', '/api');
  expect(last().authorization).toBe('Bearer other');
});

test('a client certificate replaces the token, and a proxy of ours is told of it', async () => {
  const { context } = await runOn({ proxied: true });
  const pair = { certificate: 'CERT', key: 'KEY' };
  await context.withCertificate(pair).send('GET', '/api');
  expect(last()).not.toHaveProperty('authorization');
  expect(JSON.parse(Buffer.from(String(last()[certificateHeader]), 'base64').toString())).toEqual(pair);
  await context.send('GET', '/api', { credentials: false });
  expect(last()[certificateHeader]).toBe('none');
});

test('what a report shows holds no client certificate', async () => {
  const { context, exchanges } = await runOn({ proxied: true });
  await context.withCertificate({ certificate: 'CERT', key: 'KEY' }).send('GET', '/api');
  expect(JSON.stringify(exchanges)).not.toContain(certificateHeader);
});

test('the lab is only for rules that need it', async () => {
  const { context } = await runOn();
  expect(() => context.lab).toThrow('needs the lab');
});

test('cleaning up is not part of what the rule did', async () => {
  const { context, exchanges, cleanUp } = await runOn();
  await context.secrets.create();
  const count = exchanges.length;
  await cleanUp();
  expect(exchanges).toHaveLength(count);
  expect(fake.requests.some((line) => line.startsWith('DELETE'))).toBe(true);
});

test('what a credential plugin gives is shown in the clean-up too, as what it gave at first may be over', async () => {
  const api = 'client.authentication.k8s.io/v1';
  const printed = JSON.stringify({ kind: 'ExecCredential', apiVersion: api, status: { token: 'fresh' } });
  const exec = { apiVersion: api, command: 'echo', args: [printed], interactiveMode: 'Never' };
  const held = { token: 'T', expires: 1 };
  const { context, cleanUp } = await runOn({ plugin: { exec, cluster: {}, folder: '.', held } });
  await context.namespace();
  await cleanUp();
  expect(fake.requests.some((request) => request.startsWith('DELETE'))).toBe(true);
  expect(new Set(fake.headersSeen.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer fresh']));
});
