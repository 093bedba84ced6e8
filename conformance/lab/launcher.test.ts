import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import { waitUntil } from '../verbs/wait-until.ts';
import { type Launcher, makeLauncher } from './launcher.ts';

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

let launcher: Launcher;

afterEach(() => launcher.stopAll());

/** A command that runs this script with the flags as its arguments. */
function launching(script: string): Launcher {
  const file = join(folder, `${Math.random().toString(36).slice(2)}.mjs`);
  writeFileSync(file, script);
  launcher = makeLauncher([process.execPath, file, 'serve']);
  return launcher;
}

const serving = `
  import { appendFileSync } from 'node:fs';
  appendFileSync(${JSON.stringify(join(folder, 'started'))}, process.argv.slice(2).join(' ') + '\\n');
  console.log('starting');
  console.log('KUBECONFIG=${kubeconfig}');
  setInterval(() => {}, 1000);
`;

test('a server gets its flags and tells where it is', async () => {
  const target = await launching(serving).withFlags(['--a=1', '--b']);
  expect(target).toEqual({ url: 'https://127.0.0.1:1', token: 'T' });
});

test('servers with the same flags are one', async () => {
  const many = launching(`${serving} console.log('ready');`);
  await Promise.all([many.withFlags(['--same']), many.withFlags(['--same']), many.withFlags(['--other'])]);
  await many.stopAll();
  await expect(many.withFlags(['--same'])).resolves.toMatchObject({ token: 'T' });
});

test('a server that ends tells why', async () => {
  const ending = launching('console.error("unknown flag --what"); process.exit(2);');
  await expect(ending.withFlags(['--what'])).rejects.toThrow('ended with code 2; it said: unknown flag --what');
});

test('a command that is not there is told of', async () => {
  launcher = makeLauncher(['/no/such/command']);
  await expect(launcher.withFlags([])).rejects.toThrow('ended with code 127; it said: spawn /no/such/command ENOENT');
});

test('a server does not outlive whoever started it', async () => {
  const pidFile = join(folder, 'pid');
  const serverFile = join(folder, 'outliving.mjs');
  writeFileSync(
    serverFile,
    `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); ${serving}`,
  );
  const starter = `import { makeLauncher } from ${JSON.stringify(join(import.meta.dirname, 'launcher.ts'))};
    await makeLauncher([process.execPath, ${JSON.stringify(serverFile)}]).withFlags([]);
    process.kill(process.pid, 'SIGKILL');`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', starter], { stdio: 'ignore' });
  await new Promise((resolve) => child.on('close', resolve));
  const pid = Number(readFileSync(pidFile, 'utf8'));
  const isGone = async (): Promise<boolean> => {
    try {
      return process.kill(pid, 0) && false;
    } catch {
      return true;
    }
  };
  launcher = makeLauncher(['none']);
  expect(await waitUntil('the server is gone', isGone, (gone) => gone)).toBe(true);
});
