#!/usr/bin/env node
// `npm run try-package`: packs, installs the tarball in an empty folder outside the repository, and uses it from there
// as its users would. Exit 1 at the first thing that does not work.
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../remove-folder.ts';
import { checks } from './checks.ts';
import { Folder, root } from './folder.ts';

const path = mkdtempSync(join(tmpdir(), 'touchstone-package-'));
try {
  const [packed] = JSON.parse(new Folder(root).run('npm', 'pack', '--json', '--pack-destination', path));
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { exports: object };
  const doors = Object.keys(exports)
    .filter((door) => !door.endsWith('.json'))
    .map((door) => `touchstone${door.slice(1)}`);
  const folder = new Folder(path);
  folder.write('package.json', '{ "private": true, "type": "module" }\n');
  for (const { name, check } of checks) {
    const started = Date.now();
    const figure = check(folder, { packed, doors });
    console.log(`${name}${figure ? `: ${figure}` : ''} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  }
} finally {
  removeFolder(path);
}
