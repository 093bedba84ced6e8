import { Agent } from 'undici';
import { expect } from '../expect.ts';
import { type Plugin, PluginCredentials } from '../target/credential-plugin.ts';
import { targetFromKubeconfig } from '../target/kubeconfig.ts';
import { type Target, withoutCertificate } from '../target/target.ts';
import { Breach, Skipped } from './breach.ts';
import { type Client, connect, makeClient } from './client.ts';
import { Collection } from './collection.ts';
import type { ContextOptions, Fork, RuleContext, RuleRun, User, Verbs } from './context.ts';
import type { Exchange } from './exchange.ts';
import { type KindName, type KindPath, kindPaths } from './kinds.ts';
import { makePluginClient } from './plugin-client.ts';
import { waitUntil } from './wait-until.ts';
import { openWatch } from './watch.ts';
import { makeWorkspace, type Workspace } from './workspace.ts';

const credentialsByPlugin = new Map<string, PluginCredentials>();

/** The credentials that all rules of a process are judged with. */
function sharedCredentials(plugin: Plugin): PluginCredentials {
  const key = JSON.stringify(plugin);
  const credentials = credentialsByPlugin.get(key) ?? new PluginCredentials(plugin, false);
  credentialsByPlugin.set(key, credentials);
  return credentials;
}

type SentHeaders = Readonly<Record<string, string | readonly string[]>>;

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
  const notes: Notes = { exchanges: [], warnings: [], cleanUps: [], count: { requests: 0 }, lanes: [] };
  const { exchanges, warnings, cleanUps } = notes;
  const cleanUp = async (): Promise<void> => {
    const seen = exchanges.length;
    for (const step of cleanUps.reverse()) await step();
    exchanges.length = Math.min(exchanges.length, seen);
  };
  const context = makeContext(options, notes);
  return { context, exchanges, warnings, cleanUp, requests: () => notes.count.requests };
}

/** What the contexts of one run write down together. */
interface Notes {
  readonly exchanges: Exchange[];
  readonly warnings: string[];
  readonly cleanUps: (() => Promise<void>)[];
  readonly count: { requests: number };
  /** What the cells of one lane share. */
  readonly lanes: Workspace[];
  /** Makes and removes namespaces on behalf of no cell. */
  client?: Client;
}

/** Where the exchanges of a cell go, and what it must not leave running. */
interface CellNotes {
  readonly cell: string;
  readonly lane: number;
  readonly exchanges: Exchange[];
  readonly closers: (() => void)[];
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
    const { plugin } = target;
    return plugin ? makePluginClient(parts, credentials ?? sharedCredentials(plugin)) : makeClient(parts);
  };

type Callers = Pick<RuleContext, 'as' | 'withToken' | 'withCertificate' | 'withKubeconfig'>;

/** The same verbs as somebody else. */
function callersOf(options: ContextOptions, workspace: Workspace, clientFor: ClientFor): Callers {
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
      if (own instanceof Agent && own !== options.agents.own) workspace.later(() => own.destroy());
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

async function startAnother(options: ContextOptions, notes: Notes, flags: readonly string[]): Promise<RuleContext> {
  if (!options.start) throw new Error('only a rule that needs flags may start servers');
  const { stop, ...reached } = await options.start(flags);
  notes.cleanUps.push(stop);
  const { exchanges, warnings, cleanUps, count } = notes;
  return makeContext({ ...options, ...reached }, { exchanges, warnings, cleanUps, count, lanes: [] });
}

async function onlyWarn(warnings: string[], assertion: () => void | Promise<void>): Promise<void> {
  try {
    await assertion();
  } catch (error) {
    if (error instanceof Breach && error.kind !== 'assertion') throw error;
    const warning = `${looserSentence}: ${error instanceof Error ? error.message : String(error)}`;
    if (!warnings.includes(warning)) warnings.push(warning);
  }
}

function forkOf(options: ContextOptions, notes: Notes, lane: number, cell: string): Fork {
  const own: CellNotes = { cell, lane, exchanges: [], closers: [] };
  const close = (): void => {
    for (const step of own.closers) step();
  };
  return { context: makeContext(options, notes, own), exchanges: own.exchanges, close };
}

function makeContext(options: ContextOptions, notes: Notes, cell?: CellNotes): RuleContext {
  const { target, patience } = options;
  const clientFor = clientsOf(options, notes, cell);
  const client = clientFor();
  notes.client ??= client;
  const workspace = workspaceOf(notes.client, options, notes, cell);
  return {
    ...makeVerbs(client, workspace, patience),
    ...callersOf(options, workspace, clientFor),
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
    release: workspace.release,
    waitUntil: (what, look, accept, wait) => waitUntil(what, look, accept, { limit: patience, ...wait }),
    patience,
    looser: (assertion) => onlyWarn(notes.warnings, assertion),
    skip: (reason) => {
      throw new Skipped(reason);
    },
    capabilities: options.capabilities ?? [],
    fork: (lane, name) => forkOf(options, notes, lane, name),
  };
}

/** The rule's own workspace, or that of a cell's lane; lane 0 is the rule's own. */
function workspaceOf(client: Client, options: ContextOptions, notes: Notes, cell: CellNotes | undefined): Workspace {
  const index = cell?.lane ?? 0;
  let shared = notes.lanes[index];
  if (!shared) {
    shared = makeWorkspace(client, options);
    notes.lanes[index] = shared;
    notes.cleanUps.push(shared.cleanUp);
  }
  if (!cell) return shared;
  return { ...shared, closeLater: (close) => cell.closers.push(close) };
}
