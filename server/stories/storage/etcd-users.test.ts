import { KeyObject } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { base64 } from '../../../fixtures/certificates.ts';
import { temporaryFolder } from '../../../fixtures/temporary-folder.fixture.ts';
import { pause, systemTimers } from '../../base/time/timers.ts';
import { EtcdClient } from '../../store/etcd/etcd-client.ts';
import { EtcdProcess, withoutEtcd } from '../../store/etcd/etcd-process.fixture.ts';
import { authority, type Issued } from '../../x509/certificates.fixture.ts';
import { configMap, configMaps, startTestServer, type TestServer } from '../test-server.fixture.ts';

const folder = temporaryFolder();
const place = (name: string) => join(folder, name);
const keyOf = (issued: Issued) => KeyObject.from(issued.keys.privateKey).export({ type: 'pkcs8', format: 'pem' });

/** Somebody whom etcd knows by a certificate, which is its own authority. */
async function identity(name: string): Promise<Issued> {
  const now = Date.now();
  const issued = await authority(name, { hosts: ['127.0.0.1'], from: now - 60_000, until: now + 3_600_000 });
  writeFileSync(place(`${name}.crt`), String(issued.certificate));
  writeFileSync(place(`${name}.key`), keyOf(issued));
  return issued;
}

/** Users of an etcd, and what each may read and write. */
async function introduce(etcd: EtcdProcess, as: Issued, users: Readonly<Record<string, string>>): Promise<void> {
  const ca = String(as.certificate);
  const connect = { ca, cert: ca, key: keyOf(as) };
  const agent = new Agent({ connect });
  const ask = async (path: string, body: object) => {
    const answer = await request(`${etcd.url}/v3/auth/${path}`, {
      dispatcher: agent,
      method: 'POST',
      body: JSON.stringify(body),
    });
    expect(answer.statusCode, await answer.body.text()).toBe(200);
  };
  const answers = () =>
    ask('user/list', {}).then(
      () => true,
      () => false,
    );
  for (const end = Date.now() + 10_000; !(await answers()) && Date.now() < end; ) await pause(systemTimers, 50);
  for (const [name, prefix] of Object.entries({ root: '', ...users })) {
    await ask('user/add', { name, password: 'unused' });
    await ask('role/add', { name });
    const range = { key: base64(prefix), range_end: base64(prefix.replace(/\/$/, '0')) };
    if (prefix) await ask('role/grant', { name, perm: { permType: 'READWRITE', ...range } });
    await ask('user/grant', { user: name, role: name });
  }
  await ask('enable', {});
  await agent.close();
}

describe.skipIf(withoutEtcd)('an etcd with users, of whom each may use a prefix of its own', () => {
  let etcd: EtcdProcess;
  let neighbour: EtcdClient;
  const servers: TestServer[] = [];
  beforeAll(async () => {
    const known = [await identity('etcd'), await identity('ours'), await identity('theirs')];
    writeFileSync(place('known.crt'), known.map(({ certificate }) => String(certificate)).join(''));
    const files = [`--cert-file=${place('etcd.crt')}`, `--key-file=${place('etcd.key')}`];
    const flags = [...files, `--trusted-ca-file=${place('known.crt')}`, '--client-cert-auth'];
    etcd = await EtcdProcess.start({ scheme: 'https', flags });
    const [admin, , theirs] = known as [Issued, Issued, Issued];
    await introduce(etcd, admin, { ours: '/ours/', theirs: '/theirs/' });
    const [ca, cert, key] = [admin.certificate, theirs.certificate, keyOf(theirs)].map((each) =>
      Buffer.from(`${each}`),
    );
    const credentials = () => ({ ca, cert, key }) as { ca: Buffer };
    neighbour = new EtcdClient({
      ...{ servers: [etcd.url], credentials, root: '/theirs/' },
      ...{ timers: systemTimers, now: () => performance.now() },
    });
  });
  afterAll(async () => {
    neighbour?.close();
    for (const server of servers) await server.stop();
    await etcd?.stop();
  });

  const start = async (etcdPrefix: string) => {
    const files = { etcdCafile: place('etcd.crt'), etcdCertfile: place('ours.crt'), etcdKeyfile: place('ours.key') };
    const server = await startTestServer({ etcdServers: [etcd.url], etcdPrefix, ...files });
    servers.push(server);
    return server;
  };
  const neighbourWrites = (count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, n) =>
        neighbour.txn({
          ...{ compare: [], failure: [] },
          success: [{ put: { key: Buffer.from(`/theirs/${n}`), value: Buffer.from('x') } }],
        }),
      ),
    );

  it('keeps what servers write that use nothing else, and reads are the newest whatever others write', async () => {
    const [one, other] = [await start('/ours'), await start('/ours')];
    for (let n = 0; n < 5; n++) {
      await neighbourWrites(3);
      expect((await one.post(configMaps, configMap(`n${n}`))).status).toBe(201);
      await neighbourWrites(3);
      const began = performance.now();
      expect((await other.get(`${configMaps}/n${n}`)).status).toBe(200);
      expect(performance.now() - began, 'nobody waits for what will not be told').toBeLessThan(3000);
    }
    const before = (await one.get(configMaps)).body.metadata.resourceVersion;
    await neighbourWrites(5);
    const third = await start('/ours');
    await neighbourWrites(5);
    expect((await one.delete(`${configMaps}/n0`)).status).toBe(200);
    const told: string[] = [];
    for await (const { type, object } of third.watch(`${configMaps}?watch=1&resourceVersion=${before}`)) {
      told.push(`${type} ${object.metadata.name}`);
      break;
    }
    expect(told, 'also of what was before it began').toEqual(['DELETED n0']);
  });

  it('refuses a server that would use another prefix, and says which role it needs', async () => {
    await expect(start('/elsewhere')).rejects.toThrow(
      'permission denied: its user needs the role root, or one that may read and write all below the prefix',
    );
  });
});
