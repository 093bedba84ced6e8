#!/usr/bin/env node
// `npm run build`, and with it `npm pack` and `npm publish`: the compiled package, in dist/.
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { takeAlongClientLibrary } from './client-library.ts';

const root = join(import.meta.dirname, '..', '..');
const dist = join(root, 'dist');
rmSync(dist, { recursive: true, force: true });
execFileSync(join(root, 'node_modules', '.bin', 'tsc'), ['-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
/** Data stands beside the code that reads it, and is published as it is. */
const isData = (file: string) => statSync(file).isDirectory() || !file.endsWith('.ts');
for (const folder of ['server', 'conformance', 'controllers', 'webhooks']) {
  cpSync(join(root, folder), join(dist, folder), { recursive: true, filter: isData });
}
// Rules are loaded by their files and imported by nobody; what fails in the suite shows its exchanges, not a stack.
const spared = ['conformance/rules/**/*.d.ts', 'conformance/**/*.js.map'];
for (const file of globSync(spared, { cwd: dist })) rmSync(join(dist, file));
takeAlongClientLibrary(dist, join(root, 'node_modules', '@kubernetes', 'client-node'));
