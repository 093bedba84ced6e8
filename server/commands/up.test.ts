import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import { shellWord } from '../base/shell-word.ts';
import { startServer } from '../start.ts';
import { answers, lives, runFolder } from './left-behind.ts';

const entry = join(import.meta.dirname, '..', '..', 'touchstone.ts');
let home: string;

beforeEach(() => {
  home = temporaryFolder(onTestFinished);
});

afterEach(async () => {
  await run('down');
});

/** The command, at home in a folder of its own. */
function run(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const env = { ...process.env, HOME: home, USERPROFILE: home, KUBECONFIG: '' };
  return new Promise((resolve) => {
    execFile(process.execPath, [entry, ...args], { env, timeout: 25_000 }, (error, out, err) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, out, err }),
    );
  });
}

const notes = () => readdirSync(join(home, '.touchstone')).filter((file) => file.startsWith('up-'));

const runs = () => globSync(join(home, '.touchstone', 'run-*'));
const nodeCertificates = () => globSync(join(home, '.touchstone', 'run-*', 'node', '*.pem'));

describe('touchstone up and down', () => {
  it('leaves a server running that says what to do next, until it is ended', async () => {
    const { code, out } = await run('up', '--detach', '--secure-port=0');
    expect(code).toBe(0);
    expect(out).toContain(', and a node that pretends to run pods\n');
    const [, kubeconfig = ''] = /export KUBECONFIG=(\S+)/.exec(out) ?? [];
    const [url = ''] = /https:\S+/.exec(out) ?? [];
    expect(readFileSync(kubeconfig, 'utf8')).toContain(url);
    expect(notes()).toHaveLength(1);
    await expect.poll(nodeCertificates).toHaveLength(1);
    expect(await run('down')).toMatchObject({ code: 0, out: `${url} has ended\n` });
    expect(notes()).toEqual([]);
    expect(runs()).toEqual([]);
    expect(await run('down')).toMatchObject({ code: 1, err: 'touchstone down: nothing is up\n' });
  });

  it('says what to type so that a shell understands it, whatever its folder is called', async () => {
    const folder = join(home, "a folder of $HOME's");
    const { out } = await run('up', '--detach', '--secure-port=0', `--cert-dir=${folder}`);
    const [line = ''] = /export KUBECONFIG=.*/.exec(out) ?? [];
    const read = execFileSync('sh', ['-c', `${line}; cat "$KUBECONFIG"`], { encoding: 'utf8' });
    expect(read).toContain(/https:\S+/.exec(out)?.[0]);
    expect(await run('down')).toMatchObject({ code: 0 });
  });

  it('shows its own defaults, which a flag replaces', async () => {
    const { out } = await run('up', '--help');
    expect(out).toMatch(/--authorization-mode .*\n.*\(default Node,RBAC\)/);
    expect(out).toMatch(/--controllers .*\n.*\(default \*,ingress,directory-provisioner\)/);
    const replaced = await run('up', '--detach', '--secure-port=0', '--authorization-mode=RBAC', '--controllers=job');
    expect(replaced.err).toBe('');
    expect(replaced.code).toBe(0);
    expect(runs()).toEqual([]);
  });

  it('gives the server the nodes that it is told, and says how many they are', async () => {
    const { out } = await run('up', '--detach', '--secure-port=0', '--node-names=one,two');
    expect(out).toContain(', and 2 nodes that pretend to run pods\n');
    await expect.poll(nodeCertificates).toHaveLength(2);
  });

  it('keeps volumes as long as the objects that tell of them', async () => {
    const data = join(home, 'data');
    const { out } = await run('up', '--detach', '--secure-port=0', `--data-dir=${data}`);
    expect(out).toContain(`; what was stored stays in ${data}.`);
    const config = new KubeConfig();
    config.loadFromFile(/export KUBECONFIG=(\S+)/.exec(out)?.[1] ?? '');
    const core = config.makeApiClient(CoreV1Api);
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Mi' } } };
    await core.createNamespacedPersistentVolumeClaim({ namespace: 'default', body: { metadata: { name: 'a' }, spec } });
    const folders = async () => (await core.listPersistentVolume()).items.map((volume) => volume.spec?.hostPath?.path);
    await expect.poll(folders).toEqual([expect.stringContaining(join(data, 'volumes'))]);
    const [folder = ''] = await folders();
    await expect.poll(() => existsSync(folder)).toBe(true);
    await run('down');
    await run('up', '--detach', '--secure-port=0', `--data-dir=${data}`);
    expect(existsSync(folder)).toBe(true);
  });

  it('tells why it cannot start', async () => {
    const { code, err } = await run('up', '--detach', '--secure-port=many');
    expect(code).toBe(2);
    expect(err).toContain('--secure-port');
  });

  it('ends nobody by the note of a server that is gone', async () => {
    const folder = join(home, '.touchstone');
    const note = join(folder, 'up-1.json');
    mkdirSync(folder);
    // Nothing answers there; the process is this one.
    writeFileSync(note, JSON.stringify({ pid: process.pid, url: 'https://127.0.0.1:1' }));
    expect((await run('down')).code).toBe(1);
    expect(existsSync(note)).toBe(false);
  });

  it('says so when a server does not end, and leaves what tells of it', async () => {
    const folder = join(home, '.touchstone');
    await using server = await startServer({ securePort: 0, certDir: folder });
    // It answers as a server would, and minds no signal.
    const deaf = spawn('sh', ['-c', 'trap "" TERM; echo deaf; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      await once(deaf.stdout, 'data');
      const note = join(folder, 'up-1.json');
      writeFileSync(note, JSON.stringify({ pid: deaf.pid, url: server.url }));
      const said = `touchstone down: ${server.url} has not ended yet (process ${deaf.pid})\n`;
      expect(await run('down')).toEqual({ code: 1, out: '', err: said });
      expect(existsSync(note)).toBe(true);
    } finally {
      deaf.kill('SIGKILL');
    }
  });

  it('is gone when it is said to be: what starts next may have its context', async () => {
    const context = ['--secure-port=0', '--controllers=', '--kube-context=trial'];
    await run('up', '--detach', ...context);
    const [note = ''] = notes();
    const { pid } = JSON.parse(readFileSync(join(home, '.touchstone', note), 'utf8'));
    const own = join(home, '.touchstone', runFolder(pid));
    mkdirSync(own);
    // Which take a while to remove.
    for (let count = 0; count < 10_000; count++) writeFileSync(join(own, `${count}`), '');
    await run('down');
    expect(runs()).toEqual([]);
    expect((await run('up', '--detach', ...context)).err).toBe('');
    await expect.poll(() => lives(pid)).toBe(false);
    expect(readFileSync(join(home, '.kube', 'config'), 'utf8')).toContain('trial');
  });

  it('adds a context to the user’s kubeconfig, and takes it away at the end', async () => {
    const { code, out } = await run('up', '--detach', '--secure-port=0', '--controllers=', '--kube-context=trial');
    expect(code).toBe(0);
    expect(out).toContain('kubectl config use-context trial');
    const config = join(home, '.kube', 'config');
    expect(readFileSync(config, 'utf8')).toContain('trial');
    await run('down');
    expect(readFileSync(config, 'utf8')).not.toContain('trial');
    expect(readdirSync(join(home, '.touchstone')).filter((file) => file.startsWith('kubeconfig'))).toEqual([]);
  });

  it('clears away what servers have left that ended suddenly', async () => {
    await run('up', '--detach', '--secure-port=0', '--controllers=', '--kube-context=trial', '--ui');
    const folder = join(home, '.touchstone');
    const [note = ''] = notes();
    const { pid } = JSON.parse(readFileSync(join(folder, note), 'utf8'));
    for (const run of [pid, process.pid]) mkdirSync(join(folder, `run-${run}`));
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => lives(pid)).toBe(false);
    expect(readFileSync(join(home, '.kube', 'config'), 'utf8')).toContain('trial');
    expect((await run('down')).code).toBe(1);
    expect(readFileSync(join(home, '.kube', 'config'), 'utf8')).not.toContain('trial');
    expect(readdirSync(folder).filter((file) => /^(up-\d|kubeconfig|ui-|run-)/.test(file))).toEqual([
      `run-${process.pid}`,
    ]);
  });

  it('leaves nothing in the background where it is told to end before the server is ready', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const args = ['up', '--detach', '--secure-port=0', `--etcd-servers=http://127.0.0.1:${port}`];
    const starting = spawn(process.execPath, [entry, ...args], {
      env: { ...process.env, HOME: home, USERPROFILE: home, KUBECONFIG: '' },
    });
    const said = text(starting.stderr);
    const [fromServer] = (await once(silent, 'connection')) as [Socket];
    starting.kill('SIGINT');
    // Its connection ends with it.
    await Promise.all([
      once(
        fromServer.resume().on('error', () => {}),
        'close',
      ),
      once(starting, 'exit'),
    ]);
    expect(starting.exitCode).toBe(1);
    expect(await said).toBe('touchstone up: told to end before it was ready\n');
    silent.close();
  });

  it('ends with the npx that started it, which does not tell it', async () => {
    const script = `${[process.execPath, entry].map(shellWord).join(' ')} serve --secure-port=0 --cert-dir=${home} & wait`;
    const shell = spawn('sh', ['-c', script], {
      env: { ...process.env, npm_command: 'exec' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const url = await new Promise<string>((resolve) =>
      shell.stdout.once('data', (said) => resolve(`${said}`.split('\n')[0] ?? '')),
    );
    expect(await answers(url)).toBe(true);
    shell.kill('SIGTERM');
    await expect.poll(() => answers(url)).toBe(false);
  });
});
