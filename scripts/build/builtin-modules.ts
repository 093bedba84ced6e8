import { isBuiltin } from 'node:module';
import type { Plugin } from 'rolldown';

const prefix = '\0builtin:';

/**
 * Takes Node's own modules without importing them: an import reads all that a module offers, and thereby loads what
 * lies behind (`node:http` a whole WebSocket client), which is a tenth of a start.
 */
export const builtinModules: Plugin = {
  name: 'builtin-modules',
  resolveId(source, importer) {
    // What the bundler itself adds runs before all others.
    if (importer?.startsWith('\0')) return null;
    return isBuiltin(source) ? { id: prefix + source.replace(/^node:/, '') } : null;
  },
  load(id) {
    const name = id.startsWith(prefix) && id.slice(prefix.length);
    return name ? `module.exports = process.getBuiltinModule(${JSON.stringify(`node:${name}`)});\n` : null;
  },
};

export const isBuiltinModule = (id: string): boolean => id.startsWith(prefix);
