import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../stories/test-server.fixture.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const path = '/api/v1/componentstatuses';

describe('objects that nobody stores', () => {
  it('are read by name', async () => {
    const { status, body } = await server.get(`${path}/etcd-0`);
    expect([status, body.metadata.name, body.conditions[0].status]).toEqual([200, 'etcd-0', 'True']);
    expect((await server.get(`${path}/etcd-7`)).status).toBe(404);
  });

  it('are listed and selected', async () => {
    const names = async (query: string) =>
      (await server.get(path + query)).body.items.map((item: { metadata: { name: string } }) => item.metadata.name);
    expect(await names('')).toEqual(['scheduler', 'controller-manager', 'etcd-0']);
    expect(await names('?fieldSelector=metadata.name%3Detcd-0')).toEqual(['etcd-0']);
    expect(await names('?labelSelector=a')).toEqual([]);
  });

  it('cannot be made or removed', async () => {
    expect((await server.post(path, { metadata: { name: 'x' } })).status).toBe(405);
    expect((await server.delete(`${path}/etcd-0`)).status).toBe(405);
  });
});
