import { afterAll, beforeAll, expect, it } from 'vitest';
import { longestTurn, watchStandstill } from '../../stories/standstill.fixture.ts';
import { startTestServer, type TestServer } from '../../stories/test-server.fixture.ts';
import { configMaps, hook, install } from './webhook-stories.fixture.ts';

let server: TestServer;
const standstill = watchStandstill();
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

it('thousands of webhooks hold nobody up while all of them are asked at the same time', async () => {
  const url = 'https://127.0.0.1:1';
  const nobody = await hook({ url }, { clientConfig: { url }, failurePolicy: 'Ignore' });
  const names = Array.from({ length: 2000 }, (_, n) => `h${n}.example.com`);
  const hooks = names.map((name) => ({ ...nobody, name }));
  for (const configuration of ['one', 'two']) await install(server, 'validating', hooks, configuration);
  standstill.take();
  const { status } = await server.post(configMaps, { metadata: { name: 'asked' } });
  expect(standstill.take()).toBeLessThan(longestTurn);
  expect(status).toBe(201);
});
