import { Agent } from 'undici';
import { expect } from '../expect.ts';
import { PluginCredentials } from '../target/credential-plugin.ts';
import { targetFromKubeconfig } from '../target/kubeconfig.ts';
import { type Target, withoutCertificate } from '../target/target.ts';
import { Breach, Skipped } from './breach.ts';
import type { Client } from './client.ts';
import { type Closers, makeClosers } from './closers.ts';
import { Collection } from './collection.ts';
import type { Fork, RuleContext, RuleRun, User, Verbs } from './context.ts';
import type { ContextOptions } from './context-options.ts';
import { type Exchange, RuleOver } from './exchange.ts';
import { asCleanUp, throughDoor } from './guest/door.ts';
import { type Litter, makeLitter } from './guest/litter.ts';
import { allOf } from './guest/permit.ts';
import { type KindName, type KindPath, kindPaths } from './kinds.ts';
import { allHeard, waitUntil } from './wait-until.ts';
import { openWatch } from './watch.ts';
import { connect } from './wire/connections.ts';
import { clientOf } from './wire/plugin-client.ts';
import type { SentHeaders } from './witness.ts';
import { makeWorkspace, type Workspace } from './workspace.ts';

const looserSentence = 'looser than documented; a genuine v1.25 server is too';

function makeVerbs(client: Client, workspace: Workspace, patience: number): Verbs {
  const collection = (at: KindPath): Collection => new Collection({ at, client, workspace, patience });
  const kinds = Object.fromEntries(Object.entries(kindPaths).map(([name, at]) => [name, collection(at)]));
  return {
    ...(kinds as Record<KindName, Collection>),
    send: client.send,
    kind: collection,
    watch: async (path, query = {}, headers = {}) => {
      const watch = await openWatch(client, path, query, patience, headers);
      workspace.closeLater(watch.close);
      return watch;
    },
  };
}

export function impersonation(user: User): Record<string, string | readonly string[]> {
  return {
    'impersonate-user': user.name,
    ...(user.groups ? { 'impersonate-group': user.groups } : {}),
    ...(user.uid === undefined ? {} : { 'impersonate-uid': user.uid }),
    ...Object.fromEntries(
      Object.entries(user.extra ?? {}).map(([key, value]) => [`impersonate-extra-${encodeURIComponent(key)}`, value]),
    ),
  };
}

export function makeRun(options: ContextOptions): RuleRun {
  const stopped = new AbortController();
  const litter = makeLitter(janitorOf(options), options);
  const shared = {
    exchanges: options.exchanges ?? [],
    warnings: [],
    count: { requests: 0 },
    releases: [],
    closers: makeClosers(),
    stopped: stopped.signal,
  };
  const notes: Notes = { ...shared, lanes: [], litter };
  const { exchanges, warnings, releases } = notes;
  const cleanUp = async (): Promise<readonly string[]> => {
    notes.closers.close();
    const left = await litter.remove();
    for (const step of releases.toReversed()) await step();
    return left;
  };
  return {
    context: makeContext(options, notes),
    exchanges,
    warnings,
    cleanUp: () => asCleanUp(cleanUp),
    stop: () => stopped.abort(new RuleOver()),
    requests: () => notes.count.requests,
  };
}

/** What the contexts of one run write down together. */
interface Notes {
  readonly exchanges: Exchange[];
  readonly warnings: string[];
  readonly count: { requests: number };
  /** What the cells of one lane share. */
  readonly lanes: Workspace[];
  /** Of one target; a further server that a rule starts has its own. */
  readonly litter: Litter;
  readonly stopped: AbortSignal;
  /** For what runs on. */
  readonly closers: Closers;
  /** For what is on this machine. */
  readonly releases: (() => unknown)[];
  /** Makes namespaces on behalf of no cell. */
  client?: Client;
}

/** Removes what was made, as the administrator; nothing of it is told. */
const janitorOf = ({ target, agents, requestLimit, ruleId }: ContextOptions): Client =>
  clientOf({ target, agents, userAgent: `touchstone/0.1 (${ruleId})`, record: () => undefined, limit: requestLimit });

/** Where the exchanges of a cell go, and what it must not leave running. */
interface CellNotes {
  readonly cell: string;
  readonly lane: number;
  readonly exchanges: Exchange[];
  readonly closers: Closers;
}

/** A client for one who makes requests: what is sent with each, to whom, and over which connections. */
type ClientFor = (
  headers?: SentHeaders,
  target?: Target,
  agents?: ContextOptions['agents'],
  credentials?: PluginCredentials,
) => Client;

const clientsOf =
  (options: ContextOptions, notes: Notes, cell: CellNotes | undefined): ClientFor =>
  (headers = {}, target = options.target, agents = options.agents, credentials) => {
    const parts = {
      target,
      agents,
      userAgent: `touchstone/0.1 (${options.ruleId})`,
      headers,
      record: (exchange: Exchange) => {
        notes.count.requests += 1;
        if (cell) exchange.cell = cell.cell;
        (cell?.exchanges ?? notes.exchanges).push(exchange);
      },
      limit: options.requestLimit,
    };
    const bare = clientOf(parts, credentials);
    const { litter, stopped } = notes;
    return throughDoor(options.witness?.(bare, headers) ?? bare, {
      permit: options.permit ?? allOf(options.ruleId),
      unserved: options.unserved ?? [],
      ...(options.refused ? { refused: options.refused } : {}),
      narrow: options.narrow === true && target === options.target && Object.keys(headers).length === 0,
      owns: litter.owns,
      made: litter.made,
      stopped,
    });
  };

