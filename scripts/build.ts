#!/usr/bin/env node
// `npm run build`: the package as it is published, compiled, in dist/. Publish it with `npm publish dist`.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
rmSync(dist, { recursive: true, force: true });
execFileSync('tsc', ['-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
/** Data stands beside the code that reads it, and is published as it is. */
const isData = (file: string) => statSync(file).isDirectory() || !file.endsWith('.ts');
for (const folder of ['server', 'conformance', 'controllers', 'webhooks', 'fixtures']) {
  cpSync(join(root, folder), join(dist, folder), { recursive: true, filter: isData });
}
for (const file of ['README.md', 'LICENSE', 'CHANGELOG.md']) cpSync(join(root, file), join(dist, file));

const {
  devDependencies: _dev,
  scripts: _scripts,
  allowScripts: _allowed,
  ...kept
} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const published = {
  ...kept,
  bin: { touchstone: './touchstone.js' },
  exports: {
    '.': { types: './server/start.d.ts', default: './server/start.js' },
    './conformance': {
      types: './conformance/run-conformance.d.ts',
      default: './conformance/run-conformance.js',
    },
  },
};
writeFileSync(join(dist, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
chmodSync(join(dist, 'touchstone.js'), 0o755);
