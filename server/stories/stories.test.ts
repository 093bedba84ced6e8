import { createConnection } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../start.ts';
import { configMap, configMaps, isFailure, numbered, startTestServer, type TestServer } from './test-server.fixture.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

describe('an object from beginning to end', () => {
  it('is created, read, replaced, patched and deleted', async () => {
    const created = await server.post(configMaps, configMap('story', { a: '1' }));
    expect(created.status).toBe(201);
    expect(created.body.metadata).toMatchObject({ name: 'story', namespace: 'default' });
    const { uid, resourceVersion, creationTimestamp } = created.body.metadata;
    expect(uid).toMatch(/^[0-9a-f-]{36}$/);
    const read = await server.get(`${configMaps}/story`);
    expect(read.body).toEqual(created.body);
    const replaced = await server.put(`${configMaps}/story`, configMap('story', { b: '2' }));
    expect(replaced.status).toBe(200);
    expect(replaced.body.data).toEqual({ b: '2' });
    expect(replaced.body.metadata).toMatchObject({ uid, creationTimestamp });
    expect(Number(replaced.body.metadata.resourceVersion)).toBeGreaterThan(Number(resourceVersion));
    const patched = await server.patch(`${configMaps}/story`, { data: { c: '3' } }, 'application/merge-patch+json');
    expect(patched.body.data).toEqual({ b: '2', c: '3' });
    const deleted = await server.delete(`${configMaps}/story`);
    expect(deleted.body).toMatchObject({ kind: 'Status', status: 'Success', details: { name: 'story', uid } });
    const gone = await server.get(`${configMaps}/story`);
    expect(isFailure(gone.body, 404)).toBe(true);
  });

  it('lives in a namespace that is there to stay', async () => {
    const missing = await server.post('/api/v1/namespaces/nowhere/configmaps', configMap('lost'));
    expect(isFailure(missing.body, 404)).toBe(true);
    await server.post('/api/v1/namespaces', { metadata: { name: 'leaving', finalizers: ['example.com/stay'] } });
    await server.delete('/api/v1/namespaces/leaving');
    const late = await server.post('/api/v1/namespaces/leaving/configmaps', configMap('late'));
    expect(isFailure(late.body, 403)).toBe(true);
  });

  it('keeps its version when nothing changes', async () => {
    const { body } = await server.post(configMaps, configMap('same', { a: '1' }));
    for (const answer of [
      await server.put(`${configMaps}/same`, body),
      await server.patch(`${configMaps}/same`, { data: { a: '1' } }, 'application/merge-patch+json'),
      await server.patch(`${configMaps}/same`, [], 'application/json-patch+json'),
    ]) {
      expect(answer.status).toBe(200);
      expect(answer.body.metadata.resourceVersion).toBe(body.metadata.resourceVersion);
    }
  });

  it('is not there before or after a dry run', async () => {
    const dry = await server.post(`${configMaps}?dryRun=All`, configMap('dry'));
    expect(dry.status).toBe(201);
    expect(dry.body.metadata.resourceVersion).toBeUndefined();
    expect((await server.get(`${configMaps}/dry`)).status).toBe(404);
    const { body } = await server.post(configMaps, configMap('dry', { a: '1' }));
    const changed = await server.put(`${configMaps}/dry?dryRun=All`, configMap('dry', { a: '2' }));
    expect(changed.body.data).toEqual({ a: '2' });
    expect((await server.delete(`${configMaps}/dry?dryRun=All`)).status).toBe(200);
    expect((await server.get(`${configMaps}/dry`)).body).toEqual(body);
  });

  it('waits for its finalizers', async () => {
    await server.post(configMaps, configMap('held', {}, { finalizers: ['example.com/a', 'example.com/b'] }));
    const first = await server.delete(`${configMaps}/held`);
    expect(first.body.metadata.deletionTimestamp).toBeTruthy();
    expect((await server.post(configMaps, configMap('held'))).body.message).toMatch(/object is being deleted/);
    const finalizers = (names: readonly string[]) =>
      server.patch(`${configMaps}/held`, { metadata: { finalizers: names } }, 'application/merge-patch+json');
    expect(isFailure((await finalizers(['example.com/a', 'example.com/new'])).body, 422)).toBe(true);
    expect((await finalizers(['example.com/a'])).status).toBe(200);
    expect((await server.get(`${configMaps}/held`)).status).toBe(200);
    expect((await finalizers([])).status).toBe(200);
    expect((await server.get(`${configMaps}/held`)).status).toBe(404);
  });
});

