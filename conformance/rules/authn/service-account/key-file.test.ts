import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../../../fixtures/temporary-folder.fixture.ts';
import { byCommand } from '../../../lab/command.ts';
import { makeLab } from '../../../lab/lab.ts';
import { makeLauncher } from '../../../lab/launcher.ts';
import type { RuleResult } from '../../../result.ts';
import { judge } from '../../../runner/judge.ts';
import rules from './key-file.rules.ts';

const folder = temporaryFolder();
const labFolder = join(folder, 'lab');
const agent = new Agent();

beforeAll(async () => void (await makeLab(labFolder)));
afterAll(() => agent.close());

/** Judges by the default of the flag, on servers that say this and end. */
const judgedWhere = (...said: readonly string[]): Promise<RuleResult> =>
  judgedBy(`for (const line of ${JSON.stringify(said)}) console.error(line); process.exit(1);`);

/** The same on servers that take no token, and tell of these keys. */
const judgedWith = (keys: string): Promise<RuleResult> =>
  judgedBy(`import { writeFileSync } from 'node:fs';
    import { createServer } from 'node:http';
    const keys = ${keys};
    const server = createServer(async (request, response) => {
      const sent = JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString() || '{}');
      const code = request.url === '/api/v1/nodes' ? 401 : request.method === 'POST' ? 201 : 200;
      response.writeHead(code, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ ...sent, keys }));
    });
    server.listen(0, '127.0.0.1', () => {
      const file = ${JSON.stringify(folder)} + '/' + process.pid + '.kubeconfig';
      const cluster = { server: 'http://127.0.0.1:' + server.address().port };
      const contexts = [{ name: 'a', context: { cluster: 'a', user: 'a' } }];
      const users = [{ name: 'a', user: { token: 'a' } }];
      const clusters = [{ name: 'a', cluster }];
      writeFileSync(file, JSON.stringify({ 'current-context': 'a', contexts, clusters, users }));
      console.log('KUBECONFIG=' + file);
    });
    process.on('SIGTERM', () => process.exit());`);

async function judgedBy(program: string): Promise<RuleResult> {
  const script = join(folder, 'launched.mjs');
  writeFileSync(script, program);
  const rule = rules.find(({ id }) => id === 'authn.service-account.key-file.default');
  if (!rule) throw new Error('the rule is gone');
  return judge(
    rule,
    { url: 'http://127.0.0.1:9', capabilities: ['lab'], labFolder, version: 'v1.25.0' },
    {
      agents: { own: agent, anonymous: agent },
      timeout: 5_000,
      patience: 200,
      keep: false,
      launcher: makeLauncher(byCommand([process.execPath, script])),
    },
  );
}

test.each([
  'E0101 00:00:00.000000       1 run.go:74] "command failed" err="service-account-key-file is a required flag"',
  'error: [--service-account-key-file is required]',
])('a server that asks for the very flag is looser: %s', async (said) => {
  const { verdict, warnings, finding } = await judgedWhere('W0101 a word before', said);
  expect(verdict).toBe('warn');
  expect(finding).toBeUndefined();
  expect(warnings.join()).toContain(said);
});

test.each([
  ['another flag', 'service-account-issuer is a required flag'],
  ['a file that is not read', 'open service-account-key-file: no such file'],
  ['nothing'],
])('a server that ends over %s fails, and what it said is shown', async (_, ...said) => {
  const { verdict, finding } = await judgedWhere(...said);
  expect(verdict).toBe('fail');
  expect(finding).toEqual({
    kind: 'preparation',
    message: `a server with chosen flags ended with code 1; it said: ${said.join('')}`,
  });
});

test('what a command does that names the keys of its servers itself is no fault of theirs', async () => {
  expect(await judgedWith("[{ kty: 'RSA', n: 'of-the-command' }]")).toMatchObject({
    verdict: 'skipped',
    reason: 'the command that starts servers names keys of its own',
  });
});

test.each([
  ['a key that each makes for itself', "[{ kty: 'RSA', n: String(process.pid) }]"],
  ['no key', '[]'],
])('servers with %s break the rule', async (_, keys) => {
  expect((await judgedWith(keys)).verdict).toBe('fail');
});
