import { equal, match, ok } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pages, snippetsIn } from '../docs/pages.ts';
import { type Folder, root } from './folder.ts';
import { judge, judgeCore } from './judge.ts';

interface Subject {
  /** What `npm pack --json` says. */
  readonly packed: { readonly filename: string; readonly unpackedSize: number };
  /** What can be imported, such as `touchstone/controllers`. */
  readonly doors: readonly string[];
}

/** What users do with the package. Each throws when it does not work, and may give a figure. */
interface Check {
  readonly name: string;
  readonly check: (folder: Folder, subject: Subject) => string | undefined;
}

const megabytes = (bytes: number, limit: number): string => {
  ok(bytes < limit * 1e6, `${bytes} bytes are ${limit} MB or more`);
  return `${(bytes / 1e6).toFixed(1)} MB`;
};

const { devDependencies: versions, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const quietly = ['--no-audit', '--no-fund', '--loglevel=error'];

/** In the order in which they are made. */
export const checks: readonly Check[] = [
  { name: 'the package, unpacked', check: (_, { packed }) => megabytes(packed.unpackedSize, 12) },
  { name: 'the package, installed', check: install },
  { name: 'nothing else comes with it', check: comesAlone },
  { name: 'the command', check: askCommand },
  { name: 'stacks lead to the sources', check: traceBack },
  { name: 'a Node that is too old', check: oldNode },
  { name: 'rules of the suite', check: judge },
  { name: 'the core profile', check: judgeCore },
  { name: 'every import in JavaScript, and require', check: importAll },
  { name: 'a Job, from the empty folder on', check: finishJob },
  { name: 'the page, and the documents of the API', check: showPage },
  { name: 'the tools of users', check: installTools },
  { name: 'every import in TypeScript', check: compileAll },
  { name: 'the snippets of the documentation', check: compileSnippets },
  { name: 'node:test, vitest and jest', check: runTests },
  { name: 'ten tests on ten fresh worlds', check: tenWorlds },
  { name: 'the examples', check: runExamples },
  { name: 'a controller-runtime project on stand-ins', check: runGoProject },
];

/** Milliseconds that installing took. */
let installing = 0;

function install(folder: Folder, { packed }: Subject): string {
  const began = Date.now();
  folder.run('npm', 'install', ...quietly, join(folder.path, packed.filename));
  installing = Date.now() - began;
  return megabytes(folder.size('node_modules'), 60);
}

function comesAlone(folder: Folder): undefined {
  const { packages } = JSON.parse(folder.read('package-lock.json')) as { readonly packages: object };
  equal(Object.keys(packages).join(' '), ' node_modules/touchstone');
  match(folder.read('node_modules/touchstone/dist/LIBRARIES.md'), /^## yaml \d[\s\S]*Permission to use, copy/m);
}

/** A mistake is told at the line of the TypeScript that notices it. */
function traceBack(folder: Folder): undefined {
  const lines = readFileSync(join(root, 'server', 'start.ts'), 'utf8').split('\n');
  const line = lines.findIndex((text) => text.includes('throw new UsageError(problem)')) + 1;
  folder.write(
    'trace.mjs',
    `import { startServer } from 'touchstone';
await startServer({ securePort: -1 }).catch(({ stack }) => console.log(stack));\n`,
  );
  match(folder.run(process.execPath, '--enable-source-maps', 'trace.mjs'), new RegExp(`/server/start\\.ts:${line}:`));
}

function askCommand(folder: Folder): undefined {
  equal(folder.run('npx', 'touchstone', '--version').trim(), version);
  match(folder.run('npx', 'touchstone', '--help'), /conformance +judge/);
  match(folder.run('npx', 'touchstone', 'serve', '--help'), /--secure-port/);
}

function oldNode(folder: Folder): undefined {
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

/** The one for vitest needs vitest and is only tried by the tests. */
const withoutTools = (doors: readonly string[]) => doors.filter((door) => !door.endsWith('/vitest'));

function importAll(folder: Folder, { doors }: Subject): string {
  const names = JSON.stringify(withoutTools(doors));
  folder.script(
    'import.mjs',
    `for (const door of ${names}) if (Object.keys(await import(door)).length === 0) throw new Error(door);\n`,
  );
  folder.script(
    'require.cjs',
    `for (const door of ${names}) if (Object.keys(require(door)).length === 0) throw new Error(door);
if (require('touchstone/package.json').name !== 'touchstone') throw new Error('package.json');\n`,
  );
  return withoutTools(doors).join(', ');
}

function installTools(folder: Folder): undefined {
  const tools = ['vitest', 'typescript', '@types/node'].map((name) => `${name}@${versions[name]}`);
  folder.run('npm', 'install', ...quietly, ...tools, 'jest@30');
}

function compileAll(folder: Folder, { doors }: Subject): undefined {
  const lines = doors.map((door, index) => `import * as door${index} from '${door}';`);
  const use = `console.log(${doors.map((_, index) => `door${index}`).join(', ')});`;
  folder.write('imports.ts', `${lines.join('\n')}\nimport { startServer } from 'touchstone';\n${use}\n${typed}`);
  for (const [module, resolution] of [
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ]) {
    const settings = ['--module', module ?? '', '--moduleResolution', resolution ?? ''];
    folder.run(
      'npx',
      'tsc',
      '--noEmit',
      '--strict',
      '--target',
      'es2024',
      '--types',
      'node',
      ...settings,
      'imports.ts',
    );
  }
}

/** As somebody would copy them into a project. */
function compileSnippets(folder: Folder): string {
  folder.run('npm', 'install', ...quietly, `@kubernetes/client-node@${versions['@kubernetes/client-node']}`);
  const snippets = pages().flatMap(snippetsIn);
  for (const [index, snippet] of snippets.entries()) folder.write(`snippets/${index}.ts`, snippet);
  // The client library's own declarations need types that do not come with it.
  const settings = { ...strict, skipLibCheck: true, module: 'nodenext', target: 'es2024', noEmit: true };
  const compilerOptions = { ...settings, lib: ['es2024', 'esnext.disposable'] };
  folder.write('snippets/tsconfig.json', JSON.stringify({ compilerOptions }));
  folder.run('npx', 'tsc', '-p', 'snippets');
  return `${snippets.length} of them`;
}

/** Fails to compile where the types are lost and all is `any`. */
const typed = `const server = await startServer();
// @ts-expect-error a URL is text
const url: number = server.url;
await server.stop();
console.log(url);
`;

const strict = { strict: true, types: ['node'], exactOptionalPropertyTypes: true, skipLibCheck: false };

const story = `const server = await startServer();
  const response = await fetch(server.url + '/version', { dispatcher: undefined }).catch((error) => error.cause.code);
  const answer = String(response);
  await server.stop();`;

/** A certificate that nobody told fetch to trust is refused: so there was a server. */
const verdict = /SELF_SIGNED|UNABLE_TO_VERIFY/.source;

function runTests(folder: Folder, { doors }: Subject): undefined {
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

/** CI has other things to do as well. */
const patient = ['--testTimeout=60000'];

function runExamples(folder: Folder): undefined {
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
function runGoProject(folder: Folder): string {
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

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;

const job = `import { Client, connect, jobs, systemClock } from 'touchstone/controllers';
const connection = await connect({ file: 'kubeconfig' });
const client = new Client({ connection, clock: systemClock, signal: AbortSignal.timeout(60_000), userAgent: 'trial' });
const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox' }] } };
const at = { namespace: 'default', name: 'hello' };
await client.create(jobs, { metadata: { name: 'hello' }, spec: { template } }, { namespace: 'default' });
while (!(await client.get(jobs, at)).status?.succeeded) await new Promise((resolve) => setTimeout(resolve, 20));
connection.close();
`;

/** What a newcomer does, with the installation before it. */
function finishJob(folder: Folder): string {
  const began = Date.now();
  const home = `HOME=${folder.path}`;
  folder.run('env', home, 'npx', 'touchstone', 'up', '--detach', '--secure-port=0', '--write-kubeconfig=kubeconfig');
  try {
    folder.script('job.mjs', job);
    const took = Date.now() - began;
    ok(took < 30_000, `up to a finished Job took ${took} ms`);
    return `${seconds(took)}, and ${seconds(installing)} to install`;
  } finally {
    folder.run('env', home, 'npx', 'touchstone', 'down');
  }
}

/** Its files are data, which the compiler does not see. */
function showPage(folder: Folder): undefined {
  folder.script(
    'page.mjs',
    `import { get } from 'node:https';
import { startServer } from 'touchstone';
await using server = await startServer({ ui: true });
const options = { ca: server.certificateAuthority, agent: false, headers: { authorization: 'Bearer ' + server.adminToken } };
const document = await new Promise((resolve, reject) =>
  get(server.url + '/openapi/v2', options, (answer) => {
    let text = '';
    answer.on('data', (part) => (text += part)).on('end', () => resolve(JSON.parse(text)));
  }).on('error', reject));
if (!document.definitions['io.k8s.api.core.v1.PodSpec'].description) throw new Error('what fields are for is not told');
for (const file of ['', 'page.css', 'grid.css', 'page.js', 'objects.js', 'grid.js', 'yaml.js']) {
  const status = await new Promise((resolve, reject) =>
    get(server.url + '/touchstone/ui/' + file, options, (answer) => resolve(answer.resume().statusCode)).on('error', reject));
  if (status !== 200) throw new Error(file + ': ' + status);
}\n`,
  );
}

function tenWorlds(folder: Folder): string {
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
