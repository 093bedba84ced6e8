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

  it.each([
    ['10.9.0.0/27', '10.9.0.1', 'IPv4'],
    ['fd00:9::/112,10.9.0.0/27', 'fd00:9::1', 'IPv6'],
  ])('the Service of the server has the first address of %s', async (serviceClusterIpRange, first, family) => {
    const other = await startTestServer({ serviceClusterIpRange });
    const services = '/api/v1/namespaces/default/services';
    expect((await other.get(`${services}/kubernetes`)).body.spec).toMatchObject({
      ...{ clusterIP: first, clusterIPs: [first], ipFamilies: [family], ipFamilyPolicy: 'SingleStack' },
    });
    const taken = { metadata: { name: 'x' }, spec: { clusterIP: first, ports: [{ port: 80 }] } };
    expect((await other.post(services, taken)).body.message).toContain('provided IP is already allocated');
    await other.stop();
  });

  it('others are gone for good', async () => {
    const path = '/apis/flowcontrol.apiserver.k8s.io/v1beta2/flowschemas/probes';
    expect((await server.delete(path)).status).toBe(200);
    await server.settle();
    expect((await server.get(path)).status).toBe(404);
  });
});
