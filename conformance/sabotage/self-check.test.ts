import { Agent } from 'undici';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FakeServer, startFakeServer } from '../fake-server.fixture.ts';
import { defineRule, type Rule } from '../rule.ts';
import { type DeadServer, startDeadServers } from './dead-servers.ts';
import { checkTeeth, type TeethResult } from './self-check.ts';
import { answerStatus, notFound, replaceIn } from './transforms.ts';

let fake: FakeServer;
let dead: readonly DeadServer[];
const agent = new Agent();

beforeEach(async () => {
  fake = await startFakeServer();
  dead = await startDeadServers();
});

afterEach(async () => {
  await Promise.all(dead.map((server) => server.stop()));
  await fake.stop();
});

const teethOf = (rule: Rule): Promise<TeethResult> =>
  checkTeeth(rule, { url: fake.url, capabilities: [], version: 'fake' }, dead, {
    agents: { own: agent, anonymous: agent },
    timeout: 5_000,
    patience: 100,
    keep: false,
  });

const reads: Rule['check'] = async ({ secrets, expect }) => {
  const { metadata } = await secrets.create();
  const answer = await secrets.get(metadata.name);
  expect(answer.status).toBe(200);
  expect(answer.body.metadata.uid).toBe(metadata.uid);
};

const item = { method: 'GET', path: /\/secrets\/[^/]+$/ };

test('a rule that notices its sabotages, and trusts no dead server, is proven', async () => {
  const teeth = await teethOf(
    defineRule('verbs.get', { sabotage: [notFound(item), replaceIn('metadata.uid', item)], check: reads }),
  );
  expect(teeth).toMatchObject({ healthy: 'pass', problems: [] });
  expect(teeth.trials.map(({ verdict, finding }) => `${verdict}: ${finding?.kind}`)).toEqual([
    'fail: assertion',
    'fail: assertion',
  ]);
  expect(teeth.dead.map(({ verdict }) => verdict)).toEqual(['fail', 'fail', 'fail']);
});

test('a rule that does not notice its sabotage is not', async () => {
  const teeth = await teethOf(defineRule('verbs.get', { sabotage: replaceIn('data.colour', item), check: reads }));
  expect(teeth.problems).toEqual([expect.stringContaining('still passes when the server replaces data.colour')]);
});

test('failing by the way is not the right reason', async () => {
  const teeth = await teethOf(
    defineRule('verbs.get', { sabotage: answerStatus(500, { method: 'POST' }), check: reads }),
  );
  expect(teeth.problems).toEqual([expect.stringContaining('fails for another reason')]);
});

test('a rule that passes on a dead server is not proven', async () => {
  const check: Rule['check'] = async ({ send, expect }) => {
    const { status } = await send('GET', '/no/such/path');
    expect(status).toBe(404);
  };
  const teeth = await teethOf(defineRule('verbs.get', { sabotage: answerStatus(200), check }));
  expect(teeth.problems).toEqual(['passes on a server that answers 404 to everything']);
});

test('a rule that fails on a healthy target is not proven', async () => {
  const check: Rule['check'] = async ({ expect }) => expect(1).toBe(2);
  const teeth = await teethOf(defineRule('verbs.get', { sabotage: answerStatus(200), check }));
  expect(teeth.problems).toEqual([expect.stringContaining('does not pass without sabotage')]);
});

test('a rule that cannot be judged is not tried', async () => {
  const teeth = await teethOf(
    defineRule('verbs.get', { sabotage: answerStatus(200), needs: ['webhooks'], check: reads }),
  );
  expect(teeth).toMatchObject({ healthy: 'skipped', trials: [], dead: [], problems: [] });
});
