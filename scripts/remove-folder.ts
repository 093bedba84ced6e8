import { rmSync } from 'node:fs';

/** Takes a folder away in which programs of others have worked: one that is just ending may still write into it. */
export const removeFolder = (path: string): void =>
  rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
