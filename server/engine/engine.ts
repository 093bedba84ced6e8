import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openDataFolder } from '../store/data-folder/data-folder.ts';
import { MemoryStore } from '../store/memory-store.ts';
import type { Store } from '../store/store.ts';
import { limitDecoded } from '../store/stored-value.ts';
import { syncFolder, writeWhole } from '../store/whole-file.ts';
import { boundsOf, type EngineOptions } from './engine-options.ts';
import { type Identity, type KeptPlace, keptIdentity, keptText, makeIdentity } from './identity.ts';
import { readObjects } from './snapshot-objects.ts';

/** Where a server's objects are, and who it is. */
export interface Engine {
  readonly store: Store;
  readonly identity: Identity;
  /**
   * What all servers over the store are to have in common: of what each brings under a name, that of the first, for good.
   * Secret. Missing: there are no others. @param own what can be JSON @throws Error when what is kept is none
   */
  common?<T>(name: string, own: T): Promise<T>;
  close(): Promise<void>;
}

/** @throws Error when what is kept cannot be read, or is in use */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  if (options.decodedBytes !== undefined) limitDecoded(options.decodedBytes);
  if (options.store) return { store: options.store, identity: makeIdentity(), close: async () => {} };
  if (options.etcdServers.length > 0) return inEtcd(options);
  return options.dataDir ? inFolder(options.dataDir, options) : inMemory(options);
}

function inMemory(options: EngineOptions): Engine {
  const { snapshot } = options;
  const store = new MemoryStore({ ...boundsOf(options), ...(snapshot && { state: readObjects(snapshot) }) });
  return { store, identity: makeIdentity(), close: () => store.close() };
}

/** The same server once more, in memory, with what exists now: shared, since versions do not change. */
export async function copied({ store, identity }: Omit<Engine, 'close'>, options: EngineOptions): Promise<Engine> {
  const copy = new MemoryStore({ ...boundsOf(options), state: await store.list('') });
  return { store: copy, identity, close: () => copy.close() };
}

async function inFolder(folder: string, options: EngineOptions): Promise<Engine> {
  const { dataSync, snapshot, log } = options;
  const store = await openDataFolder({
    folder,
    sync: dataSync,
    store: boundsOf(options),
    report: (error) => log?.error(folder, error),
    ...(snapshot && { initial: readObjects(snapshot) }),
  });
  return withIdentity(store, inFile(join(folder, 'identity')));
}

async function inEtcd(options: EngineOptions): Promise<Engine> {
  // Nothing of it is loaded where it is not asked for.
  const { openEtcd } = await import('./etcd-engine.ts');
  const store = await openEtcd(options);
  const noteOf = (name: string): KeptPlace => ({
    where: store.placeOfNote(name),
    read: () => store.readNote(name),
    create: (text) => store.createNote(name, text),
  });
  const engine = await withIdentity(store, noteOf('identity'));
  return { ...engine, common: async (name, own) => firstOf(noteOf(name), own) };
}

/** @throws Error when what is kept there is no JSON */
async function firstOf<T>(place: KeptPlace, own: T): Promise<T> {
  const text = await keptText(place, () => JSON.stringify(own));
  try {
    return JSON.parse(text ?? '');
  } catch {
    throw new Error(`${place.where} is not what servers keep there: put it back, or remove it for a new one`);
  }
}

/** @throws Error when the identity that is kept cannot be read; the store is closed then */
async function withIdentity(store: Store, place: KeptPlace): Promise<Engine> {
  try {
    return { store, identity: await keptIdentity(place), close: () => store.close() };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Only one process has the folder, so nobody else is faster. What was signed with its keys must not outlive them. */
const inFile = (file: string): KeptPlace => ({
  where: file,
  read: async () => (existsSync(file) ? readFileSync(file, 'utf8') : undefined),
  async create(text) {
    await writeWhole(file, [text]);
    syncFolder(dirname(file));
  },
});
