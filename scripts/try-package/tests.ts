import { ok } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { seconds } from './figures.ts';
import { type Folder, root } from './folder.ts';
import { strict } from './imports.ts';
import { type Subject, withoutTools } from './subject.ts';

/** CI has other things to do as well. */
const patient = ['--testTimeout=60000'];

const story = `const server = await startServer();
  const response = await fetch(server.url + '/version', { dispatcher: undefined }).catch((error) => error.cause.code);
  const answer = String(response);
  await server.stop();`;

/** A certificate that nobody told fetch to trust is refused: so there was a server. */
const verdict = /SELF_SIGNED|UNABLE_TO_VERIFY/.source;

export function runTests(folder: Folder, { doors }: Subject): undefined {
  const others = withoutTools(doors).map((door) => `import '${door}';\n`);
  const importing = `import { startServer } from 'touchstone';\n${others.join('')}`;
  const test = `test('a server', async () => {\n  ${story}\n  if (!/${verdict}/.test(answer)) throw new Error(answer);\n});\n`;
  folder.write('own/node.test.mjs', `import { test } from 'node:test';\n${importing}${test}`);
  folder.write('own/vitest.test.mjs', `import { test } from 'vitest';\n${importing}${test}`);
  folder.write('own/jest.spec.mjs', `${importing}${test}`);
  folder.run(process.execPath, '--test', 'own/node.test.mjs');
  folder.run('npx', 'vitest', 'run', 'own/vitest.test.mjs');
  const jest = join('node_modules', 'jest', 'bin', 'jest.js');
  const settings = JSON.stringify({ testMatch: ['**/jest.spec.mjs'], transform: {} });
  folder.run(process.execPath, '--experimental-vm-modules', jest, '--config', settings);
}

export function tenWorlds(folder: Folder): string {
  folder.write(
    'own/worlds.test.mjs',
    `import { expect, test } from 'touchstone/vitest';
for (let n = 0; n < 10; n++)
  test('world ' + n, async ({ apply, client, namespace }) => {
    await apply('{ apiVersion: v1, kind: ConfigMap, metadata: { name: only } }');
    const { items } = await client.read('/api/v1/namespaces/' + namespace + '/configmaps');
    expect(items.map(({ metadata }) => metadata.name)).toContain('only');
  });\n`,
  );
  const began = Date.now();
  folder.run('npx', 'vitest', 'run', ...patient, 'own/worlds.test.mjs');
  const took = Date.now() - began;
  ok(took < 30_000, `ten worlds took ${took} ms`);
  return seconds(took);
}

export function runExamples(folder: Folder): undefined {
  cpSync(join(root, 'fixtures', 'examples'), join(folder.path, 'examples'), { recursive: true });
  folder.run('npx', 'vitest', 'run', ...patient, 'examples/');
  // The same in JavaScript, which is checked on the way.
  cpSync(join(root, 'fixtures', 'examples'), join(folder.path, 'examples-in-javascript'), { recursive: true });
  const settings = { ...strict, module: 'nodenext', target: 'es2024', rewriteRelativeImportExtensions: true };
  folder.write('examples-in-javascript/tsconfig.json', JSON.stringify({ compilerOptions: settings }));
  folder.run('npx', 'tsc', '-p', 'examples-in-javascript');
  for (const file of globSync('examples-in-javascript/**/*.ts', { cwd: folder.path })) rmSync(join(folder.path, file));
  folder.run('npx', 'vitest', 'run', ...patient, 'examples-in-javascript/');
}

/** Its own tests, which know nothing of us. */
export function runGoProject(folder: Folder): string {
  if (spawnSync('go', ['version']).error) return 'skipped, for there is no go on the PATH';
  folder.run('npx', 'touchstone', 'envtest-assets', 'assets');
  const assets = `KUBEBUILDER_ASSETS=${join(folder.path, 'assets')}`;
  const output = folder.run(
    'env',
    assets,
    'go',
    'test',
    '-C',
    join('examples', 'go-operator'),
    '-count=1',
    '-v',
    './...',
  );
  return /started in \d+ ms/.exec(output)?.[0] ?? '';
}
