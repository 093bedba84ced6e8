import { getCompileCacheDir } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

/** Small heaps are collected early, so that the whole suite fits where little memory is. */
const limits = { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 512 };

/** Uses the cache from the first file on: whatever is loaded before is compiled anew in every thread. */
const entry = (file: string): string => `
  const { enableCompileCache } = require('node:module');
  const cache = ${JSON.stringify(getCompileCacheDir() ?? null)};
  if (cache) enableCompileCache(cache);
  import(${JSON.stringify(pathToFileURL(file).href)});
`;

/** Runs a file as a thread of this process. */
export const startThread = (file: string, workerData: unknown): Worker =>
  new Worker(entry(file), { eval: true, workerData, execArgv: [], resourceLimits: limits });
