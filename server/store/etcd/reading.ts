import { CompactedError } from '../store.ts';
import { StoredValue } from '../stored-value.ts';
import type { State } from '../versions.ts';
import type { EtcdClient } from './etcd-client.ts';
import type { KeyLayout } from './key-layout.ts';
import type { KeyValue } from './messages.ts';
import { rangeEndOf, rangeOf } from './ranges.ts';
import { lineOf, type StoredForms, textOf, type Writer } from './value-format.ts';

export interface ReadingOptions {
  readonly client: EtcdClient;
  readonly layout: KeyLayout;
  readonly forms: StoredForms;
  /** Told of values that cannot be read, and of a watch that broke. */
  readonly report: (error: unknown) => void;
}

/**
 * Keys that are asked for at once: few at first, and then about so many as have these bytes together. What comes next may
 * be larger than what came, up to what etcd takes of each (1.5 MiB), and has to fit into one answer all the same.
 */
const page = { first: 32, most: 250, bytes: 4 * 1024 * 1024 };

/** What of all objects could be read, and why the others could not. */
export interface ReadState extends State {
  readonly errors: readonly unknown[];
}

/**
 * All objects at one revision; begun anew if that is compacted away meanwhile, and in the end all in one answer, which
 * nothing can come between. @throws UnavailableError
 */
export async function readAll(options: ReadingOptions, attempts = 5): Promise<ReadState> {
  try {
    return await readOnce(options, attempts > 1 ? page.first : 0);
  } catch (error) {
    if (!(error instanceof CompactedError) || attempts <= 1) throw error;
    return readAll(options, attempts - 1);
  }
}

async function readOnce(options: ReadingOptions, first: number): Promise<ReadState> {
  const items: StoredValue[] = [];
  const errors: unknown[] = [];
  const noting = { ...options, report: (error: unknown) => void errors.push(error) };
  const take = (kv: KeyValue) => {
    const stored = readable(noting, kv);
    if (stored) items.push(stored);
  };
  const { revision } = await eachOf(options.client, rangeOf(options.layout.root), 0, take, first);
  return { revision, items, errors };
}

/**
 * Hands over all keys of a range, as they were at a revision (0: now).
 * @param first how many are asked for at first; 0: all in one answer
 * @throws CompactedError, UnavailableError
 */
export async function eachOf(
  client: EtcdClient,
  { key, rangeEnd }: { readonly key: Buffer; readonly rangeEnd: Buffer },
  revision: number,
  take: (kv: KeyValue) => void,
  first: number = page.first,
): Promise<{ readonly revision: number }> {
  let at = revision;
  let limit = first;
  for (let from = key; ; ) {
    const {
      header,
      kvs = [],
      more,
    } = await client.range({
      key: from,
      rangeEnd,
      limit,
      ...(at > 0 && { revision: at }),
    });
    at ||= header?.revision ?? 0;
    for (const kv of kvs) take(kv);
    const last = kvs.at(-1);
    if (!more || !last) return { revision: at };
    from = rangeEndOf(last.key);
    limit = nextLimit(kvs);
  }
}

function nextLimit(kvs: readonly KeyValue[]): number {
  const bytes = kvs.reduce((sum, { key, value }) => sum + key.length + (value?.length ?? 0), 1);
  return Math.min(page.most, Math.max(1, Math.floor((page.bytes * kvs.length) / bytes)));
}

/** @returns undefined for a key that is not of an object @throws UnreadableError */
export function storedOf({ layout, forms }: ReadingOptions, kv: KeyValue) {
  const key = layout.fromEtcd(kv.key.toString());
  return key === undefined ? undefined : storedAt(forms, key, kv.modRevision, kv.value ?? noBytes);
}

/** As `storedOf`, where others are to be read all the same: a value that cannot be read counts as none, and is made known. */
export function readable(options: ReadingOptions, kv: KeyValue): StoredValue | undefined {
  try {
    return storedOf(options, kv);
  } catch (error) {
    options.report(error);
    return undefined;
  }
}

export const noBytes = Buffer.alloc(0);

export const storedAt = (
  forms: StoredForms,
  key: string,
  revision: number,
  value: Buffer,
  writer?: Writer,
): StoredValue => {
  const text = writer === 'here' ? textOf(key, value, revision, forms) : undefined;
  return text === undefined
    ? StoredValue.ofLine(key, revision, lineOf(key, value, revision, forms, writer))
    : StoredValue.ofText(key, revision, text);
};
