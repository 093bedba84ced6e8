import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { classNames } from '../../server/schema/descriptions.ts';
import { definitions } from '../../server/schema/load.ts';

/**
 * What we use of the client library, of whose 56 MB we need two: the types of a client configuration, and the
 * declarations of its models, which are types for the compiler and texts for the server.
 */
const modules: readonly string[] = ['config_types', 'types'];

const index = `export * from './gen/models/all.js';
${modules.map((name) => `export * from './${name}.js';`).join('\n')}
`;

/** Copies the used parts of the client library into `dist`, and makes the declarations there import these. */
export function takeAlongClientLibrary(dist: string, library: string): void {
  const into = join(dist, 'client-library');
  mkdirSync(join(into, 'gen', 'models'), { recursive: true });
  const read = (file: string) => plain(readFileSync(join(library, 'dist', file), 'utf8'));
  const classOf = (name: string) => {
    const file = `gen/models/${name}.d.ts`;
    return existsSync(join(library, 'dist', file)) ? read(file).replace(/^import .*\n/gm, '') : '';
  };
  // One file instead of nine hundred, which name nothing but each other and what is shared.
  const classes = closure(Object.keys(definitions()).flatMap(classNames), classOf);
  writeFileSync(join(into, 'gen', 'models', 'all.d.ts'), [shared, ...classes.sort()].join(''));
  for (const name of modules) writeFileSync(join(into, `${name}.d.ts`), read(`${name}.d.ts`));
  writeFileSync(join(into, 'index.d.ts'), index);
  // The one type that those of the library take from its own index of everything.
  writeFileSync(join(into, 'api.d.ts'), "export * from './gen/models/all.js';\n");
  cpSync(join(library, 'LICENSE'), join(into, 'LICENSE'));
  const declarations = globSync('**/*.d.ts', { cwd: dist, exclude: ['client-library/**'] });
  for (const file of declarations) redirect(join(dist, file), into);
}

/** The classes of the kinds that are served, and of all that these lead to: those of later versions stay behind. */
function closure(names: readonly string[], classOf: (name: string) => string): string[] {
  const seen = new Map<string, string>();
  const waiting = [...names];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (seen.has(name)) continue;
    const text = classOf(name);
    seen.set(name, text);
    waiting.push(...(text.match(/\b[A-Z]\w+\b/g) ?? []));
  }
  return [...seen.values()];
}

const shared = "import { IntOrString, V1MicroTime } from '../../types.js';\n";

/**
 * The generator's note on top of each file, pointers to source maps that stay behind, and what the models' classes know
 * for the library's own serializer.
 */
const sparable = [
  /^\/\*\*\n(?: \*.*\n)*? \* Do not edit the class manually\.\n \*\/\n/,
  /^\/\/# sourceMappingURL=.*$/m,
  /^ {4}static readonly discriminator[\s\S]*?^ {4}constructor\(\);\n/m,
];

const plain = (text: string): string => sparable.reduce((rest, each) => rest.replace(each, ''), text);

function redirect(file: string, into: string): void {
  const text = readFileSync(file, 'utf8');
  const path = relative(dirname(file), join(into, 'index.js')).replaceAll('\\', '/');
  const next = text.replace(
    /(["'])@kubernetes\/client-node\1/g,
    (_, quote: string) => quote + (path.startsWith('.') ? path : `./${path}`) + quote,
  );
  if (next !== text) writeFileSync(file, next);
}
