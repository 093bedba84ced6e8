import { setTimeout as sleep } from 'node:timers/promises';
import { Breach } from './breach.ts';
import type { Answer, Client } from './client.ts';
import type { Litter } from './guest/litter.ts';
import { said } from './said.ts';
import { unconfine, unconfined } from './standards.ts';

/** Where one run of one rule works: its namespace and its names. */
export interface Workspace {
  /** The rule's own namespace, made at the first call. */
  readonly namespace: () => Promise<string>;
  /** Another namespace of its own; `unique` names it unless a name is given. */
  readonly extraNamespace: (labels?: Readonly<Record<string, string>>, name?: string) => Promise<string>;
  /** Once others of the cluster have done with a new namespace, if any are to be waited for. @returns whether there are */
  readonly tended: () => Promise<boolean>;
  /** A name nobody else uses. */
  readonly unique: (prefix?: string) => string;
  /** Runs when the rule is done, last one first. */
  readonly later: (undo: () => Promise<unknown>) => void;
  /** Ends something that runs on, at the latest when the rule is done. */
  readonly closeLater: (close: () => void) => void;
}

let count = 0;
const thread = Math.random().toString(36).slice(2, 7).padEnd(5, 'x');

/** In each name that rules of this thread have from `unique`, before its number. */
export const uniqueMark = `${thread}${process.pid.toString(36)}`;

/** Numbers are equally long: names are in the order in which they were asked for. */
const digits = 5;

/** Creates must answer 201 (or 200, 202) with the object, else nothing that follows means anything. */
export function mustSucceed(answer: Answer, step: string): Answer {
  if (answer.status >= 200 && answer.status < 300 && answer.body !== null && typeof answer.body === 'object')
    return answer;
  throw new Breach('preparation', `could not ${step}: ${answer.status} ${said(answer)}`);
}

interface WorkspaceParts extends Pick<Litter, 'later'>, Pick<Workspace, 'closeLater'> {
  /** Milliseconds after which others of the cluster have done with a new namespace. */
  readonly tending?: number | undefined;
}

/** `client` makes the namespaces; what it makes the litter hears of. */
export function makeWorkspace(client: Client, { tending = 0, ...given }: WorkspaceParts): Workspace {
  const unique = (prefix = 'touchstone'): string => `${prefix}-${uniqueMark}-${String(++count).padStart(digits, '0')}`;
  let own: Promise<string> | undefined;

  async function extraNamespace(labels: Readonly<Record<string, string>> = {}, name = unique()): Promise<string> {
    const metadata = { name, labels: { ...unconfined, ...labels } };
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata };
    const answer = mustSucceed(await client.send('POST', '/api/v1/namespaces', { body }), 'create a namespace');
    if (answer.body.metadata?.name !== name) throw new Breach('preparation', 'a created namespace did not come back');
    // Others may have held it to a standard that is not its own.
    if (await tended()) await unconfine(client.send, `/api/v1/namespaces/${name}`);
    return name;
  }

  async function tended(): Promise<boolean> {
    if (tending > 0) await sleep(tending);
    return tending > 0;
  }

  return {
    unique,
    extraNamespace,
    tended,
    namespace: () => {
      own ??= extraNamespace();
      return own;
    },
    ...given,
  };
}
