import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const relative = /(?:from|import)\s*\(?\s*["'](\.[^"']+)["']/g;

/** The declarations that one leads to. They name each other as sources or as what these are compiled to. */
const neighbours = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(relative)].map(([, path = '']) =>
    join(dirname(file), path.replace(/\.[jt]s$/, '.d.ts')),
  );

/** Removes the declarations that nobody who enters by one of these doors comes across. */
export function keepReachable(dist: string, doors: readonly string[]): void {
  const seen = new Set(doors);
  // A set goes on with what is added on the way.
  for (const file of seen) for (const next of neighbours(file)) seen.add(next);
  for (const file of globSync('**/*.d.ts', { cwd: dist })) if (!seen.has(join(dist, file))) rmSync(join(dist, file));
  for (const file of seen) leaveOutEffects(file);
}

/** What a module imports for its effects alone is no matter of types, and those who read them may not have it. */
function leaveOutEffects(file: string): void {
  const text = readFileSync(file, 'utf8');
  const types = text.replace(/^import (["'])[^"']+\1;\n/gm, '');
  if (types !== text) writeFileSync(file, types);
}
