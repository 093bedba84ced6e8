import { KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import { pemOf } from '../authn/jwt.fixture.ts';
import { type RunningServer, startServer } from '../start.ts';
import { authority, type Issued, issue } from '../x509/certificates.fixture.ts';

const folder = temporaryFolder();
const times = { from: Date.now() - 1e6, until: Date.now() + 1e9 };
let server: RunningServer;
let ca: Issued;
let between: Issued;
let below: Issued;

beforeAll(async () => {
  ca = await authority('ca', times);
  between = await authority('between', times, ca);
  below = await authority('below', times, between);
  writeFileSync(join(folder, 'ca.crt'), String(ca.certificate));
  server = await startServer({ clientCaFile: join(folder, 'ca.crt') });
});
afterAll(() => server.stop());

const request = 'GET /api/v1/namespaces HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

function open(options: ConnectionOptions): TLSSocket {
  const { hostname, port } = new URL(server.url);
  return connect({ host: hostname, port: Number(port), ca: server.certificateAuthority, ...options });
}

const shown = (leaf: Issued, ...others: Issued[]) => ({
  cert: [leaf, ...others].map(({ certificate }) => String(certificate)).join(''),
  key: pemOf(KeyObject.from(leaf.keys.privateKey)),
});

/** What the server says to who it takes the client for. */
async function answer(options: ConnectionOptions): Promise<string> {
  const socket = open(options);
  socket.write(request);
  return await text(socket);
}

describe('a certificate of an authority below the trusted one', () => {
  it.each(['TLSv1.2', 'TLSv1.3'] as const)('counts with the chain that is shown with it, over %s', async (version) => {
    const leaf = await issue({ name: 'CN=carol', ...times }, below);
    const options = { ...shown(leaf, below, between), maxVersion: version };
    expect(await answer(options)).toContain('carol');
    expect(await answer({ ...shown(leaf, below), maxVersion: version })).toMatch(/^HTTP\/1.1 401/);
  });

  it('counts on a connection that goes on with the session of another', async () => {
    const leaf = await issue({ name: 'CN=carol', ...times }, between);
    const options = { ...shown(leaf, between), maxVersion: 'TLSv1.2' } as const;
    const first = open(options);
    await once(first, 'secureConnect');
    const session = first.getSession();
    first.destroy();
    expect(await answer({ ...options, session })).toContain('carol');
  });
});

it('counts once its authority is put into the file, of which servers behind this one are told, too', async () => {
  const another = await authority('another', times);
  const leaf = await issue({ name: 'CN=dave', ...times }, another);
  const options = shown(leaf);
  expect(await answer(options)).toMatch(/^HTTP\/1.1 401/);
  writeFileSync(join(folder, 'ca.crt'), `${ca.certificate}${another.certificate}`);
  await vi.waitFor(async () => expect(await answer(options)).toContain('dave'), 5000);
  const told = '/configmaps/kube-system/extension-apiserver-authentication';
  const data = async () => (await server.store.get(told))?.value['data'];
  const both = { 'client-ca-file': `${ca.certificate}${another.certificate}` };
  await vi.waitFor(async () => expect(await data()).toEqual(both), 5000);
});
