import { setTimeout as sleep } from 'node:timers/promises';
import type { Expect } from '../../assertions.ts';
import { expect } from '../../expect.ts';
import { type Authority, type KeyPair, makeAuthority, makePair, type Wish } from '../../lab/certificates.ts';
import { Skipped } from '../../verbs/breach.ts';
import { waitUntil } from '../../verbs/wait-until.ts';
import type { PartyRun } from '../party.ts';
import { answerWell, failure, isList, isWatch, lineOf, type OpenWatch } from './answers.ts';
import { type ClientProcess, startClient } from './client-process.ts';
import { type Configuration, makeConfiguration } from './configuration.ts';
import type { Lasting, Reply } from './replies.ts';
import { type ScriptedServer, type Seen, startScriptedServer } from './scripted-server.ts';
import { namespace, World } from './world.ts';

/** The command that is judged. */
export interface ClientCandidate {
  readonly command: readonly string[];
  /** Milliseconds to wait for what should come. */
  readonly patience: number;
}

/** What a client can be asked to do. */
export type Scenario =
  | 'copy'
  | 'selected'
  | 'update'
  | 'apply'
  | 'exact'
  | 'not-older'
  | 'protobuf'
  | 'health'
  | 'certificate'
  | 'lead'
  | 'event';

/** Answers a request otherwise than well, or leaves it to the next. */
export type Whim = (seen: Seen) => Reply | Lasting | undefined;

/** What a check works with: a server of its own, what is in it, and the client. */
export interface ClientContext {
  readonly expect: Expect;
  readonly patience: number;
  readonly world: World;
  readonly server: ScriptedServer;
  readonly configuration: Configuration;
  /** Starts a server of another host name, which the same authority vouches for; it answers 401 to all. */
  readonly elsewhere: () => Promise<ScriptedServer>;
  /** Signs client certificates; the server takes those of anybody. */
  readonly certificate: (name: string, wish?: Pick<Wish, 'untilDay'>) => Promise<KeyPair>;
  /** The server shows another certificate of the same authority from the next connection on. */
  readonly present: (wish: Partial<Wish>) => Promise<void>;
  /** Starts the client, by default to keep a copy. */
  readonly start: (scenario?: Scenario, environment?: Readonly<Record<string, string>>) => ClientProcess;
  /** Comes before all that were given earlier. */
  readonly whim: (whim: Whim) => void;
  readonly lists: () => readonly Seen[];
  readonly watches: () => readonly Seen[];
  readonly open: () => readonly OpenWatch[];
  /** Sends each open watch that takes them a bookmark at the newest version. */
  readonly bookmark: () => void;
  /** Sends each open watch a text as it is. */
  readonly send: (text: string | Buffer) => void;
  /** Ends all open watches. */
  readonly endWatches: () => void;
  /** Waits until the client watches. */
  readonly watching: (count?: number) => Promise<void>;
  /** Looks until it is as expected, for `patience` unless a limit in milliseconds is given; no longer than there are clients. */
  readonly until: <T>(what: string, look: () => T, accept: (seen: T) => boolean, limit?: number) => Promise<T>;
  /** Lets so many milliseconds go by. */
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Gives up without a verdict. */
  readonly skip: (reason: string) => never;
}

let authority: Promise<{ readonly own: Authority; readonly pair: KeyPair }> | undefined;

/** One authority for all rules: keys take time to make. */
const materials = () => {
  authority ??= makeAuthority('touchstone-judge').then(async (own) => ({
    own,
    pair: await makePair({ name: 'CN=server', usage: 'server' }, own),
  }));
  return authority;
};