describe('writers at the same time', () => {
  it('lose no increment when each retries on conflict', async () => {
    await server.post(configMaps, configMap('counter', { count: '0' }));
    const increment = async () => {
      for (;;) {
        const { body } = await server.get(`${configMaps}/counter`);
        const next = { ...body, data: { count: String(Number(body.data.count) + 1) } };
        const answer = await server.put(`${configMaps}/counter`, next);
        if (answer.status === 200) return;
        expect(isFailure(answer.body, 409)).toBe(true);
      }
    };
    await Promise.all(Array.from({ length: 16 }, increment));
    expect((await server.get(`${configMaps}/counter`)).body.data.count).toBe('16');
  });

  it('all win when they patch different keys', async () => {
    await server.post(configMaps, configMap('shared'));
    const keys = numbered('key', 30);
    const answers = await Promise.all(
      keys.map((key) => server.patch(`${configMaps}/shared`, { data: { [key]: 'x' } }, 'application/merge-patch+json')),
    );
    expect(answers.map(({ status }) => status)).toEqual(keys.map(() => 200));
    expect(Object.keys((await server.get(`${configMaps}/shared`)).body.data)).toHaveLength(30);
  });

  it('create one object of a name', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => server.post(configMaps, configMap('once', { i: String(i) }))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
  });
});

describe('pages of a list', () => {
  const names = numbered('page', 23);
  const path = '/api/v1/namespaces/paging/configmaps';
  beforeAll(async () => {
    await server.post('/api/v1/namespaces', { metadata: { name: 'paging' } });
    for (const name of names)
      await server.post(path, configMap(name, {}, { labels: { odd: String(Number(name.at(-1)) % 2) } }));
  });

  const pages = async (query: string, between: (page: number) => Promise<unknown> = async () => {}) => {
    const found: { names: string[]; version: string; remaining: number | undefined }[] = [];
    for (let token = '', page = 0; page === 0 || token; page++) {
      const { body } = await server.get(`${path}?${query}${token && `&continue=${encodeURIComponent(token)}`}`);
      const { continue: next = '', resourceVersion, remainingItemCount } = body.metadata;
      found.push({
        names: body.items.map((item: { metadata: { name: string } }) => item.metadata.name),
        version: resourceVersion,
        remaining: remainingItemCount,
      });
      token = next;
      await between(page);
    }
    return found;
  };

  it('show one moment, whatever is written meanwhile', async () => {
    const found = await pages('limit=5', async (page) => {
      await server.post(path, configMap(`page-0000-${page}`));
      await server.post(path, configMap(`zzz-${page}`));
      await server.delete(`${path}/page-0000-${page}`);
      await server.delete(`${path}/zzz-${page}`);
    });
    expect(found.flatMap((page) => page.names).filter((name) => name !== 'kube-root-ca.crt')).toEqual(names);
    expect(new Set(found.map(({ version }) => version)).size).toBe(1);
    expect(found[0]?.remaining).toBe(18 + (found.flatMap((page) => page.names).length - names.length));
    expect(found.at(-1)?.remaining).toBeUndefined();
  });

  it('hold only what is selected, and do not count the rest', async () => {
    const found = await pages('limit=3&labelSelector=odd%3D1');
    expect(found.flatMap((page) => page.names)).toEqual(names.filter((name) => Number(name.at(-1)) % 2 === 1));
    expect(found.every(({ remaining }) => remaining === undefined)).toBe(true);
  });

  it.each(['nonsense', 'AAAA', '..%2F', 'e30='])('do not begin with the token %s', async (token) => {
    expect(isFailure((await server.get(`${path}?continue=${token}`)).body, 400)).toBe(true);
  });

  it('cannot be moved by changing the token', async () => {
    const { body } = await server.get(`${path}?limit=2`);
    const token: string = body.metadata.continue;
    for (let i = 0; i < token.length; i += 7) {
      const changed = token.slice(0, i) + (token[i] === 'A' ? 'B' : 'A') + token.slice(i + 1);
      expect(isFailure((await server.get(`${path}?limit=2&continue=${changed}`)).body, 400)).toBe(true);
    }
  });
});

describe('servers in one process', () => {
  it('stand side by side and know nothing of each other', async () => {
    const times: number[] = [];
    const servers: RunningServer[] = [];
    for (let i = 0; i < 20; i++) {
      const begin = performance.now();
      servers.push(await startServer());
      times.push(performance.now() - begin);
    }
    expect(new Set(servers.map(({ url }) => url)).size).toBe(20);
    expect(new Set(servers.map(({ adminToken }) => adminToken)).size).toBe(20);
    // The median: one of them may be held up by whatever else the machine does.
    expect(times.slice(1).sort((a, b) => a - b)[9]).toBeLessThan(60);
    await Promise.all(servers.map((each) => each.stop()));
  });

  it('stop twice without harm and give back their port', async () => {
    const first = await startServer();
    const securePort = Number(new URL(first.url).port);
    await expect(startServer({ securePort })).rejects.toThrow(/EADDRINUSE/);
    await Promise.all([first.stop(), first.stop()]);
    await first.stop();
    const second = await startServer({ securePort });
    await second.stop();
    await new Promise<void>((resolve) => {
      createConnection(securePort, '127.0.0.1').on('error', () => resolve());
    });
  });
});
