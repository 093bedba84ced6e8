import { equal, match } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { megabytes } from './figures.ts';
import { type Folder, root } from './folder.ts';
import { quietly, type Subject, version } from './subject.ts';

export function install(folder: Folder, { packed }: Subject): string {
  folder.run('npm', 'install', ...quietly, join(folder.path, packed.filename));
  return megabytes(folder.size('node_modules'), 60);
}

export function comesAlone(folder: Folder): undefined {
  const { packages } = JSON.parse(folder.read('package-lock.json')) as { readonly packages: object };
  equal(Object.keys(packages).join(' '), ' node_modules/touchstone');
  match(folder.read('node_modules/touchstone/dist/LIBRARIES.md'), /^## yaml \d[\s\S]*Permission to use, copy/m);
}

/** A mistake is told at the line of the TypeScript that notices it. */
export function traceBack(folder: Folder): undefined {
  const lines = readFileSync(join(root, 'server', 'start.ts'), 'utf8').split('\n');
  const line = lines.findIndex((text) => text.includes('throw new UsageError(problem)')) + 1;
  folder.write(
    'trace.mjs',
    `import { startServer } from 'touchstone';
await startServer({ securePort: -1 }).catch(({ stack }) => console.log(stack));\n`,
  );
  match(folder.run(process.execPath, '--enable-source-maps', 'trace.mjs'), new RegExp(`/server/start\\.ts:${line}:`));
}

export function askCommand(folder: Folder): undefined {
  equal(folder.run('npx', 'touchstone', '--version').trim(), version);
  match(folder.run('npx', 'touchstone', '--help'), /conformance +judge/);
  match(folder.run('npx', 'touchstone', 'serve', '--help'), /--secure-port/);
}

export function oldNode(folder: Folder): undefined {
  folder.write('old.mjs', "Object.defineProperty(process.versions, 'node', { value: '20.11.1' });\n");
  const launch = join('node_modules', 'touchstone', 'launch.js');
  folder.write(
    'ask-old.mjs',
    `import { spawnSync } from 'node:child_process';
const { status, stderr } = spawnSync(process.execPath, ['--import', './old.mjs', ${JSON.stringify(launch)}], { encoding: 'utf8' });
process.stdout.write(status + ' ' + stderr);\n`,
  );
  match(
    folder.run(process.execPath, 'ask-old.mjs'),
    /^1 touchstone needs Node \d+\.\d+ or newer; this is 20\.11\.1: .* npm install --save-dev node@24\n$/,
  );
}
