import { globSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { type MergedContext, removeContext } from './kube-context.ts';

/** What a server that is up says of itself. */
export interface Note {
  readonly pid: number;
  readonly url: string;
  /** What it has added to a kubeconfig of the user's. */
  readonly context?: MergedContext;
}

/** Milliseconds for one look. */
const patience = 2_000;

/**
 * Whether somebody answers there; the question says nothing about us, so it does not matter who it is.
 * @param whenSlow what counts where a connection is taken and nothing comes of it in time
 */
export const answers = (url: string, whenSlow = false): Promise<boolean> =>
  new Promise((resolve) => {
    const call = request(`${url}/livez`, { rejectUnauthorized: false, agent: false, timeout: patience });
    call.on('response', (response) => {
      response.resume();
      resolve(true);
    });
    call.on('timeout', () => {
      resolve(whenSlow);
      call.destroy();
    });
    call.on('error', () => resolve(false));
    call.end();
  });

/** The notes in a folder, by their files; one that cannot be read counts as none. */
export function notesIn(folder: string): ReadonlyMap<string, Note> {
  const notes = globSync('up-*.json', { cwd: folder }).map((name) => join(folder, name));
  return new Map(notes.flatMap((file) => [[file, read(file) as Note] as const]).filter(([, note]) => note?.url));
}

function read(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Takes away what a server has left. */
export function forget(file: string, { context }: Note): void {
  if (context) removeContext(context);
  rmSync(file, { force: true });
}

/** The folder of what a server keeps while it runs, such as volumes and the keys of its node. */
export const runFolder = (pid: number): string => `${runs}${pid}`;

const runs = 'run-';

/** Whether there is a process of this number. */
export const lives = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of somebody else's may not be told anything, but it is there.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

interface Kubeconfig {
  readonly clusters?: readonly { readonly cluster?: { readonly server?: string } }[];
}

/** Files that lead to a server, and which one that is, as far as they can be read. */
const entrances: Readonly<Record<string, (file: string) => string | undefined>> = {
  'kubeconfig-*': (file) => (read(file) as Kubeconfig | undefined)?.clusters?.[0]?.cluster?.server,
  'ui-*.html': (file) => /<a href="(https:\/\/[^/"]+)/.exec(readFileSync(file, 'utf8'))?.[1],
};

/**
 * Takes away what servers have left in a folder that ended too suddenly to do it: notes, folders of theirs, and what
 * leads to servers of this machine. One that has much to do, and answers late, has not ended.
 */
export async function sweep(folder: string): Promise<void> {
  for (const name of globSync(`${runs}*`, { cwd: folder })) {
    const pid = Number(name.slice(runs.length));
    if (pid > 0 && !lives(pid)) rmSync(join(folder, name), { recursive: true, force: true });
  }
  for (const [file, note] of notesIn(folder)) if (!(await answers(note.url, true))) forget(file, note);
  for (const [pattern, urlOf] of Object.entries(entrances))
    for (const name of globSync(pattern, { cwd: folder })) {
      const file = join(folder, name);
      const url = urlOf(file) ?? '';
      if (/^https:\/\/(127\.0\.0\.1|\[::1\]|localhost):\d+$/.test(url) && !(await answers(url, true)))
        rmSync(file, { force: true });
    }
}
