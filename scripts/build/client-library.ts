import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/**
 * What we use of the client library, of whose 56 MB we need two: the types of a client configuration, and the
 * declarations of its models, which are types for the compiler and texts for the server.
 */
const modules: readonly string[] = ['config_types', 'types'];

const index = `export * from './gen/models/all.js';
${modules.map((name) => `export * from './${name}.js';`).join('\n')}
`;

/** Copies the used parts of the client library into `dist`, and makes what is compiled there import these. */
export function takeAlongClientLibrary(dist: string, library: string): void {
  const into = join(dist, 'client-library');
  const models = globSync('dist/gen/models/*.d.ts', { cwd: library }).map((file) => file.slice('dist/'.length));
  const files = [...modules.map((name) => `${name}.d.ts`), ...models];
  for (const file of files) copyPlain(join(library, 'dist', file), join(into, file));
  writeFileSync(join(into, 'index.d.ts'), index);
  // Nothing imports it; its place tells where the models are.
  writeFileSync(join(into, 'index.js'), '');
  // The one type that those of the library take from its own index of everything.
  writeFileSync(join(into, 'api.d.ts'), "export * from './gen/models/all.js';\n");
  cpSync(join(library, 'LICENSE'), join(into, 'LICENSE'));
  for (const file of globSync('**/*.{js,d.ts}', { cwd: dist, exclude: ['client-library/**'] }))
    redirect(join(dist, file), into);
}

/**
 * The generator's note on top of each file, pointers to source maps that stay behind, and what the models' classes know
 * for the library's own serializer.
 */
const sparable = [
  /^\/\*\*\n(?: \*.*\n)*? \* Do not edit the class manually\.\n \*\/\n/,
  /^\/\/# sourceMappingURL=.*$/m,
  /^ {4}static readonly discriminator[\s\S]*?^ {4}constructor\(\);\n/m,
];

function copyPlain(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  const text = sparable.reduce((rest, each) => rest.replace(each, ''), readFileSync(from, 'utf8'));
  writeFileSync(to, text);
}

const specifier = /(["'])@kubernetes\/client-node\1/g;
/** What asks for the library itself, which its users install. */
const whole = /\bimport\($/;

function redirect(file: string, into: string): void {
  const text = readFileSync(file, 'utf8');
  const path = relative(dirname(file), join(into, 'index.js')).replaceAll('\\', '/');
  const next = text.replace(specifier, (named, quote: string, at: number) => {
    if (file.endsWith('.js') && whole.test(text.slice(0, at))) return named;
    return `${quote}${path.startsWith('.') ? path : `./${path}`}${quote}`;
  });
  if (next !== text) writeFileSync(file, next);
}
