import { afterAll, beforeAll, expect, it } from 'vitest';
import { longestTurn, watchStandstill } from '../../stories/standstill.fixture.ts';
import { startTestServer, type TestServer } from '../../stories/test-server.fixture.ts';
import { patchOf, startTestWebhook, type TestWebhook } from './webhook-server.fixture.ts';
import { configMaps, hook, install } from './webhook-stories.fixture.ts';

let server: TestServer;
let webhook: TestWebhook;
const standstill = watchStandstill();
beforeAll(async () => {
  server = await startTestServer();
  webhook = await startTestWebhook();
  await install(server, 'mutating', [await hook(webhook)]);
});
afterAll(async () => {
  await webhook.close();
  await server.stop();
});

const finalizers = Array.from({ length: 20_000 }, (_, n) => `a.b/c${n}`);
const operations = Array.from({ length: 9_999 }, (_, n) => ({
  op: 'add',
  path: `/metadata/finalizers/${n}`,
  value: `b.b/c${n}`,
}));

it.each([
  ['that applies', '/metadata/finalizers/0', 201],
  ['whose last operation does not apply', '/metadata/none/0', 500],
])('a patch of 10,000 operations %s holds nobody up', async (_, path, code) => {
  const patch = patchOf(...operations, { op: 'remove', path });
  webhook.respond = () => patch;
  await server.post(`${configMaps}?dryRun=All`, { metadata: { name: 'warm' } });
  const body = JSON.stringify({ metadata: { name: 'long', finalizers } });
  standstill.take();
  const { status, body: answer } = await server.post(`${configMaps}?dryRun=All`, body);
  expect(standstill.take()).toBeLessThan(longestTurn);
  expect(status).toBe(code);
  if (code === 201) expect(answer.metadata.finalizers).toHaveLength(29_998);
  else expect(answer.message).toContain('operation 9999 of the patch, remove "/metadata/none/0", does not apply');
});
