import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { get as getPlain } from 'node:http';
import { get as getSecure } from 'node:https';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import { freePort } from '../../free-port.ts';
import { makeSelfSigned } from '../x509/self-signed.ts';
import { sortFlags } from './apiserver.ts';
import { main, writeAssets } from './assets.ts';

const folder = temporaryFolder();
const assets = join(folder, "it's here");
const started: ChildProcess[] = [];

beforeAll(() => void writeAssets(assets));
afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
});

/** What the process says and how it ends. */
function start(program: string, ...args: string[]) {
  const child = spawn(join(assets, program), args, { stdio: ['ignore', 'ignore', 'pipe'] });
  started.push(child);
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  return { child, ended: once(child, 'exit').then(([code]) => code as number | null), said: () => said };
}

interface Asked {
  readonly status: number | undefined;
  readonly certificate: string;
}

const ask = (url: string): Promise<Asked> =>
  new Promise((resolve, reject) => {
    const call = url.startsWith('https')
      ? getSecure(url, { rejectUnauthorized: false, agent: false }, answer)
      : getPlain(url, { agent: false }, answer);
    function answer(response: import('node:http').IncomingMessage) {
      const { socket, statusCode: status } = response;
      const shown = 'getPeerCertificate' in socket ? (socket as import('node:tls').TLSSocket).getPeerCertificate() : {};
      response.resume();
      resolve({ status, certificate: String((shown as { fingerprint256?: string }).fingerprint256 ?? '') });
    }
    call.on('error', reject);
  });

const until = (url: string) =>
  expect
    .poll(
      () =>
        ask(url).then(
          ({ status }) => status,
          () => 0,
        ),
      { timeout: 20_000, interval: 20 },
    )
    .toBe(200);

describe('the stand-ins', () => {
  it('are programs that say which flags they know, without Node', () => {
    for (const program of ['etcd', 'kube-apiserver', 'kubectl'])
      expect(statSync(join(assets, program)).mode & 0o777).toBe(0o755);
    const help = execFileSync(join(assets, 'kube-apiserver'), ['--help'], { encoding: 'utf8', env: {} });
    expect(help).toMatch(/^\s*--secure-port\b/m);
    expect(help).not.toMatch(/^\s*--insecure-port\b/m);
    expect(execFileSync(join(assets, 'etcd'), ['--help'], { encoding: 'utf8' })).toMatch(/^\s*--data-dir\b/m);
  });

  it('start and end as envtest has it', async () => {
    const [etcdPort, port] = [await freePort(), await freePort()];
    const etcd = start('etcd', `--listen-client-urls=http://127.0.0.1:${etcdPort}`, `--data-dir=${folder}`);
    await until(`http://127.0.0.1:${etcdPort}/health`);
    const pair = makeSelfSigned(['localhost'], new Date(Date.now() - 1000), new Date(Date.now() + 60_000));
    for (const [name, text] of [
      ['apiserver.crt', pair.certificate],
      ['apiserver.key', pair.key],
      ['client-ca.crt', pair.certificate],
      ['sa.key', pair.key],
    ] as const)
      writeFileSync(join(folder, name), text);
    const server = start(
      'kube-apiserver',
      `--etcd-servers=http://127.0.0.1:${etcdPort}`,
      `--cert-dir=${folder}`,
      `--secure-port=${port}`,
      '--bind-address=127.0.0.1',
      '--authorization-mode=RBAC',
      '--disable-admission-plugins=ServiceAccount',
      `--client-ca-file=${join(folder, 'client-ca.crt')}`,
      `--service-account-issuer=https://127.0.0.1:${port}/`,
      `--service-account-key-file=${join(folder, 'client-ca.crt')}`,
      `--service-account-signing-key-file=${join(folder, 'sa.key')}`,
      '--service-cluster-ip-range=10.0.0.0/24',
      '--allow-privileged=true',
    );
    await until(`https://127.0.0.1:${port}/healthz`);
    const { certificate } = await ask(`https://127.0.0.1:${port}/healthz`);
    expect(certificate, 'it shows the certificate in --cert-dir').toBe(fingerprintOf(pair.certificate));
    expect(server.said()).toBe('touchstone: --etcd-servers is left out\n');
    for (const { child, ended } of [server, etcd]) {
      child.kill('SIGTERM');
      expect(await ended).toBe(0);
    }
  });

  it('say in a line what is wrong', async () => {
    const server = start('kube-apiserver', '--secure-port=many');
    expect(await server.ended).toBe(2);
    expect(server.said()).toBe('touchstone: --secure-port takes a whole number, not "many"\n');
    const etcd = start('etcd', '--data-dir=x');
    expect(await etcd.ended).toBe(2);
    expect(etcd.said()).toContain('--listen-client-urls');
  });
});

const fingerprintOf = (pem: string) => new X509Certificate(pem).fingerprint256;

describe('flags of a genuine API server', () => {
  it('are taken where this server has them, with their values', () => {
    const args = ['--v=2', '--watch-cache', '--storage-backend', 'etcd3', '--secure-port', '1', '--etcd-servers=x'];
    expect(sortFlags(args)).toEqual({
      known: ['--v=2', '--secure-port', '1'],
      unknown: ['watch-cache', 'storage-backend', 'etcd-servers'],
    });
  });
});

it('takes the place of programs that it wrote itself, and of nobody else’s', () => {
  const place = join(folder, 'genuine');
  writeAssets(place);
  writeFileSync(join(place, 'kube-apiserver'), '');
  expect(writeAssets(place)).toBe(place);
  writeFileSync(join(place, 'etcd'), '#!/bin/sh\n# Written by touchstone, or so.\n');
  const before = statSync(join(place, 'kube-apiserver')).mtimeMs;
  expect(() => writeAssets(place)).toThrow(`${join(place, 'etcd')} is there, and none of ours: name another folder`);
  expect(statSync(join(place, 'kube-apiserver')).mtimeMs).toBe(before);
  rmSync(join(place, 'etcd'));
  mkdirSync(join(place, 'etcd'));
  expect(() => writeAssets(place)).toThrow('none of ours');
});

it('the command wants one folder', async () => {
  expect(await main([])).toBe(2);
  expect(await main(['a', 'b'])).toBe(2);
  expect(await main(['--what'])).toBe(2);
});
