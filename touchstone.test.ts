import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from './fixtures/temporary-folder.fixture.ts';
import { shellWord } from './server/base/shell-word.ts';
import { flagsIn, shells } from './server/commands/completion.ts';

const entry = join(import.meta.dirname, 'touchstone.ts');
/** For a shell, wherever the project is. */
const command = [process.execPath, entry].map(shellWord).join(' ');
const folder = temporaryFolder();

function run(args: readonly string[], env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [entry, ...args], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
    timeout: 20_000,
  });
  return { code: status, out: stdout, err: stderr };
}

const names = [...run(['--help']).out.matchAll(/^ {2}([a-z-]+) {2,}\S/gm)].map(([, name = '']) => name);

/** A word with its second letter and its third in each other's place. */
const slipOf = (word: string) => word.replace(/^(--)?(.)(.)(.)/, '$1$2$4$3');

/** The lines of each shell's script. */
const completed = Object.fromEntries(shells.map((shell) => [shell, run(['completion', shell]).out.split('\n')]));

describe('the command', () => {
  it('lists its commands', () => {
    expect(names.length).toBeGreaterThan(10);
    expect(run(['--help']).code).toBe(0);
    expect(run([])).toMatchObject({ code: 2, out: '' });
    const lost = 'touchstone: there is no command';
    expect(run(['toString'])).toEqual({ code: 2, out: '', err: `${lost} "toString"; touchstone --help lists them\n` });
    expect(run(['srve']).err).toBe(`${lost} "srve" (did you mean serve?); touchstone --help lists them\n`);
    expect(run(['help', 'explain']).out).toBe(run(['explain', '--help']).out);
  });

  it.each(names)('%s explains itself, with examples whose flags it knows', (name) => {
    const { code, out, err } = run([name, '--help']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const [help = '', examples = ''] = out.split('\nExamples:\n');
    expect(help).toMatch(new RegExp(`^Usage: touchstone ${name}`));
    const lines = examples.split('\n').filter(Boolean);
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).toMatch(new RegExp(`^ {2}touchstone ${name}( |$)`));
    // Each party has flags of its own.
    const parties = name === 'judge' ? ['client', 'ingress', 'signer', 'webhook'] : [];
    const told = [help, ...parties.map((party) => run([name, party, '--help']).out.split('\nExamples:\n')[0])].join(
      '\n',
    );
    const known = [...flagsIn(told), ...(told.match(/--[a-z-]+/g) ?? []).map((flag) => flag.slice(2))];
    for (const [, flag = ''] of examples.matchAll(/ --([a-z-]+)/g)) expect(known).toContain(flag);
    for (const [shell, lines] of Object.entries(completed)) {
      const own = lines.filter((line) => new RegExp(`^( {4}|.* )${name}[)'].*`).test(line)).join('\n');
      const missing = flagsIn(told).filter((flag) => !new RegExp(`-(-|l )${flag}(?![\\w-])`).test(own));
      expect(missing, `flags that ${shell} does not complete`).toEqual([]);
    }
  });

  it.each(names)('%s knows what was meant by a slip', (name) => {
    const [line = ''] = completed.bash?.filter((each) => each.startsWith(`    ${name}) words=`)) ?? [];
    const [, flags = '', first = ''] = /words='(.*)' first='(.*)'/.exec(line) ?? [];
    const words = first.split(' ').filter(Boolean);
    const flag = flags.split(' ').find((each) => slipOf(each) !== each);
    const before = { judge: ['client'], snapshot: ['save', 'file'] }[name] ?? [];
    const meant = [
      { args: [], right: '--help' },
      ...words.map((right) => ({ args: [], right })),
      ...(name === 'judge' ? words.map((word) => ({ args: [word], right: '--help' })) : []),
      ...(flag ? [{ args: before, right: flag }] : []),
    ];
    for (const { args, right } of meant) {
      const { code, out, err } = run([name, ...args, slipOf(right)]);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err.split('\n')[0]).toContain(`(did you mean ${right}?)`);
    }
  });

  it('completes itself in a shell', () => {
    const { code, out } = run(['completion', 'bash']);
    expect(code).toBe(0);
    for (const name of names) expect(out).toContain(`    ${name}) words=`);
    expect(out).toMatch(/serve\) words='.*--secure-port .*--faults/);
    expect(out).toMatch(/judge\) words='.*--self-check/);
    expect(out).toMatch(/up\) words='--detach .*--secure-port/);
    expect(out).toMatch(/report\) words='--out/);
    expect(run(['completion', 'bsh'])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^touchstone completion: unexpected "bsh" \(did you mean bash\?\)\n/),
    });
  });
});

