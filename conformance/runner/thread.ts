import { getCompileCacheDir } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

/** Megabytes. Small heaps are collected early, so that the whole suite fits where little memory is. */
const heaps = {
  small: { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 256 },
  large: { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 512 },
};

/**
 * Small buffers are cut from pieces of memory so large. Whoever keeps one keeps its piece: of 64 KB each, as is usual, a
 * hundred and fifty were kept.
 */
const poolBytes = 8 * 1024;

/**
 * Uses the cache from the first file on: whatever is loaded before is compiled anew in every thread. What was read of it
 * is let go once it is flushed.
 */
const entry = (files: readonly string[]): string => `
  Buffer.poolSize = ${poolBytes};
  const { enableCompileCache, flushCompileCache } = require('node:module');
  const cache = ${JSON.stringify(getCompileCacheDir() ?? null)};
  if (cache) enableCompileCache(cache);
  (async () => {
    for (const file of ${JSON.stringify(files)}) await import(file);
    flushCompileCache();
  })();
`;

export interface ThreadManner {
  readonly memory?: keyof typeof heaps;
  /** Modules that it loads first. */
  readonly imports?: readonly string[];
}

/**
 * Runs a file as a thread of this process.
 * @throws Error on Deno, of which a thread can neither end by itself nor use the cache
 */
export function startThread(
  file: string,
  workerData: unknown,
  { memory = 'small', imports = [] }: ThreadManner = {},
): Worker {
  if ('Deno' in globalThis) throw new Error('the suite runs on Node: Deno lacks what its threads need');
  return new Worker(entry([...imports, pathToFileURL(file).href]), {
    eval: true,
    workerData,
    execArgv: [],
    resourceLimits: heaps[memory],
  });
}
