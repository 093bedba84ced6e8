#!/usr/bin/env node
// `npm run bench-beside [-- --assets DIR]`: how soon the reference server answers and what it weighs then, the same of its
// stand-ins for envtest, and of envtest's own kube-apiserver and etcd where DIR holds them (as KUBEBUILDER_ASSETS does).
import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../free-port.ts';
import { writeAssets } from '../../server/envtest/assets.ts';
import { given, mistaken } from '../given.ts';

const runs = 5;
/** Milliseconds until a server must be ready. */
const patience = 120_000;
const token = 'bench-beside';

/** What is started, last what is asked. */
type Start = (folder: string, port: number) => Promise<readonly ChildProcess[]>;

const quietly = (program: string, ...args: readonly string[]): ChildProcess =>
  spawn(program, [...args], { stdio: 'ignore' });

/** Both serve this user, an administrator, and no one else. */
function tokenFile(folder: string): string {
  const file = join(folder, 'tokens.csv');
  writeFileSync(file, `${token},admin,1,system:masters\n`, { mode: 0o600 });
  return `--token-auth-file=${file}`;
}

const reference: Start = async (folder, port) => {
  const entry = join(import.meta.dirname, '../../touchstone.ts');
  const flags = [`--secure-port=${port}`, `--cert-dir=${folder}`, tokenFile(folder)];
  return [quietly(process.execPath, entry, 'serve', ...flags)];
};

/** The two programs in a folder, or what stands in for them. */
const pair =
  (assets: string): Start =>
  async (folder, port) => {
    const [client, peer] = [await freePort(), await freePort()].map((each) => `http://127.0.0.1:${each}`);
    const urls = [`--listen-client-urls=${client}`, `--advertise-client-urls=${client}`, `--listen-peer-urls=${peer}`];
    const etcd = quietly(join(assets, 'etcd'), `--data-dir=${folder}/etcd`, '--unsafe-no-fsync', ...urls);
    const key = join(folder, 'service-account.key');
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    writeFileSync(key, privateKey.export({ type: 'pkcs1', format: 'pem' }), { mode: 0o600 });
    const accounts = ['issuer=https://localhost/', `key-file=${key}`, `signing-key-file=${key}`];
    const flags = [`--etcd-servers=${client}`, `--secure-port=${port}`, `--cert-dir=${folder}`, tokenFile(folder)];
    flags.push('--authorization-mode=RBAC', '--service-cluster-ip-range=10.0.0.0/24');
    flags.push(...accounts.map((flag) => `--service-account-${flag}`));
    return [etcd, quietly(join(assets, 'kube-apiserver'), ...flags)];
  };

const isReady = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}` };
    // Its certificate is one that it has just made.
    const options = { port, headers, path: '/readyz', rejectUnauthorized: false, agent: false, timeout: 10_000 };
    const asked = request({ host: '127.0.0.1', ...options }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    asked.on('error', () => resolve(false));
    asked.on('timeout', () => asked.destroy());
    asked.end();
  });

/** MiB that a process has in memory, where the system tells (Linux). */
function weight({ pid }: ChildProcess): number {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}

async function end(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  if (child.exitCode === null && child.kill()) await gone;
}

async function once(start: Start): Promise<{ readonly seconds: number; readonly mebibytes: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-beside-'));
  const port = await freePort();
  const began = performance.now();
  const children = await start(folder, port);
  try {
    while (!(await isReady(port))) {
      const isOver = children.some(({ exitCode }) => exitCode !== null) || performance.now() - began > patience;
      if (isOver) throw new Error('it ended, or did not become ready');
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const seconds = (performance.now() - began) / 1_000;
    return { seconds, mebibytes: children.reduce((sum, child) => sum + weight(child), 0) };
  } finally {
    for (const child of children.toReversed()) await end(child);
    rmSync(folder, { recursive: true, force: true });
  }
}

const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;

const { values } = given('bench-beside', { options: { assets: { type: 'string' } } });
const missing = values.assets
  ? ['etcd', 'kube-apiserver'].find((name) => !existsSync(join(values.assets ?? '', name)))
  : undefined;
if (missing) mistaken('bench-beside', `there is no ${join(values.assets ?? '', missing)}`);
const standIns = mkdtempSync(join(tmpdir(), 'touchstone-stand-ins-'));
process.once('exit', () => rmSync(standIns, { recursive: true, force: true }));
const sides: Readonly<Record<string, Start>> = {
  'touchstone serve': reference,
  'its stand-ins for kube-apiserver and etcd': pair(writeAssets(standIns)),
  ...(values.assets ? { 'kube-apiserver and etcd': pair(values.assets) } : {}),
};
console.log('| | ready after, s | in memory then, MiB |\n|---|---:|---:|');
for (const [name, start] of Object.entries(sides)) {
  const measured = [];
  for (let run = 0; run < runs; run += 1) measured.push(await once(start));
  const [seconds, mebibytes] = [measured.map((each) => each.seconds), measured.map((each) => each.mebibytes)];
  console.log(`| ${name} | ${median(seconds).toFixed(2)} | ${median(mebibytes).toFixed(0)} |`);
}
