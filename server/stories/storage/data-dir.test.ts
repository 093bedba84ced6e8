import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { describe, expect, it } from 'vitest';
import { quickestOf } from '../../../fixtures/quickest.fixture.ts';
import { temporaryFolder } from '../../../fixtures/temporary-folder.fixture.ts';
import { type RunningServer, type ServerOptions, startServer } from '../../start.ts';

const folder = temporaryFolder();

async function call(server: RunningServer, method: string, path: string, body?: object, token = server.adminToken) {
  const dispatcher = new Agent({ connect: { ca: server.certificateAuthority } });
  const answer = await request(server.url + path, {
    dispatcher,
    method: method as 'GET',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.body.text();
  await dispatcher.close();
  // biome-ignore lint/suspicious/noExplicitAny: answers of every kind
  return { status: answer.statusCode, body: JSON.parse(text) as any };
}

async function statusOf(server: RunningServer, path: string): Promise<number> {
  const dispatcher = new Agent({ connect: { ca: server.certificateAuthority } });
  const { statusCode, body } = await request(server.url + path, { dispatcher });
  await body.dump();
  await dispatcher.close();
  return statusCode;
}

const configMaps = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string) => ({ metadata: { name }, data: { text: 'x' } });
const create = (server: RunningServer, name: string) => call(server, 'POST', configMaps, configMap(name));
const namesIn = async (server: RunningServer) =>
  (await call(server, 'GET', configMaps)).body.items.map((item: { metadata: { name: string } }) => item.metadata.name);

const started = (name: string, options: Partial<ServerOptions> = {}) =>
  startServer({ dataDir: join(folder, name), ...options });

describe('a server with a data folder', () => {
  it('is the same server after a restart: objects, versions, tokens, its certificate', async () => {
    await using first = await started('restart');
    const made = await create(first, 'a');
    expect(made.status).toBe(201);
    await call(first, 'POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'robot' } });
    const review = { spec: {} };
    const issued = await call(first, 'POST', '/api/v1/namespaces/default/serviceaccounts/robot/token', review);
    const { token } = issued.body.status;
    const page = await call(first, 'GET', '/apis/rbac.authorization.k8s.io/v1/clusterroles?limit=2');
    await first.stop();

    await using second = await started('restart');
    expect(second.adminToken).toBe(first.adminToken);
    expect(second.certificateAuthority).toBe(first.certificateAuthority);
    const kept = await call(second, 'GET', `${configMaps}/a`);
    expect(kept.body).toEqual(made.body);
    const written = await create(second, 'b');
    expect(Number(written.body.metadata.resourceVersion)).toBeGreaterThan(Number(made.body.metadata.resourceVersion));
    expect((await call(second, 'GET', '/api', undefined, token)).status).toBe(200);
    const next = page.body.metadata.continue;
    expect(
      (await call(second, 'GET', `/apis/rbac.authorization.k8s.io/v1/clusterroles?limit=2&continue=${next}`)).status,
    ).toBe(200);
  });

  it('keeps everything to its owner', async () => {
    await using server = await started('modes', { controllers: ['*'] });
    await server.stop();
    const path = join(folder, 'modes');
    expect(statSync(path).mode & 0o777).toBe(0o700);
    const secret = readdirSync(path).filter((name) => !name.endsWith('.crt'));
    expect(secret).toEqual(expect.arrayContaining(['apiserver.key', 'changes-1', 'identity', 'signing-ca.key']));
    for (const name of secret) expect(statSync(join(path, name)).mode & 0o777).toBe(0o600);
  });

  it('leaves the folder alone when another server has it, or a file in it is damaged', async () => {
    await using server = await started('taken');
    await expect(started('taken')).rejects.toThrow('is in use by another server');
    await server.stop();
    const file = join(folder, 'taken', 'changes-1');
    const bytes = readFileSync(file);
    bytes[100] = (bytes[100] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    await expect(started('taken')).rejects.toThrow(/changes-1 is damaged at byte \d+/);
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });

  it('is alive and not ready once its folder is gone, and refuses what it could not keep', async () => {
    await using server = await started('gone');
    const health = (path: string) => statusOf(server, path);
    expect((await create(server, 'a')).status).toBe(201);
    rmSync(join(folder, 'gone'), { recursive: true });
    expect((await create(server, 'b')).status).toBe(507);
    expect(await namesIn(server)).toEqual(['a']);
    expect([await health('/livez'), await health('/readyz')]).toEqual([200, 500]);
  });

  it('names the file where who it is cannot be read', async () => {
    await (await started('unknown')).stop();
    const file = join(folder, 'unknown', 'identity');
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, 20));
    await expect(started('unknown')).rejects.toThrow(`${file} is no identity of a server`);
  });

  it('gives up its past early where that may take little', async () => {
    await using server = await started('history', { historyBytes: 10_000 });
    const { body } = await create(server, 'a');
    for (let n = 0; n < 20; n++)
      await call(server, 'PUT', `${configMaps}/a`, { ...configMap('a'), data: { n: String(n).padStart(1000) } });
    const then = `resourceVersion=${body.metadata.resourceVersion}&resourceVersionMatch=Exact`;
    expect((await call(server, 'GET', `${configMaps}?${then}`)).status).toBe(410);
  });

  it('refuses a way to sync that it does not know', async () => {
    await expect(started('sync', { dataSync: 'sometimes' as 'always' })).rejects.toThrow('--data-sync takes');
  });
});

describe('a snapshot', () => {
  it('is what another server begins with, in memory or a folder', async () => {
    await using first = await startServer();
    await create(first, 'a');
    await create(first, 'b');
    const file = join(folder, 'snapshot');
    await first.saveSnapshot(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    for (const options of [{}, { dataDir: join(folder, 'from-snapshot') }]) {
      await using second = await startServer({ ...options, snapshot: file });
      expect(await call(second, 'GET', `${configMaps}/a`)).toEqual(await call(first, 'GET', `${configMaps}/a`));
      const { body } = await create(second, 'c');
      expect(Number(body.metadata.resourceVersion)).toBeGreaterThan(await first.store.currentRevision());
      expect(await namesIn(second)).toEqual(['a', 'b', 'c']);
    }
    expect(await namesIn(first)).toEqual(['a', 'b']);
  });
});

/** The text of a snapshot of one object. */
const snapshotOf = (key: string, kind: string, apiVersion: string, more: object) =>
  `{"touchstone":"snapshot","version":1,"revision":7}
${JSON.stringify({ key, revision: 7, object: { kind, apiVersion, ...more } })}
{"end":1}\n`;

describe('a snapshot by hand', () => {
  const [at, definitions] = [
    '/configmaps/default/a',
    'apiextensions.k8s.io/customresourcedefinitions//foos.example.com',
  ];
  const metadata = { name: 'a', namespace: 'default' };
  const definition = [definitions, 'CustomResourceDefinition', 'apiextensions.k8s.io/v1'] as const;

  it.each([
    [
      snapshotOf(at, 'ConfigMap', 'v1', { metadata: { ...metadata, name: 'b' } }),
      'is not that of v1 ConfigMap default/b',
    ],
    [snapshotOf(at, 'ConfigMap', 'v1', { metadata: { name: 'a' } }), 'is not that of v1 ConfigMap a'],
    [snapshotOf(at, 'Secret', 'v1', { metadata }), 'is not that of v1 Secret default/a'],
    [snapshotOf(at, 'ConfigMap', 'v2', { metadata }), 'is not that of v2 ConfigMap default/a'],
    [snapshotOf(`x.io${at}`, 'ConfigMap', 'v1', { metadata }), 'is not that of v1 ConfigMap default/a'],
    [snapshotOf(at, 'ConfigMap', 'v1', { metadata, data: 'x' }), `${at}: data: `],
    [
      snapshotOf(...definition, { metadata: { name: 'foos.example.com' } }),
      `${definitions}: spec.group: Required value`,
    ],
  ])('%j is refused with its line, and nothing is begun', async (text, message) => {
    const snapshot = join(folder, 'by-hand');
    writeFileSync(snapshot, text);
    for (const options of [{}, { dataDir: join(folder, 'from-nothing') }]) {
      const begun = startServer({ ...options, snapshot });
      await expect(begun).rejects.toThrow(`${snapshot}, line 2: `);
      await expect(begun).rejects.toThrow(message);
    }
    expect(readdirSync(folder)).not.toContain('from-nothing');
  });

  it('has objects of types that are not there, and leaves out what a server can do without', async () => {
    const snapshot = join(folder, 'by-hand');
    writeFileSync(snapshot, snapshotOf('x.io/things/default/a', 'Thing', 'x.io/v1', { metadata }));
    await using server = await startServer({ snapshot });
    expect((await server.store.get('x.io/things/default/a'))?.value.kind).toBe('Thing');
  });
});

describe('a fork', () => {
  it('has all that there is, and goes its own way', async () => {
    await using server = await startServer();
    await create(server, 'a');
    await using fork = await server.fork();
    expect(fork.adminToken).toBe(server.adminToken);
    await create(fork, 'b');
    await create(server, 'c');
    expect([await namesIn(server), await namesIn(fork)]).toEqual([
      ['a', 'c'],
      ['a', 'b'],
    ]);
    await using again = await fork.fork({ faults: true });
    await fork.stop();
    expect(await namesIn(again)).toEqual(['a', 'b']);
  });

  it('holds as much as its options say, and those of the server it is of', async () => {
    await using server = await startServer({ maxObjects: 1000 });
    const objects = await server.store.count('');
    await using fork = await server.fork({ maxObjects: objects + 1 });
    await using forkOfFork = await fork.fork();
    for (const each of [fork, forkOfFork]) {
      expect((await create(each, 'a')).status).toBe(201);
      expect((await create(each, 'b')).status).toBe(507);
    }
    expect((await create(server, 'a')).status).toBe(201);
    expect((await create(server, 'b')).status).toBe(201);
  });

  it('is there within milliseconds, with a thousand objects', async () => {
    await using server = await startServer();
    for (let n = 0; n < 1000; n++) await create1(server, n);
    const forking = quickestOf(5, async () => {
      const begun = performance.now();
      const fork = await server.fork();
      const took = performance.now() - begun;
      expect(await fork.store.count('/configmaps/default/')).toBe(1000);
      await fork.stop();
      return took;
    });
    // Twenty on a machine that has nothing else to do; tests have company.
    expect(await forking).toBeLessThan(60);
  });
});

const create1 = (server: RunningServer, n: number) =>
  server.store.create(`/configmaps/default/${n}`, {
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { name: String(n), namespace: 'default', uid: String(n) },
    data: { text: 'x'.repeat(900) },
  });
