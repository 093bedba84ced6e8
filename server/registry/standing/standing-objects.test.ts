import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../stories/test-server.fixture.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

describe('what a cluster never is without', () => {
  it.each([
    ['the Service of the server', '/api/v1/namespaces/default/services/kubernetes'],
    ['the last FlowSchema', '/apis/flowcontrol.apiserver.k8s.io/v1beta2/flowschemas/catch-all'],
    ['the level of administrators', '/apis/flowcontrol.apiserver.k8s.io/v1beta2/prioritylevelconfigurations/exempt'],
  ])('%s is there again after its deletion', async (_, path) => {
    const before = (await server.get(path)).body;
    expect((await server.delete(path)).status).toBe(200);
    await expect.poll(async () => (await server.get(path)).status).toBe(200);
    const after = (await server.get(path)).body;
    expect(after.metadata.uid).not.toBe(before.metadata.uid);
    expect(after.spec).toEqual(before.spec);
  });

  it('others are gone for good', async () => {
    const path = '/apis/flowcontrol.apiserver.k8s.io/v1beta2/flowschemas/probes';
    expect((await server.delete(path)).status).toBe(200);
    await server.settle();
    expect((await server.get(path)).status).toBe(404);
  });
});