/** Starts the server for one rule. */
export async function openClient({ command, patience }: ClientCandidate, run: PartyRun): Promise<ClientContext> {
  const { own, pair: keyPair } = await materials();
  const world = new World();
  const watches = new Set<OpenWatch>();
  const whims: Whim[] = [];
  const answering = (seen: Seen): Reply | Lasting => firstOf(whims, seen) ?? answerWell(world, watches, seen);
  const server = await startScriptedServer({ keyPair, answering, exchanges: run.exchanges });
  run.release(() => server.stop());
  const configuration = makeConfiguration(server.url, own.certificate);
  run.release(() => configuration.remove());
  configuration.save({ token: 'token-of-the-judge' });
  const clients: ClientProcess[] = [];
  const until = untilWithin(patience, clients);
  return {
    ...{ expect, patience, world, server, configuration, until },
    elsewhere: () => startElsewhere(keyPair, run),
    certificate: (name, wish) => makePair({ name: `CN=${name}`, usage: 'client', ...wish }, own),
    present: async (wish) => server.present(await makePair({ name: 'CN=server', usage: 'server', ...wish }, own)),
    start: starting({ command, patience }, configuration, run, clients),
    pause: (milliseconds) => sleep(milliseconds),
    whim: (whim) => void whims.unshift(whim),
    skip: (reason) => {
      throw new Skipped(reason);
    },
    ...looking(server, watches, until),
    ...meddling(world, watches),
  };
}

async function startElsewhere(keyPair: KeyPair, { exchanges, release }: PartyRun): Promise<ScriptedServer> {
  const answering = () => failure(401, 'Unauthorized', 'Unauthorized');
  const other = await startScriptedServer({ keyPair, answering, exchanges });
  release(() => other.stop());
  return { ...other, url: `https://localhost:${new URL(other.url).port}` };
}

function firstOf(whims: readonly Whim[], seen: Seen): Reply | Lasting | undefined {
  for (const whim of whims) {
    const given = whim(seen);
    if (given) return given;
  }
  return undefined;
}

const starting =
  (
    { command, patience }: ClientCandidate,
    { file: kubeconfig }: Configuration,
    run: PartyRun,
    clients: ClientProcess[],
  ): ClientContext['start'] =>
  (scenario = 'copy', more = {}) => {
    const environment = { ...more, TOUCHSTONE_SCENARIO: scenario, TOUCHSTONE_NAMESPACE: namespace };
    const client = startClient({ command, kubeconfig, environment, patience });
    clients.push(client);
    run.release(() => client.stop());
    return client;
  };

const untilWithin = (patience: number, clients: readonly ClientProcess[]): ClientContext['until'] => {
  const isOver = (): boolean => clients.length > 0 && clients.every(({ isGone }) => isGone());
  return (what, look, accept, limit = patience) =>
    waitUntil(what, async () => look(), accept, { limit, interval: 20, isOver });
};

function looking(
  { seen }: ScriptedServer,
  watches: ReadonlySet<OpenWatch>,
  until: ClientContext['until'],
): Pick<ClientContext, 'lists' | 'watches' | 'open' | 'watching'> {
  return {
    lists: () => seen.filter(isList),
    watches: () => seen.filter(isWatch),
    open: () => [...watches],
    watching: async (count = 1) => {
      await until(
        count === 1 ? 'the client watches' : `the client has watched ${count} times`,
        () => ({ open: watches.size, begun: seen.filter(isWatch).length }),
        ({ open, begun }) => open > 0 && begun >= count,
      );
    },
  };
}

function meddling(
  world: World,
  watches: ReadonlySet<OpenWatch>,
): Pick<ClientContext, 'bookmark' | 'send' | 'endWatches'> {
  return {
    bookmark() {
      const object = {
        kind: 'Secret',
        apiVersion: 'v1',
        metadata: { resourceVersion: world.version, creationTimestamp: null },
      };
      for (const { bookmarks, stream } of watches) if (bookmarks) stream.write(lineOf('BOOKMARK', object));
    },
    send(text) {
      for (const { stream } of watches) stream.write(text);
    },
    endWatches() {
      for (const watch of watches) watch.end();
    },
  };
}
