import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../../../fixtures/temporary-folder.fixture.ts';
import { judge } from '../../../judge.ts';
import { byCommand } from '../../../lab/command.ts';
import { makeLab } from '../../../lab/lab.ts';
import { makeLauncher } from '../../../lab/launcher.ts';
import type { RuleResult } from '../../../result.ts';
import rules from './key-file.rules.ts';

const folder = temporaryFolder();
const labFolder = join(folder, 'lab');
const agent = new Agent();

beforeAll(async () => void (await makeLab(labFolder)));
afterAll(() => agent.close());

/** Judges by the default of the flag, on servers that say this and end. */
async function judgedWhere(...said: readonly string[]): Promise<RuleResult> {
  const script = join(folder, 'ending.mjs');
  writeFileSync(script, `for (const line of ${JSON.stringify(said)}) console.error(line); process.exit(1);`);
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
