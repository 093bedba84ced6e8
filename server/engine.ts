import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeSecretFile } from './base/write-file.ts';
import { type Identity, type IdentityPlace, keptIdentity, makeIdentity } from './identity.ts';
import type { ServerOptions } from './options.ts';
import { openDataFolder } from './store/data-folder/data-folder.ts';
import { MemoryStore } from './store/memory-store.ts';
import { readSnapshot } from './store/snapshot.ts';
import type { Store } from './store/store.ts';

/** Where a server's objects are, and who it is. */
export interface Engine {
  readonly store: Store;
  readonly identity: Identity;
  close(): Promise<void>;
}

/** Which options say where objects are kept. */
export type EngineOptions = Pick<ServerOptions, 'store' | 'dataDir' | 'dataSync' | 'snapshot' | 'log'>;

/** @throws Error when what is kept cannot be read, or is in use */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  if (options.store) return { store: options.store, identity: makeIdentity(), close: async () => {} };
  return options.dataDir ? inFolder(options.dataDir, options) : inMemory(options);
}

function inMemory({ snapshot }: EngineOptions): Engine {
  const store = new MemoryStore(snapshot ? { state: readSnapshot(snapshot) } : {});
  return { store, identity: makeIdentity(), close: () => store.close() };
}

async function inFolder(folder: string, { dataSync, snapshot, log }: EngineOptions): Promise<Engine> {
  const store = await openDataFolder({
    folder,
    sync: dataSync,
    report: (error) => log?.error(folder, error),
    ...(snapshot && { initial: readSnapshot(snapshot) }),
  });
  try {
    return { store, identity: await keptIdentity(inFile(join(folder, 'identity'))), close: () => store.close() };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Only one process has the folder, so nobody else is faster. */
const inFile = (file: string): IdentityPlace => ({
  read: async () => (existsSync(file) ? readFileSync(file, 'utf8') : undefined),
  create: async (text) => writeSecretFile(file, text),
});
