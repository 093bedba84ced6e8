#!/usr/bin/env node
// `npm run build`, and with it `npm pack` and `npm publish`: the compiled package, in dist/.
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from './bundle.ts';
import { takeAlongClientLibrary } from './client-library.ts';
import { keepReachable } from './declarations.ts';
import { licencesOf } from './licences.ts';

const root = join(import.meta.dirname, '..', '..');
const dist = join(root, 'dist');
/** The condition of an export that leads to its TypeScript. */
const sourceCondition = '@touchstone/source';
rmSync(dist, { recursive: true, force: true });
execFileSync(join(root, 'node_modules', '.bin', 'tsc'), ['-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  exports: Readonly<Record<string, string | { readonly types: string; readonly [sourceCondition]: string }>>;
};
const doors = Object.values(exports).filter((door) => typeof door !== 'string');
const chunks = await bundle(
  root,
  dist,
  doors.map((door) => door[sourceCondition]),
);
/** Data stands beside the code that reads it, and is published as it is; what only people read is not. */
const isData = (file: string) => statSync(file).isDirectory() || !/(?:\.ts|README\.md|RULES\.md)$/.test(file);
for (const folder of ['server', 'conformance', 'controllers', 'webhooks']) {
  cpSync(join(root, folder), join(dist, folder), { recursive: true, filter: isData });
}
keepReachable(
  dist,
  doors.map(({ types }) => join(root, types)),
);
takeAlongClientLibrary(dist, join(root, 'node_modules', '@kubernetes', 'client-node'));
writeFileSync(join(dist, 'LIBRARIES.md'), licencesOf(chunks));
