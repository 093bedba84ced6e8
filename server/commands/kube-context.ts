import { closeSync, existsSync, openSync, readFileSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { YAMLMap, YAMLSeq } from 'yaml';
import { UsageError } from '../../mistyped.ts';
import { writeSecretFile } from '../base/files/write-file.ts';

/** An entry that was made in a kubeconfig of the user's. */
export interface MergedContext {
  readonly file: string;
  readonly name: string;
}

const lists = { clusters: 'cluster', users: 'user', contexts: 'context' } as const;

/** Where kubectl writes: the first file of KUBECONFIG, or the one at home. */
export const usersKubeconfig = (): string =>
  (process.env['KUBECONFIG'] ?? '').split(delimiter).find(Boolean) ?? join(homedir(), '.kube', 'config');

/**
 * Adds a context, its cluster and its user to a kubeconfig; all else in it stays as it is, comments too. It becomes the current
 * one only where there is none.
 * @param text the kubeconfig to take them from
 * @throws UsageError when the file has such a name already, or is no kubeconfig
 */
export function addContext({ file, name }: MergedContext, text: string): void {
  change(file, (config) => {
    for (const list of Object.keys(lists))
      if (indexIn(listIn(config, list), name) >= 0)
        throw new UsageError(`${file} has ${name} among its ${list} already: give --kube-context another name`);
    const { clusters, users } = JSON.parse(text);
    const values = { clusters: clusters[0].cluster, users: users[0].user, contexts: { cluster: name, user: name } };
    for (const [list, field] of Object.entries(lists)) {
      const found = listIn(config, list);
      found.flow = false;
      found.add(config.createNode({ name, [field]: values[list as keyof typeof values] }));
    }
    if (!config.get('current-context')) config.set('current-context', name);
  });
}

/** Takes them away again, if they are there. */
export function removeContext({ file, name }: MergedContext): void {
  if (!existsSync(file)) return;
  change(file, (config) => {
    for (const list of Object.keys(lists)) {
      const found = listIn(config, list);
      const index = indexIn(found, name);
      if (index >= 0) found.delete(index);
    }
    if (config.get('current-context') === name) config.set('current-context', '');
  });
}

type Config = import('yaml').Document;

const empty = 'apiVersion: v1\nkind: Config\nclusters: []\nusers: []\ncontexts: []\ncurrent-context: ""\n';

/** @throws UsageError when it is no kubeconfig */
function change(file: string, edit: (config: Config) => void): void {
  const { isSeq, parseDocument } = createRequire(import.meta.url)('yaml') as typeof import('yaml');
  locked(file, () => {
    if (existsSync(file) && statSync(file).isDirectory())
      throw new UsageError(`${file} is no kubeconfig, but a folder`);
    // An empty one, as mktemp makes it, is one without entries to kubectl, too.
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    const config = parseDocument(text.trim() === '' ? empty : text) as unknown as Config;
    const [problem] = config.errors;
    if (problem || config.get('kind') !== 'Config') throw new UsageError(`${file} is no kubeconfig`);
    for (const list of Object.keys(lists))
      if (config.get(list) && !isSeq(config.get(list)))
        throw new UsageError(`${file} is no kubeconfig: its ${list} are no list`);
    edit(config);
    // A link stays one.
    const real = existsSync(file) ? realpathSync(file) : file;
    writeSecretFile(`${real}.touchstone`, config.toString({ lineWidth: 0 }));
    renameSync(`${real}.touchstone`, real);
  });
}

function listIn(config: Config, name: string): YAMLSeq {
  if (!config.get(name)) config.set(name, config.createNode([]));
  return config.get(name) as YAMLSeq;
}

const indexIn = (list: YAMLSeq, name: string): number =>
  list.items.findIndex((item) => (item as YAMLMap).get?.('name') === name);

/** Milliseconds: how long somebody else's lock is waited for. */
const patience = { step: 50, tries: 40 };

/** As kubectl locks it, so that neither loses what the other writes. @throws Error when it stays locked */
function locked(file: string, act: () => void): void {
  const lock = `${file}.lock`;
  for (let tries = 1; ; tries++) {
    try {
      closeSync(openSync(lock, 'wx', 0o600));
      break;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') break;
      if (code !== 'EEXIST') throw error;
      if (tries === patience.tries) throw new Error(`${lock} is there: remove it if no kubectl is writing`);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, patience.step);
    }
  }
  try {
    act();
  } finally {
    rmSync(lock, { force: true });
  }
}
