import { fileProblems } from '../../file-trouble.ts';
import type { Log } from '../request/log.ts';
import type { Sync } from '../store/data-folder/file-journal.ts';
import type { ValueFormat } from '../store/etcd/value-format.ts';
import { Room } from '../store/room.ts';
import type { Store } from '../store/store.ts';

/** Where objects are kept; each field is the flag of the same name in kebab case. */
export interface EngineOptions {
  /** The store to serve from; missing: one of its own. */
  readonly store?: Store;
  /** What the past may take of this process, in bytes of JSON; missing: as much as the store thinks right. */
  readonly historyBytes?: number;
  /** What may be held decoded beside its bytes, in bytes of JSON, of all servers of the process; missing: 8 MiB. */
  readonly decodedBytes?: number;
  /** Where to log; missing: nowhere. */
  readonly log?: Log;
  /** Folder that keeps all objects; missing: they live as long as the process. */
  readonly dataDir?: string;
  /** When a change counts as kept there: `always` or `interval`. */
  readonly dataSync: Sync;
  /** URLs of an etcd that keeps all objects; empty: they are kept otherwise. */
  readonly etcdServers: readonly string[];
  readonly etcdCafile?: string;
  readonly etcdCertfile?: string;
  readonly etcdKeyfile?: string;
  readonly etcdPrefix: string;
  readonly storageMediaType: ValueFormat;
  /** File with the objects to begin with; see `store/snapshot.ts`. */
  readonly snapshot?: string;
  /** How many objects there may be; 0: as many as there is room for. */
  readonly maxObjects: number;
  /** Milliseconds that Events are kept after their last write. */
  readonly eventTtl: number;
}

/** What a server may take for its objects. */
export const boundsOf = ({ maxObjects, historyBytes }: EngineOptions) => ({
  room: new Room({ maxObjects }),
  ...(historyBytes !== undefined && { historyBytes }),
});

/** What is wrong with them, one sentence each. */
export function checkEngineOptions(options: EngineOptions): readonly string[] {
  const { dataDir, etcdServers, etcdCafile, etcdCertfile, etcdKeyfile, snapshot } = options;
  const problems: string[] = [];
  if (options.maxObjects < 0) problems.push('--max-objects must not be negative');
  if (dataDir && etcdServers.length > 0) problems.push('--data-dir and --etcd-servers exclude each other');
  if (Boolean(etcdCertfile) !== Boolean(etcdKeyfile))
    problems.push('--etcd-certfile and --etcd-keyfile need each other');
  for (const url of etcdServers) {
    if (!/^https?:\/\/[^/]+\/?$/.test(url))
      problems.push(`--etcd-servers: ${JSON.stringify(url)} is no http or https URL`);
  }
  const files = { 'etcd-cafile': etcdCafile, 'etcd-certfile': etcdCertfile, 'etcd-keyfile': etcdKeyfile, snapshot };
  return [...problems, ...fileProblems(files)];
}
