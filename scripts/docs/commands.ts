import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { removeFolder } from '../remove-folder.ts';
import type { Page } from './pages.ts';
import { root } from './pages.ts';

/** What stands in blocks of code that say `sh test`: it is run, and must succeed. */
export const scriptsIn = ({ markdown }: Page): readonly string[] =>
  [...markdown.matchAll(/^```sh test\n([\s\S]*?)^```$/gm)].map(([, script = '']) => script);

/** What a block needs that is not on this machine. */
export const missingFor = (script: string): readonly string[] =>
  ['bash', 'kubectl'].filter(
    (tool) => (tool === 'bash' || script.includes(`${tool} `)) && spawnSync(tool, ['--help']).error,
  );

/** Milliseconds for one block. */
const patience = 180_000;

/** Runs a block as a reader would, at home in an empty folder. @throws Error with what it said */
export function runScript(script: string): void {
  const home = mkdtempSync(join(tmpdir(), 'touchstone-docs-'));
  const bin = join(home, 'bin');
  mkdirSync(bin);
  const npx = join(bin, 'npx');
  writeFileSync(npx, `#!/bin/sh\nshift\nexec '${process.execPath}' '${join(root, 'touchstone.ts')}' "$@"\n`);
  chmodSync(npx, 0o755);
  const env = {
    ...process.env,
    HOME: home,
    USERPROFILE: home,
    KUBECONFIG: '',
    PATH: `${bin}${delimiter}${process.env['PATH']}`,
  };
  try {
    execFileSync('bash', ['-euc', script], { cwd: home, env, timeout: patience, stdio: 'pipe', encoding: 'utf8' });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`a command of the documentation fails:\n${script}\n${stdout}${stderr}`);
  } finally {
    removeFolder(home);
  }
}
