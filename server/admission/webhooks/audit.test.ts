import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../../fixtures/temporary-folder.fixture.ts';
import { startTestServer, type TestServer } from '../../stories/test-server.fixture.ts';
import { patchOf, startTestWebhook, type TestWebhook } from './webhook-server.fixture.ts';
import { configMaps, hook, install, map } from './webhook-stories.fixture.ts';

const folder = temporaryFolder();
let server: TestServer;
const webhooks: TestWebhook[] = [];

beforeAll(async () => {
  const rule = (level: string, namespace: string) => ({
    level,
    namespaces: [namespace],
    resources: [{ group: '', resources: ['configmaps'] }],
  });
  const policy = {
    apiVersion: 'audit.k8s.io/v1',
    kind: 'Policy',
    omitStages: ['RequestReceived'],
    rules: [rule('Request', 'default'), rule('Metadata', 'kube-system'), { level: 'None' }],
  };
  writeFileSync(join(folder, 'policy'), JSON.stringify(policy));
  server = await startTestServer({ auditPolicyFile: join(folder, 'policy'), auditLogPath: join(folder, 'log') });
  webhooks.push(
    await startTestWebhook(() => ({ auditAnnotations: { seen: 'yes' } })),
    await startTestWebhook(() => patchOf({ op: 'add', path: '/data', value: { a: '1' } })),
    await startTestWebhook((_, response) => void response.destroy()),
  );
  const names = ['looks', 'changes', 'fails'];
  const more = { reinvocationPolicy: 'IfNeeded', failurePolicy: 'Ignore' };
  const hooks = webhooks.map((webhook, i) => hook(webhook, { name: `${names[i]}.example.com`, ...more }));
  await install(server, 'mutating', await Promise.all(hooks), 'audited');
});
afterAll(async () => {
  for (const webhook of webhooks) await webhook.close();
  await server.stop();
});

async function annotationsOf(path: string): Promise<Record<string, unknown>> {
  await server.post(path, map('one'));
  const lines = readFileSync(join(folder, 'log'), 'utf8').trim().split('\n');
  const { annotations } = JSON.parse(lines.at(-1) ?? '') as { annotations: Record<string, string> };
  const read = (text: string) => (text.startsWith('{') ? JSON.parse(text) : text);
  const own = Object.entries(annotations).filter(([key]) => key.includes('webhook') || key.includes('example.com'));
  return Object.fromEntries(own.map(([key, text]) => [key, read(text)]));
}

const at = (round: number, index: number) => `webhook.admission.k8s.io/round_${round}_index_${index}`;
const named = (name: string) => ({ configuration: 'audited', webhook: `${name}.example.com` });

it('the audit event tells which webhook changed what, round by round', async () => {
  expect(await annotationsOf(configMaps)).toEqual({
    'looks.example.com/seen': 'yes',
    [`mutation.${at(0, 0)}`]: { ...named('looks'), mutated: false },
    [`mutation.${at(0, 1)}`]: { ...named('changes'), mutated: true },
    [`mutation.${at(0, 2)}`]: { ...named('fails'), mutated: false },
    [`failed-open.mutation.${at(0, 2)}`]: 'fails.example.com',
    [`mutation.${at(1, 0)}`]: { ...named('looks'), mutated: false },
    [`patch.${at(0, 1)}`]: {
      ...named('changes'),
      patchType: 'JSONPatch',
      patch: [{ op: 'add', path: '/data', value: { a: '1' } }],
    },
  });
});

it('the content of patches is kept out below level Request', async () => {
  const keys = Object.keys(await annotationsOf('/api/v1/namespaces/kube-system/configmaps'));
  expect(keys).toContain(`mutation.${at(0, 1)}`);
  expect(keys.filter((key) => key.startsWith('patch.'))).toEqual([]);
});
