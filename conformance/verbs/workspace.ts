import { Breach } from './breach.ts';
import type { Answer, Client } from './client.ts';
import type { Litter } from './litter.ts';

/** Where one run of one rule works: its namespace and its names. */
export interface Workspace {
  /** The rule's own namespace, made at the first call. */
  readonly namespace: () => Promise<string>;
  /** Another namespace of its own; `unique` names it unless a name is given. */
  readonly extraNamespace: (labels?: Readonly<Record<string, string>>, name?: string) => Promise<string>;
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
  const message = answer.body?.message ?? answer.text.slice(0, 200);
  throw new Breach('preparation', `could not ${step}: ${answer.status} ${message}`);
}

/** A cluster may hold pods to a standard, or warn of what is beyond it, unless their namespace says otherwise. */
export const unconfined: Readonly<Record<string, string>> = Object.fromEntries(
  ['enforce', 'audit', 'warn'].map((mode) => [`pod-security.kubernetes.io/${mode}`, 'privileged']),
);

/** `client` makes the namespaces; what it makes the litter hears of. */
export function makeWorkspace(client: Client, { later }: Pick<Litter, 'later'>): Workspace {
  const unique = (prefix = 'touchstone'): string => `${prefix}-${uniqueMark}-${String(++count).padStart(digits, '0')}`;
  let own: Promise<string> | undefined;

  async function extraNamespace(labels: Readonly<Record<string, string>> = {}, name = unique()): Promise<string> {
    const metadata = { name, labels: { ...unconfined, ...labels } };
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata };
    const answer = mustSucceed(await client.send('POST', '/api/v1/namespaces', { body }), 'create a namespace');
    if (answer.body.metadata?.name !== name) throw new Breach('preparation', 'a created namespace did not come back');
    return name;
  }

  return {
    unique,
    extraNamespace,
    namespace: () => {
      own ??= extraNamespace();
      return own;
    },
    later,
    closeLater: (close) => later(async () => close()),
  };
}
