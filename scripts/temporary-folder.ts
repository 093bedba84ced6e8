import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Before all tests: gives them a temporary folder of their own. After them it must be empty: what a test or a command
 * leaves there it would leave on everybody's machine.
 */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-tests-'));
  process.env.TMPDIR = folder;
  return () => {
    // The runtime's own cache of compiled code is there to stay.
    const left = readdirSync(folder).filter((name) => name !== 'node-compile-cache');
    rmSync(folder, { recursive: true, force: true });
    if (left.length > 0) throw new Error(`tests left in the temporary folder: ${left.sort().join(', ')}`);
  };
}
