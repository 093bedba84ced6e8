import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RuleContext } from './context.ts';

/** A folder for files of the rule; it goes with the rule. */
export function temporaryFolder({ release }: Pick<RuleContext, 'release'>): string {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-rule-'));
  release(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
