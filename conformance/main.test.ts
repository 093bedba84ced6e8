import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../fixtures/temporary-folder.fixture.ts';
import { type FakeServer, startFakeServer, type Whim } from './fake-server.fixture.ts';
import { makeAuthority, makePair } from './lab/certificates.ts';
import { startHttps } from './target/https-target.fixture.ts';

let fake: FakeServer | undefined;

afterEach(async () => {
  await fake?.stop();
  fake = undefined;
});

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const script = `import { main } from ${JSON.stringify(join(import.meta.dirname, 'main.ts'))}; process.exitCode = await main(process.argv.slice(1));`;

/** Runs the command as a user would, from a folder that is not ours. */
function run(
  argv: readonly string[],
  cwd = temporaryFolder(onTestFinished),
  more: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const env = { ...process.env, ...more };
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script, '--', ...argv], { cwd, env });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err })));
}

const noGets: Whim = ({ method, path }, response) =>
  method === 'GET' && /\/secrets\//.test(path) && Boolean(response.writeHead(404).end('{}'));

test('a target that keeps the rules gets exit code 0, a table and reports', async () => {
  fake = await startFakeServer();
  const folder = temporaryFolder(onTestFinished);
  const { code, out, err } = await run(
    ['--server', fake.url, '--token', 'T', '--rule', 'meta.metadata', '--out', 'reports'],
    folder,
  );
  expect(err).toContain('1/1 rules');
  expect(out).toContain('PASS meta.metadata');
  expect(out).toContain('$ curl -sS');
  expect(out).toContain('976 documented rules');
  expect(out).not.toContain('Bearer T');
  expect(code).toBe(0);
  expect(JSON.parse(readFileSync(join(folder, 'reports', 'conformance.json'), 'utf8')).counts.pass).toBe(1);
  expect(readFileSync(join(folder, 'reports', 'conformance.xml'), 'utf8')).toContain(
    '<testcase classname="meta" name="meta.metadata"',
  );
});

test('a broken must gets exit code 1 and says why', async () => {
  fake = await startFakeServer(noGets);
  const { code, out } = await run([
    '--server',
    fake.url,
    '--rule',
    'meta.metadata',
    '--out',
    temporaryFolder(onTestFinished),
  ]);
  expect(out).toMatch(/FAIL meta\.metadata[\s\S]*rule: .*must; Kinds, Common metadata/);
  expect(code).toBe(1);
});

test('--self-check tells what has teeth', async () => {
  fake = await startFakeServer();
  const { code, out } = await run(['--server', fake.url, '--self-check', '--disruptive', '--rule', 'meta.metadata']);
  expect(out).toMatch(/^1 rules, \d sabotages, 3 runs on dead servers: 1 proven, 0 not, 0 skipped.$/m);
  expect(code).toBe(0);
});

test('--list prints what would run and runs nothing', async () => {
  const { code, out } = await run(['--list', '--chapter', 'names', '--level', 'may', '--server', 'http://127.0.0.1:1']);
  expect(out).toBe(
    'may    names.virtual.none  Types that stand for an operation may do without a name, and store nothing.\n',
  );
  expect(code).toBe(0);
});

test.each([
  [['--nonsense'], /^touchstone conformance: .*nonsense.*\n$/],
  [['--rule', 'event.best-effort'], /^touchstone conformance: no rule with a check is selected\n$/],
])('%j is wrong usage: exit code 2 and one line', async (argv, line) => {
  const { code, out, err } = await run(argv);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(line);
});

test('--help tells the flags', async () => {
  const { code, out } = await run(['--help']);
  expect(out).toContain('Usage: touchstone conformance');
  expect(code).toBe(0);
});

test('a target that refuses the credentials ends the run at once: exit code 3 and one sentence', async () => {
  fake = await startFakeServer((_, response) => Boolean(response.writeHead(401).end('{"message":"Unauthorized"}')));
  const { code, out, err } = await run(['--server', fake.url, '--token', 'T']);
  expect({ code, out }).toEqual({ code: 3, out: '' });
  expect(err).toBe(`touchstone conformance: ${fake.url} refuses the credentials: Unauthorized.\n`);
});

test('what a target says moves no cursor and changes no colour', async () => {
  const status = { kind: 'Status', message: 'no\u001b[2J\u009b31m\rway' };
  fake = await startFakeServer(({ path }, response) => {
    const code = path === '/api' || path === '/version' ? 200 : 422;
    return Boolean(response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(status)));
  });
  const { out, err } = await run(['--server', fake.url, '--token', 'T', '--chapter', 'meta']);
  expect(out + err).toContain('no\ufffd[2J\ufffd31m\ufffdway');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  expect(out + err).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
});

test('without an authority that is named, those of the machine are trusted', async () => {
  const authority = await makeAuthority('company');
  const pair = await makePair({ name: 'CN=target', usage: 'server', hosts: ['127.0.0.1'] }, authority);
  const running = await startHttps(pair, (_, response) => response.writeHead(401).end('{}'));
  onTestFinished(running.stop);
  const folder = temporaryFolder(onTestFinished);
  const roots = join(folder, 'roots.pem');
  writeFileSync(roots, authority.certificate);
  const argv = ['--server', running.url, '--token', 'T'];
  expect((await run(argv, folder)).err).toContain('of an authority that is not trusted');
  expect((await run(argv, folder, { SSL_CERT_FILE: roots })).err).toContain('refuses the credentials');
});

test('a dry run shows what rules send, in all their cells, and sends nothing to the target', async () => {
  fake = await startFakeServer();
  const { code, out, err } = await run(['--server', fake.url, '--dry-run', '--rule', 'meta.metadata']);
  expect(err).not.toContain('Error');
  expect(out).toContain('meta.metadata\n');
  expect(out).toMatch(/^ +POST \/api\/v1\/namespaces\/\{namespace\}\/\w+/m);
  expect(out).toMatch(/^1 rule;/m);
  expect(fake.requests).toEqual([]);
  expect(code).toBe(0);
});

test('a report that cannot be written keeps nobody from what the run has found', async () => {
  const folder = temporaryFolder(onTestFinished);
  mkdirSync(join(folder, 'reports', 'conformance.xml'), { recursive: true });
  fake = await startFakeServer();
  const kept = await run(['--server', fake.url, '--rule', 'meta.metadata', '--out', 'reports'], folder);
  expect(kept.err).toContain('touchstone conformance: --out: a report in reports cannot be written (it is a folder)\n');
  expect(kept.out).not.toContain('Reports: ');
  expect(kept.code).toBe(1);
  await fake.stop();
  fake = await startFakeServer(noGets);
  const chosen = ['--chapter', 'meta', '--level', 'must', '--out', 'reports'];
  const broken = await run(['--server', fake.url, ...chosen], folder);
  expect(broken.err).toContain('cannot be written (it is a folder)');
  expect(broken.out).toMatch(/FAIL meta\.metadata/);
  expect(broken.code).toBe(1);
});
