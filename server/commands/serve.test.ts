import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import { serverFlags } from '../options/flags.ts';

const folder = temporaryFolder();
const command = join(import.meta.dirname, '..', '..', 'touchstone.ts');

/** Runs the command to its end; a server is told to stop as soon as it has said where it is. */
function run(...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  return runAnd(() => undefined, ...args);
}

/** Does something else before a server is told to stop. */
function runAnd(act: (kubeconfig: string) => void, ...args: string[]): ReturnType<typeof run> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [command, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '';
    let err = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
      const [, kubeconfig] = /^KUBECONFIG=(.*)\n/m.exec(out) ?? [];
      if (kubeconfig === undefined) return;
      act(kubeconfig);
      child.kill('SIGTERM');
    });
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    child.on('close', (code) => resolve({ code, out, err }));
  });
}

describe('touchstone serve', () => {
  it('says where it is and how to get in, and stops when told to', async () => {
    const kubeconfig = join(folder, 'config');
    const { code, out, err } = await run(
      'serve',
      '--secure-port=0',
      `--cert-dir=${folder}`,
      `--write-kubeconfig=${kubeconfig}`,
    );
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const [url = '', file = ''] = out.split('\n');
    expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(file).toBe(`KUBECONFIG=${kubeconfig}`);
    expect(readFileSync(kubeconfig, 'utf8')).toContain(url);
  });

  it('ends in good order when somebody has removed its kubeconfig', async () => {
    const { code, err } = await runAnd(
      (kubeconfig) => rmSync(kubeconfig),
      'serve',
      '--secure-port=0',
      `--cert-dir=${folder}`,
    );
    expect({ code, err }).toEqual({ code: 0, err: '' });
  });

  it('ends where it cannot write where it is', async () => {
    const inFile = join(folder, 'file', 'config');
    writeFileSync(join(folder, 'file'), '');
    const flags = ['--secure-port=0', `--cert-dir=${folder}/own`, `--write-kubeconfig=${inFile}`];
    const { code, out, err } = await run('serve', ...flags);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(new RegExp(`^touchstone serve: ${join(folder, 'file')}\\S* cannot be written [^\n]+\n$`));
  });

  it('begins nothing where its kubeconfig would take the place of somebody else’s', async () => {
    const theirs = join(folder, 'theirs');
    writeFileSync(theirs, 'kind: Config\ncontexts: [{name: work, context: {}}]\n');
    const { code, out, err } = await run(
      'serve',
      '--secure-port=0',
      `--cert-dir=${folder}`,
      `--write-kubeconfig=${theirs}`,
    );
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('name another file, or add a context to your own with --kube-context');
    expect(readFileSync(theirs, 'utf8')).toContain('work');
  });

  it('ends at once when it is told to while it waits for an etcd', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const flags = ['--secure-port=0', `--cert-dir=${folder}/waiting`, `--etcd-servers=http://127.0.0.1:${port}`];
    const child = spawn(process.execPath, [command, 'serve', ...flags], { stdio: ['ignore', 'inherit', 'pipe'] });
    const err = text(child.stderr);
    const ended = once(child, 'exit');
    await once(silent, 'connection');
    const begun = performance.now();
    child.kill('SIGTERM');
    expect(await ended).toEqual([1, null]);
    expect(performance.now() - begun).toBeLessThan(3000);
    expect(await err).toBe('touchstone serve: told to end before it was ready\n');
    silent.close();
  });

  it('explains every flag', async () => {
    const { code, out } = await run('serve', '--help');
    expect(code).toBe(0);
    for (const { name } of serverFlags) expect(out).toContain(`  --${name}`);
  });

  it('says which version of the API it serves', async () => {
    const { code, out } = await run('serve', '--version');
    expect(code).toBe(0);
    expect(out).toMatch(/^Kubernetes v1\.25\.\d+\S*\n$/);
  });

  it.each([['--no-such-flag'], ['--secure-port=many'], ['--feature-gates=ajar'], ['--token-auth-file=/no/such/file']])(
    'refuses %s in one line',
    async (flag) => {
      const { code, out, err } = await run('serve', flag);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toMatch(/^touchstone serve: [^\n]+\n$/);
    },
  );
});

it.each([
  [[], 2, 'Usage: touchstone <command>'],
  [['help'], 0, 'Usage: touchstone <command>'],
  [['nonsense'], 2, 'touchstone: there is no command "nonsense"; touchstone --help lists them\n'],
  [['sevre'], 2, 'touchstone: there is no command "sevre" (did you mean serve?); touchstone --help lists them\n'],
])('touchstone %j ends with %d', async (args, code, said) => {
  const result = await run(...args);
  expect(result.code).toBe(code);
  expect(result.out + result.err).toContain(said);
});
