import { X509Certificate } from 'node:crypto';
import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { writeSecretFile } from './base/write-file.ts';
import { kubeconfigFor } from './kubeconfig.ts';
import { keptKeyPair, selfSigned } from './serving-certificate.ts';
import { makeSelfSigned } from './x509/self-signed.ts';

const folder = mkdtempSync(join(tmpdir(), 'certificates-'));
afterAll(() => rmSync(folder, { recursive: true }));
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

  it('is made once a process', () => {
    expect(selfSigned(hosts)).toBe(selfSigned(hosts));
    expect(selfSigned(['x.example'])).not.toBe(selfSigned(hosts));
  });
});

describe('a kept certificate', () => {
  it('is found again, its key readable by its owner alone', () => {
    const pair = keptKeyPair(join(folder, 'kept'), hosts);
    expect(keptKeyPair(join(folder, 'kept'), hosts)).toEqual(pair);
    expect(readFileSync(join(folder, 'kept', 'apiserver.crt'), 'utf8')).toBe(pair.certificate);
    expect(statSync(join(folder, 'kept', 'apiserver.key')).mode & 0o777).toBe(0o600);
  });

  it('is readable by everybody, and written by its owner alone, whatever the process masks', () => {
    const before = process.umask(0);
    try {
      keptKeyPair(join(folder, 'unmasked'), hosts);
      expect(statSync(join(folder, 'unmasked', 'apiserver.crt')).mode & 0o777).toBe(0o644);
      expect(statSync(join(folder, 'unmasked', 'apiserver.key')).mode & 0o777).toBe(0o600);
    } finally {
      process.umask(before);
    }
  });

  const other = makeSelfSigned(hosts, new Date(), new Date(Date.now() + 1e10));
  it.each([
    ['is for other hosts', makeSelfSigned(['elsewhere'], new Date(), new Date(Date.now() + 1e10))],
    ['has run out', makeSelfSigned(hosts, new Date(0), new Date(Date.now() - 1000))],
    [
      'has the key of another',
      { ...other, certificate: makeSelfSigned(hosts, new Date(), new Date(Date.now() + 1e10)).certificate },
    ],
    ['is none', { certificate: 'nonsense', key: 'nonsense' }],
  ])('is made anew when it %s', (name, pair) => {
    const own = join(folder, name.replaceAll(' ', '-'));
    keptKeyPair(own, hosts);
    writeFileSync(join(own, 'apiserver.crt'), pair.certificate);
    writeFileSync(join(own, 'apiserver.key'), pair.key);
    const found = keptKeyPair(own, hosts);
    expect(found.certificate).not.toBe(pair.certificate);
    expect(new X509Certificate(found.certificate).checkHost('localhost')).toBe('localhost');
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
});
