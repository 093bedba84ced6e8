import { pages, snippetsIn } from '../docs/pages.ts';
import type { Folder } from './folder.ts';
import { quietly, type Subject, versions, withoutTools } from './subject.ts';

export function importAll(folder: Folder, { doors }: Subject): string {
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

export function installTools(folder: Folder): undefined {
  const tools = ['vitest', 'typescript', '@types/node'].map((name) => `${name}@${versions[name]}`);
  folder.run('npm', 'install', ...quietly, ...tools, 'jest@30');
}

export function compileAll(folder: Folder, { doors }: Subject): undefined {
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
export function compileSnippets(folder: Folder): string {
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

export const strict = { strict: true, types: ['node'], exactOptionalPropertyTypes: true, skipLibCheck: false };
