import { setTimeout as sleep } from 'node:timers/promises';
import type { Json, Send } from '../verbs/client.ts';
import { type Permit, runLabel } from '../verbs/guest/permit.ts';
import { isUnconfined, unconfine, unconfined } from '../verbs/standards.ts';

/** What others of a cluster make of its new namespaces. */
export interface Tending {
  /** Milliseconds after which they have done with one; missing: nobody writes them. */
  readonly tended?: number;
  /** How they hold pods to a standard there, whatever the namespace says itself. */
  readonly confined?: string;
}

interface Pace {
  /** Milliseconds in which those are seen who write new namespaces. */
  readonly watched: number;
  readonly interval: number;
}

const usual: Pace = { watched: 2_500, interval: 100 };

/** Nobody is waited for longer, in milliseconds. */
const longest = 4_000;

const path = '/api/v1/namespaces';

/** Makes a namespace, looks who writes it a little later, as tenancy controllers do, and takes it away. */
export async function tendingOf(send: Send, { run }: Permit, pace = usual): Promise<Tending> {
  const labels = { [runLabel]: run, ...unconfined };
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { generateName: 'touchstone-look-', labels } };
  const made = await send('POST', path, { body }).catch(() => undefined);
  const name = made?.body?.metadata?.name;
  if (made?.status !== 201 || typeof name !== 'string') return {};
  const at = `${path}/${name}`;
  const read = async (): Promise<Json> => (await send('GET', at)).body;
  try {
    const written = await lastWrite(read, made.body, pace);
    if (written === undefined) return {};
    // Beside all that a run does they may take longer.
    const tended = Math.min(longest, 3 * written + pace.watched / 5);
    await unconfine(send, at);
    await sleep(tended);
    return { tended, ...confinement(await read()) };
  } catch {
    return {};
  } finally {
    await send('DELETE', at).catch(() => undefined);
  }
}

const confinement = (namespace: Json): Pick<Tending, 'confined'> =>
  isUnconfined(namespace)
    ? {}
    : { confined: 'others hold the pods of each new namespace to a standard, whatever it says itself' };

/** Milliseconds after which a new object was last written, undefined where it never was. */
async function lastWrite(read: () => Promise<Json>, made: Json, pace: Pace): Promise<number | undefined> {
  const begun = performance.now();
  let version = made.metadata?.resourceVersion;
  let written: number | undefined;
  while (performance.now() - begun < pace.watched) {
    await sleep(pace.interval);
    const seen = (await read())?.metadata?.resourceVersion;
    if (seen !== undefined && seen !== version) written = performance.now() - begun;
    version = seen ?? version;
  }
  return written;
}
