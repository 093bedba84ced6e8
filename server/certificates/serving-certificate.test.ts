import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { connect } from 'node:tls';
import { describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import { writeSecretFile } from '../base/files/write-file.ts';
import { kubeconfigFor } from '../kubeconfig.ts';
import { startServer } from '../start.ts';
import { type KeyPair, makeAuthority, makeSelfSigned, makeSigned } from '../x509/self-signed.ts';
import { generated, keptPair } from './serving-certificate.ts';

const folder = temporaryFolder();
const hosts = ['localhost', 'a.example', '127.0.0.1', '::1'];

describe('a self-signed certificate', () => {
  it('is its own authority and good for its hosts alone', () => {
    const from = new Date('2024-02-29T23:59:59Z');
    const until = new Date('2051-01-01T00:00:00Z');
    const certificate = new X509Certificate(makeSelfSigned(hosts, from, until).certificate);
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(certificate.checkIssued(certificate)).toBe(true);
    expect(certificate.ca).toBe(true);
    expect(new Date(certificate.validFrom)).toEqual(from);
    expect(new Date(certificate.validTo)).toEqual(until);
    expect(certificate.subject).toBe('CN=touchstone');
    expect([certificate.checkHost('localhost'), certificate.checkIP('127.0.0.1')]).toEqual(['localhost', '127.0.0.1']);
    expect(certificate.checkIP('::1')).toBeTruthy();
    expect(certificate.checkHost('b.example')).toBeUndefined();
    expect(certificate.checkIP('10.0.0.1')).toBeUndefined();
  });
});

describe('a generated certificate', () => {
  it('is made once a process', () => {
    expect(generated(hosts)).toBe(generated(hosts));
    expect(generated(['x.example'])).not.toBe(generated(hosts));
  });

  it('is no authority itself, and comes with the one that vouches for it', () => {
    const { certificate, authority } = generated(hosts);
    const [leaf, issuer] = [new X509Certificate(certificate), new X509Certificate(authority.certificate)];
    expect([leaf.ca, issuer.ca]).toEqual([false, true]);
    expect(leaf.checkIssued(issuer) && leaf.verify(issuer.publicKey)).toBe(true);
    expect(certificate.endsWith(authority.certificate)).toBe(true);
    expect(leaf.checkHost('a.example')).toBe('a.example');
  });

  it('is taken by OpenSSL at its strictest', () => {
    const { certificate, authority } = generated(hosts);
    const [leaf, issuer] = [join(folder, 'leaf.pem'), join(folder, 'issuer.pem')];
    writeFileSync(leaf, certificate);
    writeFileSync(issuer, authority.certificate);
    const args = ['verify', '-x509_strict', '-purpose', 'sslserver', '-verify_hostname', 'a.example'];
    expect(execFileSync('openssl', [...args, '-CAfile', issuer, leaf], { encoding: 'utf8' })).toContain('OK');
  });
});

describe('a kept certificate', () => {
  it('is found again, its key readable by its owner alone', () => {
    const pair = keptPair(join(folder, 'kept'), hosts);
    expect(keptPair(join(folder, 'kept'), hosts)).toEqual(pair);
    expect(readFileSync(join(folder, 'kept', 'apiserver.crt'), 'utf8')).toBe(pair.certificate);
    expect(statSync(join(folder, 'kept', 'apiserver.key')).mode & 0o777).toBe(0o600);
  });

  it('is readable by everybody, and written by its owner alone, whatever the process masks', () => {
    const before = process.umask(0);
    try {
      keptPair(join(folder, 'unmasked'), hosts);
      expect(statSync(join(folder, 'unmasked', 'apiserver.crt')).mode & 0o777).toBe(0o644);
      expect(statSync(join(folder, 'unmasked', 'apiserver.key')).mode & 0o777).toBe(0o600);
    } finally {
      process.umask(before);
    }
  });

  const [from, until] = [new Date(0), new Date(Date.now() + 1e10)];
  const authority = makeAuthority('touchstone', from, until);
  const signed = (names = hosts, end = until) => makeSigned(names, authority, from, end);
  const tomorrow = new Date(Date.now() + 86_400_000);
  it.each<[string, KeyPair, KeyPair]>([
    ['is for other hosts', signed(['elsewhere']), authority],
    ['has run out', signed(hosts, new Date(Date.now() - 1000)), authority],
    ['has not begun', makeSigned(hosts, authority, tomorrow, until), authority],
    ['has the key of another', { ...signed(), key: signed().key }, authority],
    ['is of another authority', signed(), makeAuthority('touchstone', from, until)],
    ['has an authority without its key', signed(), { ...authority, key: signed().key }],
    ['vouches for itself', makeSelfSigned(hosts, from, until), authority],
    ['is none', { certificate: 'nonsense', key: 'nonsense' }, authority],
  ])('is made anew when it %s', (name, pair, issuer) => {
    const own = join(folder, name.replaceAll(' ', '-'));
    keptPair(own, hosts);
    const put = (file: string, { certificate, key }: KeyPair) => {
      writeFileSync(join(own, `${file}.crt`), certificate);
      writeFileSync(join(own, `${file}.key`), key);
    };
    put('apiserver', pair);
    put('apiserver-ca', issuer);
    const found = keptPair(own, hosts);
    expect(found.certificate).not.toBe(pair.certificate);
    expect(new X509Certificate(found.certificate).checkHost('localhost')).toBe('localhost');
  });

  it('is kept when all belongs together', () => {
    const own = join(folder, 'together');
    keptPair(own, hosts);
    const pair = signed();
    for (const [file, { certificate, key }] of Object.entries({ apiserver: pair, 'apiserver-ca': authority })) {
      writeFileSync(join(own, `${file}.crt`), certificate);
      writeFileSync(join(own, `${file}.key`), key);
    }
    expect(keptPair(own, hosts)).toEqual({ ...pair, authority });
  });
});

describe("the user's own certificate", () => {
  const [from, until] = [new Date(0), new Date(Date.now() + 1e10)];
  const [certFile, keyFile] = [join(folder, 'own.crt'), join(folder, 'own.key')];

  /** Serial number of what a new connection is shown. */
  const seen = async (url: string) => {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    const shown = socket.getPeerX509Certificate()?.serialNumber;
    socket.destroy();
    return shown;
  };
  const serial = ({ certificate }: KeyPair) => new X509Certificate(certificate).serialNumber;

  it('is shown anew once both of its files are', async () => {
    const [old, renewed] = [makeSelfSigned(hosts, from, until), makeSelfSigned(hosts, from, until)];
    writeFileSync(certFile, old.certificate);
    writeFileSync(keyFile, old.key);
    const server = await startServer({ tlsCertFile: certFile, tlsPrivateKeyFile: keyFile });
    try {
      writeFileSync(certFile, renewed.certificate);
      expect(await seen(server.url)).toBe(serial(old));
      writeFileSync(keyFile, renewed.key);
      await vi.waitFor(async () => expect(await seen(server.url)).toBe(serial(renewed)), 5000);
    } finally {
      await server.stop();
    }
  });
});

describe('a kubeconfig', () => {
  it('is readable by its owner alone, also where a file was before', () => {
    const file = join(folder, 'deep', 'config');
    writeSecretFile(file, 'old');
    writeFileSync(file, 'old', { mode: 0o644 });
    writeSecretFile(file, 'new');
    expect(readFileSync(file, 'utf8')).toBe('new');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('is not written where a link in its place leads', () => {
    const victim = join(folder, 'victim');
    const file = join(folder, 'shared-config');
    writeFileSync(victim, 'precious');
    symlinkSync(victim, file);
    writeSecretFile(file, 'secret');
    expect(readFileSync(victim, 'utf8')).toBe('precious');
    expect(lstatSync(file).isSymbolicLink()).toBe(false);
    expect(readFileSync(file, 'utf8')).toBe('secret');
    expect(readdirSync(folder).filter((name) => name.startsWith('shared-config'))).toEqual(['shared-config']);
  });

  it('holds the server, its authority and the token', () => {
    const config = JSON.parse(kubeconfigFor({ url: 'https://x:1', certificateAuthority: 'PEM', token: 't' }));
    expect(config).toMatchObject({
      kind: 'Config',
      'current-context': 'touchstone',
      users: [{ user: { token: 't' } }],
    });
    expect(config.clusters[0].cluster).toEqual({ server: 'https://x:1', 'certificate-authority-data': 'UEVN' });
  });

  it('may name the file of the authority instead, for who goes on when that is renewed', () => {
    const parts = { url: 'https://x:1', certificateAuthority: 'PEM', authorityFile: 'own.crt', token: 't' };
    const [{ cluster }] = JSON.parse(kubeconfigFor(parts)).clusters;
    expect(cluster).toEqual({ server: 'https://x:1', 'certificate-authority': resolve('own.crt') });
  });
});
