import { existsSync } from 'node:fs';
import { fileTrouble } from '../../file-trouble.ts';
import { meant, UsageError } from '../../mistyped.ts';
import { openEngine } from '../engine/engine.ts';
import { checkEngineOptions, type EngineOptions } from '../engine/engine-options.ts';
import { engineFlags } from '../engine/flags.ts';
import { helpText, optionsFrom, parseFlags } from '../options/command-line.ts';
import { isDataFolder } from '../store/data-folder/data-folder.ts';
import { readSnapshot, writeSnapshot } from '../store/snapshot.ts';
import type { Store } from '../store/store.ts';

const usage = `Usage: touchstone snapshot save|load FILE [flags]

save writes all objects that are kept into a file of JSON lines, for its owner alone: Secrets are in it.
load puts the objects of such a file where nothing is kept yet.
No server may use a --data-dir meanwhile.

Flags, which say where objects are kept:
`;

/** `touchstone snapshot`. */
export async function snapshot(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(usage + helpText(engineFlags));
    return 0;
  }
  try {
    const [action = '', file = '', ...flags] = args;
    const isKnown = ['save', 'load'].includes(action);
    if (!isKnown || !file || file.startsWith('-')) {
      const hint = isKnown ? '' : meant(action, ['save', 'load', '--help']);
      throw new UsageError(`say what to do: touchstone snapshot save FILE, or load FILE${hint}`);
    }
    const options = optionsFrom(parseFlags(engineFlags, flags)) as unknown as EngineOptions;
    if (!options.dataDir && options.etcdServers.length === 0) {
      throw new UsageError('say where objects are kept: --data-dir or --etcd-servers');
    }
    const [problem] = checkEngineOptions(options);
    if (problem) throw new UsageError(problem);
    process.stdout.write(await (action === 'save' ? save(file, options) : load(file, options)));
    return 0;
  } catch (error) {
    process.stderr.write(`touchstone snapshot: ${fileTrouble(error)}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

async function save(file: string, options: EngineOptions): Promise<string> {
  const { dataDir } = options;
  if (dataDir && !existsSync(dataDir)) throw new UsageError(`--data-dir: there is no ${dataDir}`);
  if (dataDir && !isDataFolder(dataDir)) throw new UsageError(`--data-dir: nothing is kept in ${dataDir}`);
  return withStore(options, async (store) => {
    const state = await store.list('');
    await writeSnapshot(file, state);
    return `${file}: ${state.items.length} objects at revision ${state.revision}\n`;
  });
}

async function load(file: string, options: EngineOptions): Promise<string> {
  const count = readSnapshot(file).items.length;
  return withStore({ ...options, snapshot: file }, async () => `${count} objects were loaded from ${file}\n`);
}

async function withStore<T>(options: EngineOptions, work: (store: Store) => Promise<T>): Promise<T> {
  const engine = await openEngine(options);
  try {
    return await work(engine.store);
  } finally {
    await engine.close();
  }
}
