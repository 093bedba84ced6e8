import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import { gunzipSync } from 'node:zlib';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeProtobuf } from '../schema/protobuf/protobuf.ts';
import { decodeYaml } from '../schema/yaml/yaml.ts';
import { type RunningServer, startServer } from '../start.ts';
import { objectKey } from '../store/object-keys.ts';
import { watchStandstill } from './standstill.fixture.ts';
import { configMap, configMaps } from './test-server.fixture.ts';

const count = 20_000;
let server: RunningServer;
let agent: Agent;
const standstill = watchStandstill();
beforeAll(async () => {
  server = await startServer();
  agent = new Agent({ connect: { ca: server.certificateAuthority }, allowH2: false });
  for (let n = 0; n < count; n++) {
    const name = `cm-${String(n).padStart(5, '0')}`;
    const metadata = { namespace: 'default', uid: `u${n}`, creationTimestamp: '2026-01-01T00:00:00Z' };
    const object = configMap(name, { text: 'x'.repeat(600), number: String(n) }, metadata);
    await server.store.create(objectKey({ group: '', resource: 'configmaps' }, 'default', name), object as never);
  }
});
afterAll(async () => {
  await agent.destroy();
  await server.stop();
});

async function read(path: string, headers: Record<string, string> = {}) {
  const authorization = `Bearer ${server.adminToken}`;
  const answer = await request(server.url + path, { dispatcher: agent, headers: { authorization, ...headers } });
  const chunks: Buffer[] = [];
  for await (const chunk of answer.body) chunks.push(chunk);
  expect(answer.statusCode).toBe(200);
  return { headers: answer.headers, bytes: Buffer.concat(chunks) };
}

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const partial = 'as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
type List = { kind: string; items?: { metadata: { name: string } }[]; rows?: { cells: unknown[] }[] };

const forms: readonly [name: string, accept: string, query: string, read: (bytes: Buffer) => unknown][] = [
  ['JSON', 'application/json', '', (bytes) => JSON.parse(String(bytes))],
  ['JSON for people', 'application/json', '?pretty=1', (bytes) => JSON.parse(String(bytes))],
  ['YAML', 'application/yaml', '', async (bytes) => (await decodeYaml(bytes)).value],
  ['protobuf', 'application/vnd.kubernetes.protobuf', '', decodeProtobuf],
  ['a table', table, '', (bytes) => JSON.parse(String(bytes))],
  ['metadata alone', `application/json;${partial}`, '', (bytes) => JSON.parse(String(bytes))],
  ['metadata in protobuf', `application/vnd.kubernetes.protobuf;${partial}`, '', decodeProtobuf],
];

describe.each(forms)('a list in pieces: %s', (form, accept, query, decode) => {
  it('holds everything, in order, and holds nobody up', async () => {
    standstill.take();
    const { bytes } = await read(configMaps + query, { accept });
    expect(standstill.take()).toBeLessThan(100);
    // A text of so much YAML is refused where it is read.
    if (form === 'YAML') return expect(String(bytes).match(/^ {2}metadata:$/gm)).toHaveLength(count);
    const list = (await decode(bytes)) as List;
    const names = list.items?.map(({ metadata }) => metadata.name) ?? list.rows?.map(({ cells }) => cells[0]);
    expect(names).toHaveLength(count);
    expect(names?.slice(-1)).toEqual(['cm-19999']);
    expect([...(names ?? [])].sort()).toEqual(names);
  });

  it('is the same in pages, which fit into one piece', async () => {
    const mark = query ? '&' : '?';
    const { bytes, headers } = await read(`${configMaps}${query}${mark}limit=3`, { accept });
    expect(Number(headers['content-length'])).toBe(bytes.length);
    const list = (await decode(bytes)) as List;
    expect((list.items ?? list.rows)?.length).toBe(3);
  });

  it('of nothing is a list still', async () => {
    const { bytes } = await read(configMaps.replace('default', 'empty') + query, { accept });
    const { kind, items, rows } = (await decode(bytes)) as List;
    expect(kind).toMatch(/List$|^Table$/);
    expect(items ?? rows ?? []).toEqual([]);
  });
});

describe('a long list', () => {
  it('is compressed where that is asked for, from 128 KiB', async () => {
    const zipped = await read(configMaps, { 'accept-encoding': 'gzip' });
    expect(zipped.headers['content-encoding']).toBe('gzip');
    const { bytes } = await read(configMaps);
    expect(gunzipSync(zipped.bytes).equals(bytes)).toBe(true);
    expect((await read(`${configMaps}?limit=10`, { 'accept-encoding': 'gzip' })).headers).not.toHaveProperty(
      'content-encoding',
    );
  });

  it('takes no room while nobody reads it, and ends with its reader', async () => {
    const { hostname: host, port } = new URL(server.url);
    const before = process.memoryUsage().rss;
    const sockets: TLSSocket[] = [];
    for (let n = 0; n < 30; n++) {
      const socket = connect({ host, port: Number(port), ca: server.certificateAuthority });
      await once(socket, 'secureConnect');
      socket.on('error', () => {});
      socket.pause();
      socket.write(`GET ${configMaps} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.adminToken}\r\n\r\n`);
      sockets.push(socket);
    }
    await new Promise((resolve) => setTimeout(resolve, 1000));
    // 30 lists of 16 MB each.
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
    for (const socket of sockets) socket.destroy();
    await server.settle();
  });
});

// The last one: it takes away what the others read.
it('a collection that is deleted at once holds nobody up', async () => {
  const headers = { authorization: `Bearer ${server.adminToken}` };
  standstill.take();
  const answer = await request(server.url + configMaps, { dispatcher: agent, method: 'DELETE', headers });
  await answer.body.dump({ limit: Number.POSITIVE_INFINITY });
  expect(standstill.take()).toBeLessThan(100);
  expect(answer.statusCode).toBe(200);
  expect(JSON.parse(String((await read(configMaps)).bytes)).items).toEqual([]);
});
