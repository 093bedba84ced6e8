import { Breach } from './breach.ts';
import type { Answer, Client } from './client.ts';

/** What one run of one rule may litter: its namespace, its names, and the way to take all of it away again. */
export interface Workspace {
  /** The rule's own namespace, made at the first call. */
  readonly namespace: () => Promise<string>;
  /** Another namespace of its own. */
  readonly extraNamespace: (labels?: Readonly<Record<string, string>>) => Promise<string>;
  /** A name nobody else uses. */
  readonly unique: (prefix?: string) => string;
  /** Runs when the rule is done, last one first. */
  readonly later: (undo: () => Promise<unknown>) => void;
  /** Ends something that runs on, at the latest when the rule is done. */
  readonly closeLater: (close: () => void) => void;
  /** Runs after all that, and even if the objects shall stay: for what is on this machine. */
  readonly release: (step: () => unknown) => void;
  /** As `later`, but only the first time that `key` is given. */
  readonly once: (key: string, undo: () => Promise<unknown>) => void;
  /** Takes a namespace away when the rule is done. */
  readonly dropNamespace: (name: string) => void;
  /** Whether a namespace is the rule's, so that all in it may go. */
  readonly owns: (namespace: string) => boolean;
  readonly cleanUp: () => Promise<void>;
}

let count = 0;
const run = Math.random().toString(36).slice(2, 7).padEnd(5, 'x');

/** Creates must answer 201 (or 200, 202) with the object, else nothing that follows means anything. */
export function mustSucceed(answer: Answer, step: string): Answer {
  if (answer.status >= 200 && answer.status < 300 && answer.body !== null && typeof answer.body === 'object')
    return answer;
  const message = answer.body?.message ?? answer.text.slice(0, 200);
  throw new Breach('preparation', `could not ${step}: ${answer.status} ${message}`);
}

export function makeWorkspace(client: Client, { keep, finalize }: { keep: boolean; finalize: boolean }): Workspace {
  const undo: (() => Promise<unknown>)[] = [];
  const releases: (() => unknown)[] = [];
  const keys = new Set<string>();
  const owned = new Set<string>();
  const unique = (prefix = 'touchstone'): string => `${prefix}-${run}${process.pid.toString(36)}-${++count}`;
  let own: Promise<string> | undefined;

  const dropNamespace = (name: string): void => {
    owned.add(name);
    undo.push(() => removeNamespace(client, name, finalize));
  };

  async function extraNamespace(labels: Readonly<Record<string, string>> = {}): Promise<string> {
    const name = unique();
    const body = {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, labels: { 'touchstone/rule': 'true', ...labels } },
    };
    const answer = mustSucceed(await client.send('POST', '/api/v1/namespaces', { body }), 'create a namespace');
    if (answer.body.metadata?.name !== name) throw new Breach('preparation', 'a created namespace did not come back');
    dropNamespace(name);
    return name;
  }

  return {
    unique,
    extraNamespace,
    dropNamespace,
    owns: (name) => owned.has(name),
    namespace: () => {
      own ??= extraNamespace();
      return own;
    },
    later: (step) => undo.push(step),
    closeLater: (close) => undo.push(async () => close()),
    release: (step) => releases.push(step),
    once: (key, step) => {
      if (!keys.has(key)) undo.push(step);
      keys.add(key);
    },
    async cleanUp() {
      if (!keep) for (const step of undo.reverse()) await step().catch(() => undefined);
      for (const step of releases.reverse()) await step();
      undo.length = 0;
      releases.length = 0;
    },
  };
}

/** Without a namespace controller nobody would ever empty the list of finalizers. */
async function removeNamespace(client: Client, name: string, finalize: boolean): Promise<void> {
  const path = `/api/v1/namespaces/${name}`;
  await client.send('DELETE', path);
  if (finalize)
    await client.send('PUT', `${path}/finalize`, {
      body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name }, spec: { finalizers: [] } },
    });
}
