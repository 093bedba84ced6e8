import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../stories/test-server.fixture.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const path = '/apis/apps/v1/namespaces/default/daemonsets';
const labels = { app: 'a' };

const daemonSet = (generation: string) => ({
  metadata: { name: 'd', annotations: { 'deprecated.daemonset.template.generation': generation } },
  spec: {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
});

it.each(['x', '', '1.5', '99999999999999999999'])(
  'an annotation that stands for a number and is %j is none, and nothing is written',
  async (generation) => {
    const { status, body } = await server.post(path, daemonSet(generation));
    expect([status, body.reason]).toEqual([400, 'BadRequest']);
    expect(body.message).toContain('cannot be handled as a DaemonSet');
    expect((await server.get(`${path}/d`)).status).toBe(404);
  },
);

it('one that is a number counts, and stays as it was where another write says it wrongly', async () => {
  expect((await server.post(path, daemonSet('7'))).body.metadata.annotations).toEqual({
    'deprecated.daemonset.template.generation': '7',
  });
  expect((await server.put(`${path}/d`, daemonSet('x'))).status).toBe(400);
  expect((await server.get(`${path}/d`)).body.metadata.annotations).toEqual({
    'deprecated.daemonset.template.generation': '7',
  });
});
