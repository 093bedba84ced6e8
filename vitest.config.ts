import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    exclude: ['node_modules/**', 'dist/**'],
    globalSetup: ['scripts/temporary-folder.ts'],
    // Tests start servers and wait for sockets; one that takes longer than this hangs.
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
