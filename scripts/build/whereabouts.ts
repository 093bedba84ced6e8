import { dirname, posix, relative } from 'node:path';
import type { Plugin } from 'rolldown';

/** Stands before a path below `dist` until it is known in which chunk it is named. */
const mark = 'dist:/';

const join = "process.getBuiltinModule('node:path').join";

/**
 * What a module may ask about where it is, and what it is answered when its code has moved elsewhere: where it would
 * have been compiled to.
 */
const answers: readonly (readonly [RegExp, (module: string) => string])[] = [
  // It comes with the package in part.
  [
    /\bcreateRequire\(import\.meta\.url\)\.resolve\('@kubernetes\/client-node'\)/,
    () => `${join}(import.meta.dirname, "${mark}client-library/index.js")`,
  ],
  // What is loaded at once, but only when it is needed: the bundler takes it along, and runs it then.
  [/\bcreateRequire\(import\.meta\.url\)(?=\('(?!touchstone\/))/, () => 'require'],
  [/\bimport\.meta\.url\b/, (module) => `new URL("${mark}${module}", import.meta.url).href`],
  [/\bimport\.meta\.dirname\b/, (module) => `${join}(import.meta.dirname, "${mark}${posix.dirname(module)}")`],
  [/\bimport\.meta\.filename\b/, (module) => `${join}(import.meta.dirname, "${mark}${module}")`],
];

const questions = new RegExp(answers.map(([question]) => `(${question.source})`).join('|'), 'g');

/** In one go: an answer asks of `import.meta` itself, and is not to be answered in its turn. */
const told = (code: string, module: string): string =>
  code.replace(questions, (asked, ...groups: unknown[]) => answers[groups.indexOf(asked)]?.[1](module) ?? asked);

/** Data and programs stand beside the modules that name them by their own place; in a chunk these have another one. */
export const whereabouts = (root: string): Plugin => ({
  name: 'whereabouts',
  transform(code, id) {
    if (id.includes('node_modules') || !code.includes('import.meta.')) return null;
    const module = relative(root, id).replaceAll('\\', '/').replace(/\.ts$/, '.js');
    // No line moves, so the map stays as it is.
    return { code: told(code, module), map: null };
  },
  renderChunk(code, { fileName }) {
    const placed = code.replaceAll(new RegExp(`"${mark}([^"]*)"`, 'g'), (_, path: string) =>
      JSON.stringify(relative(dirname(fileName), path).replaceAll('\\', '/') || '.'),
    );
    return placed === code ? null : { code: placed, map: null };
  },
});
