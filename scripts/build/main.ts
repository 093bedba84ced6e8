#!/usr/bin/env node
// `npm run build`, and with it `npm pack` and `npm publish`: the compiled package, in dist/.
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { takeAlongClientLibrary } from './client-library.ts';
import { keepReachable } from './declarations.ts';

const root = join(import.meta.dirname, '..', '..');
const dist = join(root, 'dist');
rmSync(dist, { recursive: true, force: true });
const compile = (...settings: readonly string[]) =>
  execFileSync(join(root, 'node_modules', '.bin', 'tsc'), ['-p', 'tsconfig.build.json', ...settings], {
    cwd: root,
    stdio: 'inherit',
  });
compile('--emitDeclarationOnly');
// What editors show is in the declarations, and what debuggers show in the source maps.
compile('--declaration', 'false', '--removeComments');
/** Data stands beside the code that reads it, and is published as it is; what only people read is not. */
const isData = (file: string) => statSync(file).isDirectory() || !/(?:\.ts|README\.md|RULES\.md)$/.test(file);
for (const folder of ['server', 'conformance', 'controllers', 'webhooks']) {
  cpSync(join(root, folder), join(dist, folder), { recursive: true, filter: isData });
}
// What fails in the suite shows its exchanges, not a stack; and nobody steps through its specimens.
for (const file of globSync('{conformance,fixtures}/**/*.js.map', { cwd: dist })) rmSync(join(dist, file));
keepReachable(dist, doors());
takeAlongClientLibrary(dist, join(root, 'node_modules', '@kubernetes', 'client-node'));

/** The declarations that the package names as its own. */
function doors(): string[] {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    exports: Readonly<Record<string, string | { readonly types: string }>>;
  };
  return Object.values(exports).flatMap((door) => (typeof door === 'string' ? [] : [join(root, door.types)]));
}
