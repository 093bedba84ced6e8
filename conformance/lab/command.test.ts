import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import { Breach, Skipped } from '../verbs/breach.ts';
import { waitUntil } from '../verbs/wait-until.ts';
import { byCommand } from './command.ts';
import type { Start, Started } from './launcher.ts';

const folder = temporaryFolder();
const kubeconfig = join(folder, 'kubeconfig');
writeFileSync(
  kubeconfig,
  JSON.stringify({
    clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:1' } }],
    users: [{ name: 'u', user: { token: 'T' } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  }),
);

const started: Started[] = [];

afterEach(async () => void (await Promise.all(started.splice(0).map(({ stop }) => stop()))));

/** A command that runs this script with the flags as its arguments. */
function launching(script: string): Start {
  const file = join(folder, `${Math.random().toString(36).slice(2)}.mjs`);
  writeFileSync(file, script);
  return byCommand([process.execPath, file, 'serve']);
}

/** Whether the process whose id a file holds has ended. */
const isGone = (pidFile: string) => async (): Promise<boolean> => {
  try {
    return process.kill(Number(readFileSync(pidFile, 'utf8')), 0) && false;
  } catch {
    return true;
  }
};

const serving = `
  import { appendFileSync } from 'node:fs';
  appendFileSync(${JSON.stringify(join(folder, 'started'))}, process.argv.slice(2).join(' ') + '\\n');
  console.log('starting');
  console.log('KUBECONFIG=${kubeconfig}');
  setInterval(() => {}, 1000);
`;

test('a server gets its flags and tells where it is', async () => {
  const server = await launching(serving)(['--a=1', '--b']);
  started.push(server);
  expect(readFileSync(join(folder, 'started'), 'utf8')).toBe('serve --a=1 --b\n');
  expect(server.target).toEqual({ url: 'https://127.0.0.1:1', token: 'T' });
});

test('a server that ends tells why', async () => {
  const ending = launching('console.error("unknown flag --what"); process.exit(2);');
  await expect(ending(['--what'])).rejects.toThrow('ended with code 2; it said: unknown flag --what');
});

test('of a server that is not there in time nothing is known, and it is ended', async () => {
  const pidFile = join(folder, 'late');
  const script = `require('node:fs').writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); setInterval(() => {}, 1000)`;
  const late = byCommand([process.execPath, '-e', script, '--'], 1_500)([]);
  await expect(late).rejects.toThrow('did not serve within 1500 ms');
  await expect(late).rejects.toBeInstanceOf(Skipped);
  expect(await waitUntil('the server is gone', isGone(pidFile), (gone) => gone)).toBe(true);
});

test('a server whose kubeconfig cannot be read is told of, and ended', async () => {
  const pidFile = join(folder, 'unknown');
  const script = `require('node:fs').writeFileSync(${JSON.stringify(pidFile)}, String(process.pid));
    console.log('KUBECONFIG=/no/such/file'); setInterval(() => {}, 1000)`;
  const unknown = byCommand([process.execPath, '-e', script, '--'])([]);
  await expect(unknown).rejects.toThrow('a server with chosen flags said where it is, but there is no /no/such/file');
  await expect(unknown).rejects.toBeInstanceOf(Breach);
  expect(await waitUntil('the server is gone', isGone(pidFile), (gone) => gone)).toBe(true);
});

test('a command that is not there is told of', async () => {
  await expect(byCommand(['/no/such/command'])([])).rejects.toThrow(
    'ended with code 127; it said: spawn /no/such/command ENOENT',
  );
});

test('a server does not outlive whoever started it', async () => {
  const pidFile = join(folder, 'pid');
  const serverFile = join(folder, 'outliving.mjs');
  writeFileSync(
    serverFile,
    `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); ${serving}`,
  );
  const starter = `import { byCommand } from ${JSON.stringify(join(import.meta.dirname, 'command.ts'))};
    await byCommand([process.execPath, ${JSON.stringify(serverFile)}])([]);
    process.kill(process.pid, 'SIGKILL');`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', starter], { stdio: 'ignore' });
  await new Promise((resolve) => child.on('close', resolve));
  expect(await waitUntil('the server is gone', isGone(pidFile), (gone) => gone)).toBe(true);
});
