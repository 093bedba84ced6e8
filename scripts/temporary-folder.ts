import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
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
    const told = left.sort().flatMap((name) => [name, ...within(folder, name)]);
    rmSync(folder, { recursive: true, force: true });
    if (told.length > 0) throw new Error(`tests left in the temporary folder: ${told.join(', ')}`);
  };
}

/** How many of the files of a folder are told: they show whose it was. */
const mostTold = 10;

/** What is in a folder, if it is one. */
const within = (folder: string, name: string): string[] =>
  lstatSync(join(folder, name)).isDirectory()
    ? readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' })
        .slice(0, mostTold)
        .map((file) => join(name, file))
    : [];
