import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import { type RunningServer, startServer } from '../start.ts';
import { type KeyPair, makeAuthority, makeSelfSigned, makeSignedClient } from '../x509/self-signed.ts';
import { readNamedPairs } from './named-certificates.ts';

const folder = temporaryFolder();

const [from, until] = [new Date(0), new Date(Date.now() + 1e10)];
const made = (...names: readonly string[]) => makeSelfSigned(names, from, until);
const clients = makeAuthority('clients', from, until);
const client = (authority: KeyPair) =>
  makeSignedClient('jane', { name: authority === clients ? 'clients' : 'others', ...authority }, from, until);
const clientCaFile = join(folder, 'clients.crt');
const pairs: Readonly<Record<string, KeyPair>> = {
  own: made('api.example', '*.own.example'),
  given: made('other.example'),
  late: made('api.example', 'late.example'),
};

const put = (name: string, { certificate, key }: KeyPair): string => {
  const files = [join(folder, `${name}.crt`), join(folder, `${name}.key`)] as const;
  writeFileSync(files[0], certificate);
  writeFileSync(files[1], key);
  return files.join(',');
};

/** Serial number of what is shown to who asks for a name. */
async function shown({ url }: RunningServer, servername?: string): Promise<string | undefined> {
  const to = { host: '127.0.0.1', port: Number(new URL(url).port), rejectUnauthorized: false };
  const socket = connect({ ...to, ...(servername && { servername }) });
  await once(socket, 'secureConnect');
  const serial = socket.getPeerX509Certificate()?.serialNumber;
  socket.destroy();
  return serial;
}

const serial = ({ certificate }: KeyPair) => new X509Certificate(certificate).serialNumber;

describe('clients that ask for a name', () => {
  let server: RunningServer;
  beforeAll(async () => {
    writeFileSync(clientCaFile, clients.certificate);
    const given = put('given', pairs['given'] as KeyPair);
    const tlsSniCertKey = [
      put('own', pairs['own'] as KeyPair),
      put('late', pairs['late'] as KeyPair),
      `${given}:*.given.example, Given.example`,
    ];
    server = await startServer({ tlsSniCertKey, clientCaFile, authorizationMode: ['RBAC'] });
  });
  afterAll(() => server.stop());

  it.each([
    ['one of a certificate', 'api.example', 'own'],
    ['one of a later certificate alone', 'late.example', 'late'],
    ['one under a wildcard of a certificate', 'x.own.example', 'own'],
    ['one that was given', 'given.example', 'given'],
    ['one in other letters', 'GIVEN.example', 'given'],
    ['one under a wildcard that was given', 'x.given.example', 'given'],
  ])('are shown what is for %s', async (_, name, pair) => {
    expect(await shown(server, name)).toBe(serial(pairs[pair] as KeyPair));
  });

  it('are shown what is for all when none is for theirs, or they ask for none', async () => {
    const common = await shown(server);
    expect(Object.values(pairs).map(serial)).not.toContain(common);
    for (const name of ['elsewhere.example', 'other.example', 'a.b.own.example', 'own.example'])
      expect(await shown(server, name)).toBe(common);
  });

  it('are shown what was renewed, once both of its files are', async () => {
    const renewed = made('late.example');
    writeFileSync(join(folder, 'late.crt'), renewed.certificate);
    expect(await shown(server, 'late.example')).toBe(serial(pairs['late'] as KeyPair));
    writeFileSync(join(folder, 'late.key'), renewed.key);
    await vi.waitFor(async () => expect(await shown(server, 'late.example')).toBe(serial(renewed)), 5000);
  });

  it('are known by certificates of their own, of authorities that were named later too', async () => {
    const knownAs = async (client: KeyPair) => {
      const to = { host: '127.0.0.1', port: Number(new URL(server.url).port), servername: 'api.example' };
      const asked = connect({ ...to, cert: client.certificate, key: client.key, rejectUnauthorized: false });
      await once(asked, 'secureConnect');
      asked.write('GET /api/v1/nodes HTTP/1.1\r\nHost: api.example\r\nConnection: close\r\n\r\n');
      return /User [^ ]+/.exec(String((await once(asked, 'data'))[0]))?.[0];
    };
    expect(await knownAs(client(clients))).toBe('User \\"jane\\"');
    const others = makeAuthority('others', from, until);
    writeFileSync(clientCaFile, others.certificate);
    const known = async () => expect(await knownAs(client(others))).toBe('User \\"jane\\"');
    await vi.waitFor(known, 5000);
  });
});

it('a name that was given counts before the same one of a certificate, and what is earlier before what is later', () => {
  const [own, late] = [put('a', pairs['own'] as KeyPair), put('b', pairs['late'] as KeyPair)];
  const of = (...values: readonly string[]) => readNamedPairs(values).get('api.example')?.certificate;
  expect(of(own, `${late}:api.example`)).toBe(pairs['late']?.certificate);
  expect(of(own, late)).toBe(pairs['own']?.certificate);
  expect(of(`${own}:api.example`, `${late}:api.example`)).toBe(pairs['own']?.certificate);
});

it.each([
  ['a.crt', 'is not certificate,key'],
  ['a.crt,a.key,b.crt', 'is not certificate,key'],
  ['a.crt,a.key:', 'has an empty name'],
  ['a.crt,a.key:x,,y', 'has an empty name'],
  ['a.crt,a.key:127.0.0.1', 'names 127.0.0.1'],
  ['missing.crt,missing.key', 'there is no missing.crt'],
])('a server does not start with %j', async (value, why) => {
  await expect(startServer({ tlsSniCertKey: [value] })).rejects.toThrow(why);
});
