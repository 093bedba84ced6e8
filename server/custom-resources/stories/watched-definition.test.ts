import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../stories/test-server.fixture.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const merge = 'application/merge-patch+json';
const text = { type: 'string' };

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const version = (name: string, fields: object, more: object = {}) => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: {
    openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: fields } } },
  },
  ...more,
});

/** Events of a watch of the kind that has this plural, once it is open. */
async function follow(plural: string, at = 'v1') {
  const path = `/apis/example.com/${at}/namespaces/default/${plural}`;
  const { resourceVersion } = (await server.get(path)).body.metadata;
  const cut = new AbortController();
  const events = server.watch(`${path}?watch=1&timeoutSeconds=60&resourceVersion=${resourceVersion}`, cut.signal);
  // It is open once something was heard.
  const first = events.next();
  await server.post(path, { ...thing(plural, 'opened'), apiVersion: `example.com/${at}` });
  await first;
  return { events, cut: () => cut.abort() };
}

const thing = (plural: string, name: string, more: object = {}) => ({
  apiVersion: 'example.com/v1',
  kind: plural,
  metadata: { name },
  ...more,
});

async function define(plural: string, ...versions: object[]) {
  const names = { plural, kind: plural, listKind: `${plural}list` };
  const spec = { group: 'example.com', scope: 'Namespaced', names, versions };
  await server.post(definitions, { metadata: { name: `${plural}.example.com` }, spec });
  await server.settle();
}

const change = (plural: string, patch: object) => server.patch(`${definitions}/${plural}.example.com`, patch, merge);
const collection = (plural: string, at = 'v1') => `/apis/example.com/${at}/namespaces/default/${plural}`;

describe('a watch of custom objects', () => {
  it('ends when the definition says something else, and shows that once it began anew', async () => {
    await define('grown', version('v1', { a: text }));
    const { events } = await follow('grown');
    await change('grown', { spec: { versions: [version('v1', { a: text, b: text })] } });
    expect(await events.next()).toEqual({ done: true, value: undefined });
    await server.post(collection('grown'), thing('grown', 'one', { spec: { a: 'x', b: 'y' } }));
    const again = server.watch(`${collection('grown')}?watch=1&fieldSelector=metadata.name%3Done&timeoutSeconds=1`);
    expect((await again.next()).value).toMatchObject({ type: 'ADDED', object: { spec: { a: 'x', b: 'y' } } });
    await again.return(undefined);
  });

  it('ends when its version is not served any more', async () => {
    await define('halved', version('v1', { a: text }), version('v2', { a: text }));
    const { events } = await follow('halved', 'v2');
    await change('halved', {
      spec: { versions: [version('v1', { a: text }), version('v2', { a: text }, { served: false })] },
    });
    expect(await events.next()).toEqual({ done: true, value: undefined });
    expect((await server.get(`${collection('halved', 'v2')}?watch=1`)).status).toBe(404);
  });

  it('tells of all that go with their definition, and ends with it', async () => {
    await define('gone', version('v1', { a: text }));
    const { events } = await follow('gone');
    await server.delete(`${definitions}/gone.example.com`);
    expect((await events.next()).value).toMatchObject({ type: 'DELETED', object: { metadata: { name: 'opened' } } });
    expect(await events.next()).toEqual({ done: true, value: undefined });
    expect((await server.get(`${collection('gone')}?watch=1`)).status).toBe(404);
  });

  it('goes on when nothing but the metadata of its definition changes', async () => {
    await define('labelled', version('v1', { a: text }));
    const { events, cut } = await follow('labelled');
    await change('labelled', { metadata: { labels: { a: 'b' } } });
    await server.post(collection('labelled'), thing('labelled', 'one'));
    expect((await events.next()).value).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'one' } } });
    cut();
  });
});