describe('what goes wrong', () => {
  it.each([
    [
      ['serve', '--secure-port=0', '--cert-dir=/proc/nowhere'],
      /^touchstone serve: \/proc\/nowhere cannot be written .*--cert-dir/,
    ],
    [['up', '--detach', '--secure-port=0'], /^touchstone up: \/proc\/nowhere\S* cannot be written .*HOME/],
    [['serve', '--logging-format=xml'], /^touchstone serve: --logging-format takes text or json, not "xml"/],
    [['serve', '--output=xml'], /^touchstone serve: --output takes text or json/],
    [
      ['report', '--ot', 'x'],
      /^touchstone report: unknown flag --ot \(did you mean --out\?\); --help lists the flags$/m,
    ],
    [['rules', '--markdwn'], /^touchstone rules: unexpected "--markdwn" \(did you mean --markdown\?\)/],
    [['up', '--detch'], /^touchstone up: unknown flag --detch \(did you mean --detach\?\); --help lists them/],
    [['explain', 'lists.paging.limit', 'stray'], /^touchstone explain: unexpected "stray"/],
    [['down', 'stray'], /^touchstone down: unexpected argument "stray"/],
  ])('%j is said in a line', (args, expected) => {
    const { code, out, err } = run(args, { HOME: '/proc/nowhere', USERPROFILE: '/proc/nowhere' });
    expect(code).not.toBe(0);
    expect(out).toBe('');
    expect(err).toMatch(expected);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
  });

  it('says who has the port', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { code, err } = run(['serve', `--secure-port=${port}`, `--cert-dir=${folder}`]);
    expect(code).toBe(1);
    expect(err).toMatch(new RegExp(`^touchstone serve: port ${port} of 127.0.0.1 is taken .*--secure-port`));
    server.close();
  });
});

it('ends in silence when nobody reads to the end', () => {
  const script = `{ ${command} rules; echo "code $?" >&2; } | head -1`;
  const { stdout, stderr } = spawnSync('sh', ['-c', script], { encoding: 'utf8', timeout: 20_000 });
  expect(stdout.trimEnd().split('\n')).toHaveLength(1);
  expect(stderr).toBe('code 0\n');
});

it('does what is asked also where nobody reads what it says of that', async () => {
  const child = spawn(process.execPath, [entry, 'nope'], { stdio: ['ignore', 'ignore', 'pipe'] });
  child.stderr.destroy();
  // The code of wrong usage, and not of what has gone wrong in itself.
  expect(await once(child, 'exit')).toEqual([2, null]);
});

it.runIf(existsSync('/dev/full'))('says that it cannot print, where the disk is full', () => {
  const script = `${command} rules > /dev/full; echo "code $?"`;
  const { stdout, stderr } = spawnSync('sh', ['-c', script], { encoding: 'utf8', timeout: 20_000 });
  expect({ stdout, stderr }).toEqual({
    stdout: 'code 1\n',
    stderr: 'touchstone: standard output cannot be written (the disk is full)\n',
  });
});

describe('for programs', () => {
  it('serve says where it is as JSON, and logs as JSON', () => {
    const script = `${command} serve --secure-port=0 --cert-dir=${folder} --output=json --logging-format=json -v=4 >${folder}/said & until [ -s ${folder}/said ]; do sleep 0.1; done; kill $!; wait; cat ${folder}/said`;
    const { stdout } = spawnSync('sh', ['-c', script], { encoding: 'utf8', timeout: 60_000 });
    const { url, kubeconfig } = JSON.parse(stdout);
    expect(url).toMatch(/^https:/);
    expect(kubeconfig).toMatch(/^\//);
    expect(() => readFileSync(kubeconfig)).toThrow('ENOENT');
  });
});
