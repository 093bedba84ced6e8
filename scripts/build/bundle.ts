import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type CodeSplittingNameFunction, type OutputChunk, type Plugin, rolldown } from 'rolldown';
import { minifySync } from 'rolldown/utils';
import { forAll } from '../for-all.ts';
import { builtinModules, isBuiltinModule } from './builtin-modules.ts';
import { lighten } from './source-maps.ts';
import { whereabouts } from './whereabouts.ts';

/** What is run by its file: as a thread, as a process of its own, or when a rule of it is chosen. */
const programs: readonly string[] = [
  'touchstone.ts',
  'conformance/lab/guard.ts',
  'conformance/rules/**/*.rules.ts',
  'conformance/runner/survey.ts',
  'conformance/runner/worker.ts',
  'conformance/target/reference-worker.ts',
  'fixtures/clients/specimen/main.ts',
];

/** What users install beside the package where they want it, and what is not code. */
const others: readonly string[] = ['vitest', '@kubernetes/client-node', 'touchstone/package.json'];

/** Each becomes a file, with what it imports itself. The first takes what two of them share. */
const libraries: readonly string[] = [
  'reflect-metadata',
  '@peculiar/x509',
  '@bufbuild/cel',
  're2js',
  'protobufjs',
  'prom-client',
  'yaml',
  'ws',
  'jose',
  'fast-check',
  '@vitest/expect',
  'undici',
];

/**
 * Compiles what the doors and programs lead to, with all that it imports, into few files: a start reads a dozen instead
 * of a thousand, and an installation unpacks them. Each module is in one of them alone.
 */
export async function bundle(root: string, dist: string, doors: readonly string[]): Promise<readonly OutputChunk[]> {
  const sources = [...doors, ...globSync([...programs], { cwd: root })];
  const build = await rolldown({
    cwd: root,
    platform: 'node',
    input: Object.fromEntries(sources.map((file) => [file.replace(/^\.\/|\.ts$/g, ''), join(root, file)])),
    external: [...others],
    transform: { target: 'es2024' },
    plugins: [whereabouts(root), builtinModules, oneForm, ownAssertions],
    // Those of moved modules are off by some columns.
    checks: { sourcemapBroken: false },
  });
  const { output } = await build.write({
    dir: dist,
    format: 'esm',
    comments: false,
    chunkFileNames: 'chunks/[name].js',
    sourcemap: true,
    codeSplitting: { groups: groups(root) },
  });
  await build.close();
  const chunks = output.filter((each) => each.type === 'chunk');
  keepApart(chunks);
  for (const chunk of chunks)
    if (chunk.moduleIds.some((id) => isSteppedThrough(root, id))) lighten(dist, chunk);
    else condense(dist, chunk);
  return chunks;
}

/** Together, what is loaded together. */
const groups = (root: string) => [
  { name: 'node', test: isBuiltinModule, priority: libraries.length + 2 },
  ...libraries.map((name, index) => ({
    name: `libraries/${name.replace('@', '').replace('/', '-')}`,
    test: (id: string) => id.includes(`/node_modules/${name}/`),
    priority: libraries.length + 1 - index,
  })),
  // All commands use it: who loads one shall not load another with it.
  { name: 'mistyped', test: (id: string) => forAll.includes(relative(root, id)), priority: 2 },
  { name: whatStarts(root), debugName: 'server', priority: 1 },
  {
    name: 'conformance',
    test: (id: string) => /^conformance.(?!oracle)/.test(relative(root, id)),
    minShareCount: 3,
    priority: 1,
  },
];

/** What a server needs to start, whatever else is asked of it, is read in one go. */
function whatStarts(root: string): CodeSplittingNameFunction {
  let known: ReadonlySet<string> | undefined;
  return (id, graph) => {
    known ??= reachable(
      join(root, 'server', 'commands', 'serve.ts'),
      (from) => graph.getModuleInfo(from)?.importedIds ?? [],
    );
    return known.has(id) ? 'server' : null;
  };
}

/** @throws Error when a thread that plays rules would load the server, of which there is one for all of them */
function keepApart(chunks: readonly OutputChunk[]): void {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const loaded = reachable('conformance/runner/worker.js', (from) => byName.get(from)?.imports ?? []);
  if (loaded.has('chunks/server.js') || loaded.size < 2) throw new Error(`the judge loads ${[...loaded].join(', ')}`);
}

function reachable(from: string, next: (id: string) => readonly string[]): ReadonlySet<string> {
  const seen = new Set([from]);
  // A set goes on with what is added on the way.
  for (const id of seen) for (const each of next(id)) seen.add(each);
  return seen;
}

/** A library that is required here and imported there comes once, as it is imported. */
const oneForm: Plugin = {
  name: 'one-form',
  resolveId(source, importer, { kind }) {
    if (kind !== 'require-call' || !importer || importer.includes('node_modules') || /^[./]/.test(source)) return null;
    return this.resolve(source, importer, { kind: 'import-statement', skipSelf: true });
  },
};

/**
 * The assertions of rules keep what they know to themselves. Under names that all realms share, the library defines what jest has
 * defined for good, and takes the matchers of a vitest of another version for its own.
 */
const ownAssertions: Plugin = {
  name: 'own-assertions',
  transform(code, id) {
    if (!id.includes('/node_modules/@vitest/expect/')) return null;
    const shared =
      /\bSymbol\.for\((?="(?:matchers-object|\$\$jest-matchers-object|expect-global|asymmetric-matchers-object)")/g;
    if ((code.match(shared) ?? []).length !== 4) throw new Error(`${id} shares its state under other names`);
    return { code: code.replaceAll(shared, 'Symbol('), map: null };
  },
};

/** What fails in the suite shows its exchanges, not a stack; and nobody steps through its specimens, or libraries. */
const isSteppedThrough = (root: string, id: string): boolean =>
  /^(?:server|controllers|webhooks|touchstone)\b/.test(relative(root, id));

/** Takes the source map away, and what only people read. In plain letters a text takes half the memory. */
function condense(dist: string, { fileName, sourcemapFileName }: OutputChunk): void {
  const file = join(dist, fileName);
  // Names of functions stand in messages.
  const mangle = { keepNames: true } as const;
  const codegen = { removeWhitespace: true, asciiOnly: true, legalComments: 'none' } as const;
  const { code } = minifySync(fileName, readFileSync(file, 'utf8'), { module: true, compress: false, mangle, codegen });
  writeFileSync(file, code);
  if (sourcemapFileName) rmSync(join(dist, sourcemapFileName));
}
