import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import manifest from './package.json' with { type: 'json' };

/** The package's own imports, as examples use them, from the source. */
const doors = Object.entries(manifest.exports).flatMap(([door, target]) =>
  typeof target === 'string'
    ? []
    : [
        {
          find: new RegExp(`^touchstone${door.slice(1)}$`),
          replacement: join(import.meta.dirname, target['@touchstone/source']),
        },
      ],
);

export default defineConfig({
  resolve: { alias: doors },
  test: {
    include: ['**/*.test.ts'],
    exclude: ['node_modules/**', 'dist/**'],
    globalSetup: ['scripts/temporary-folder.ts'],
    // Tests start servers and wait for sockets; one that takes longer than this hangs.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What a test waits for comes when it comes: machines are busy.
    expect: { poll: { timeout: 10_000 } },
  },
});
