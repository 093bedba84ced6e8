import { connect } from 'node:http2';
import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { configMap, configMaps, startTestServer, type TestServer } from './test-server.fixture.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

async function overHttp2(path: string): Promise<string> {
  const session = connect(server.url, { ca: server.certificateAuthority });
  try {
    return await readText(session.request({ ':path': path, authorization: `Bearer ${server.adminToken}` }));
  } finally {
    session.close();
  }
}

it.each([
  ['none', ''],
  ['ASCII', 'a"\\\n\u0000\u007f'],
  ['Latin', 'é ÿ \u0080'],
  ['any language', '語 \u2028 😀'],
  ['halves of pairs', '\ud83d'],
  ['what is long', 'x'.repeat(70_000)],
  ['what is long and not ASCII', 'ü'.repeat(40_000)],
])('text of %s is answered alike by who writes it, by who reads it and in lists', async (name, text) => {
  const path = `${configMaps}/${name.replaceAll(' ', '-').toLowerCase()}`;
  const written = await server.post(configMaps, configMap(path.split('/').at(-1) as string, { text }));
  expect(written.status).toBe(201);
  expect(written.body.data.text).toBe(text.toWellFormed());
  expect(written.headers['content-length']).toBe(String(Buffer.byteLength(written.text)));
  expect((await server.get(path)).text).toBe(written.text);
  expect(await overHttp2(path)).toBe(written.text);
  const { items } = (await server.get(configMaps)).body;
  expect(items.find((item: typeof written.body) => item.metadata.uid === written.body.metadata.uid).data.text).toBe(
    text.toWellFormed(),
  );
  expect((await server.get(path)).text, 'once its bytes were needed').toBe(written.text);
});