type Callers = Pick<RuleContext, 'as' | 'withToken' | 'withCertificate' | 'withKubeconfig'>;

/** The same verbs as somebody else. */
function callersOf(options: ContextOptions, notes: Notes, workspace: Workspace, clientFor: ClientFor): Callers {
  const verbs = (client: Client) => makeVerbs(client, workspace, options.patience);
  const anonymous = { ...options.agents, own: options.agents.anonymous };
  return {
    as: (user) => verbs(clientFor(impersonation(user))),
    withToken: (token) => {
      // A client certificate would win over the token.
      const { plugin: _, ...bare } = withoutCertificate(options.target);
      return verbs(clientFor({}, { ...bare, token }, anonymous));
    },
    withCertificate: ({ certificate, key }, token) => {
      const { token: _, plugin: __, ...bare } = options.target;
      const target = { ...bare, clientCertificate: certificate, clientKey: key, ...(token ? { token } : {}) };
      const own = target.proxied ? options.agents.own : connect(target);
      if (own instanceof Agent && own !== options.agents.own) notes.releases.push(() => own.destroy());
      return verbs(clientFor({}, target, { ...options.agents, own }));
    },
    withKubeconfig: (file) => {
      const read = targetFromKubeconfig(file);
      const target = { ...read, ...(options.target.proxied ? { proxied: true } : {}) };
      const credentials = read.plugin && new PluginCredentials(read.plugin, false, options.client);
      return verbs(clientFor({}, target, anonymous, credentials));
    },
  };
}

const clusterOf = ({ url, certificateAuthority }: Target): RuleContext['cluster'] => ({
  server: url,
  ...(certificateAuthority
    ? { 'certificate-authority-data': Buffer.from(certificateAuthority).toString('base64') }
    : {}),
});

async function startAnother(
  options: ContextOptions,
  notes: Notes,
  flags: readonly string[],
): ReturnType<RuleContext['start']> {
  if (!options.start) throw new Error('only a rule that needs flags may start servers');
  const { stop, ...reached } = await options.start(flags);
  notes.releases.push(stop);
  const { permit: _, tended: _tended, narrow: _narrow, refused: _refused, ...others } = options;
  const { client: __, ...shared } = notes;
  const own = { ...others, ...reached };
  // All of it goes with the server.
  const litter = makeLitter(janitorOf(own), { ...own, keep: true });
  return Object.assign(makeContext(own, { ...shared, litter, lanes: [] }), { stop });
}

async function onlyWarn(warnings: string[], assertion: () => void | Promise<void>): Promise<void> {
  try {
    await assertion();
  } catch (error) {
    if (error instanceof Skipped || (error instanceof Breach && error.kind !== 'assertion')) throw error;
    const warning = `${looserSentence}: ${error instanceof Error ? error.message : String(error)}`;
    if (!warnings.includes(warning)) warnings.push(warning);
  }
}

function forkOf(options: ContextOptions, notes: Notes, lane: number, cell: string): Fork {
  const own: CellNotes = { cell, lane, exchanges: [], closers: makeClosers() };
  return {
    context: makeContext(options, notes, own),
    exchanges: own.exchanges,
    verbose: options.verbose ?? false,
    close: own.closers.close,
  };
}

function makeContext(options: ContextOptions, notes: Notes, cell?: CellNotes): RuleContext {
  const { target, patience } = options;
  const clientFor = clientsOf(options, notes, cell);
  const client = clientFor();
  notes.client ??= client;
  const workspace = workspaceOf(notes.client, options, notes, cell);
  return {
    ...makeVerbs(client, workspace, patience),
    ...callersOf(options, notes, workspace, clientFor),
    expect,
    get lab() {
      if (!options.lab) throw new Error('only a rule that needs the lab may use it');
      return options.lab;
    },
    cluster: clusterOf(target),
    webhookHost: options.webhookHost,
    start: (flags) => startAnother(options, notes, flags),
    namespace: workspace.namespace,
    extraNamespace: workspace.extraNamespace,
    unique: workspace.unique,
    later: workspace.later,
    release: (step) => notes.releases.push(step),
    waitUntil: (what, look, accept, wait) => waitUntil(what, look, accept, { limit: patience, ...wait }),
    allHeard: () => allHeard(options.servers),
    patience,
    longPatience: patience * 8,
    looser: (assertion) => onlyWarn(notes.warnings, assertion),
    skip: (reason) => {
      throw new Skipped(reason);
    },
    capabilities: options.capabilities ?? [],
    version: options.version ?? '',
    fork: (lane, name) => forkOf(options, notes, lane, name),
  };
}

/** The rule's own workspace, or that of a cell's lane; lane 0 is the rule's own. */
function workspaceOf(client: Client, { tended }: ContextOptions, notes: Notes, cell: CellNotes | undefined): Workspace {
  const index = cell?.lane ?? 0;
  const { litter, closers } = notes;
  const own = { later: litter.later, closeLater: closers.add, tending: tended };
  const shared = notes.lanes[index] ?? makeWorkspace(client, own);
  notes.lanes[index] = shared;
  return cell ? { ...shared, closeLater: cell.closers.add } : shared;
}
