import type { ExpectStatic } from '@vitest/expect';
import { Agent, type Dispatcher } from 'undici';
import type { Capability } from '../capability.ts';
import { expect } from '../expect.ts';
import type { KeyPair } from '../lab/certificates.ts';
import type { Lab } from '../lab/lab.ts';
import { type Plugin, PluginCredentials, type PluginMeddling } from '../target/credential-plugin.ts';
import { targetFromKubeconfig } from '../target/kubeconfig.ts';
import { type Target, withoutCertificate } from '../target/target.ts';
import { Breach, Skipped } from './breach.ts';
import { type Client, connect, makeClient, type Query, type Send } from './client.ts';
import { Collection } from './collection.ts';
import type { Exchange } from './exchange.ts';
import { type KindName, type KindPath, kindPaths } from './kinds.ts';
import { makePluginClient } from './plugin-client.ts';
import { type WaitOptions, waitUntil } from './wait-until.ts';
import { openWatch, type Watch } from './watch.ts';
import { makeWorkspace, type Workspace } from './workspace.ts';

/** Somebody to act as, by impersonation. */
export interface User {
  readonly name: string;
  readonly groups?: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, string>>;
}

/** Requests as one user: raw ones by `send`, and each kind of the rule's namespace by name. */
export type Verbs = Readonly<Record<KindName, Collection>> & {
  readonly send: Send;
  /** A kind that is not listed, such as a custom one. */
  readonly kind: (at: KindPath) => Collection;
  readonly watch: (path: string, query?: Query, headers?: Readonly<Record<string, string>>) => Promise<Watch>;
};

/** All that a check may use. */
export type RuleContext = Verbs & {
  readonly expect: ExpectStatic;
  /** The same verbs as another user. */
  readonly as: (user: User) => Verbs;
  /** The same verbs with another bearer token. */
  readonly withToken: (token: string) => Verbs;
  /** The same verbs with a client certificate, and a token if one is given. */
  readonly withCertificate: (pair: KeyPair, token?: string) => Verbs;
  /** The lab that the server trusts; only for rules that need it. */
  readonly lab: Lab;
  /** The same verbs as a client of its own that reads a configuration file; nobody is at its keyboard. */
  readonly withKubeconfig: (file: string) => Verbs;
  /** Where the server is, as far as a configuration file tells of it. */
  readonly cluster: { readonly server: string; readonly 'certificate-authority-data'?: string };
  /** The name or address at which the server reaches this machine. */
  readonly webhookHost: string;
  /** The same on another server of the make, started with these flags; only for rules that need `flags`. */
  readonly start: (flags: readonly string[]) => Promise<RuleContext>;
  readonly namespace: Workspace['namespace'];
  readonly extraNamespace: Workspace['extraNamespace'];
  readonly unique: Workspace['unique'];
  readonly later: Workspace['later'];
  readonly release: Workspace['release'];
  readonly waitUntil: <T>(
    what: string,
    look: () => Promise<T>,
    accept: (seen: T) => boolean,
    options?: WaitOptions,
  ) => Promise<T>;
  /** How many milliseconds to wait for what should come at once. */
  readonly patience: number;
  /** For what a genuine server does not keep either: a failure in here is only a warning. */
  readonly looser: (assertion: () => void | Promise<void>) => Promise<void>;
  /** Gives up without a verdict; the reason is shown. */
  readonly skip: (reason: string) => never;
  /** What the target can do. */
  readonly capabilities: readonly Capability[];
  /** A context for one cell of a matrix; forks of one lane share a namespace, and lane 0 shares the rule's own. */
  readonly fork: (lane: number, cell: string) => Fork;
};

/** A context of its own for a part of a rule; what it makes goes when the rule is done. */
export interface Fork {
  readonly context: RuleContext;
  readonly exchanges: readonly Exchange[];
  /** Ends its watches. */
  readonly close: () => void;
}

export interface ContextOptions {
  readonly ruleId: string;
  readonly target: Target;
  readonly agents: { readonly own: Dispatcher; readonly anonymous: Dispatcher };
  readonly keep: boolean;
  /** Whether namespaces must be finalized by us, because no controller does it. */
  readonly finalize: boolean;
  readonly patience: number;
  readonly requestLimit: number;
  readonly lab?: Lab;
  readonly webhookHost: string;
  readonly start?: (flags: readonly string[]) => Promise<Started>;
  readonly client?: PluginMeddling;
  readonly capabilities?: readonly Capability[];
}

/** A server that runs for one rule. */
type Started = Pick<ContextOptions, 'target' | 'agents'> & { readonly stop: () => Promise<void> };

/** A context with what it has recorded. */
export interface RuleRun {
  readonly context: RuleContext;
  readonly exchanges: Exchange[];
  readonly warnings: string[];
  readonly cleanUp: () => Promise<void>;
  /** How many requests were made so far. */
  readonly requests: () => number;
}

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

function makeContext(options: ContextOptions, notes: Notes, cell?: CellNotes): RuleContext {
  const { warnings, cleanUps } = notes;
  const exchanges = cell?.exchanges ?? notes.exchanges;
  const clientFor = (
    headers: SentHeaders = {},
    target = options.target,
    agents = options.agents,
    credentials?: PluginCredentials,
  ): Client => {
    const parts = {
      target,
      agents,
      userAgent: `touchstone/0.1 (${options.ruleId})`,
      headers,
      record: (exchange: Exchange) => {
        notes.count.requests += 1;
        if (cell) exchange.cell = cell.cell;
        exchanges.push(exchange);
      },
      limit: options.requestLimit,
    };
    const { plugin } = target;
    return plugin ? makePluginClient(parts, credentials ?? sharedCredentials(plugin)) : makeClient(parts);
  };
  const client = clientFor();
  notes.client ??= client;
  const workspace = workspaceOf(notes.client, options, notes, cell);
  return {
    ...makeVerbs(client, workspace, options.patience),
    expect,
    as: (user) => makeVerbs(clientFor(impersonation(user)), workspace, options.patience),
    withToken: (token) => {
      // A client certificate would win over the token.
      const { plugin: _, ...bare } = withoutCertificate(options.target);
      const target = { ...bare, token };
      return makeVerbs(
        clientFor({}, target, { ...options.agents, own: options.agents.anonymous }),
        workspace,
        options.patience,
      );
    },
    withCertificate: ({ certificate, key }, token) => {
      const { token: _, plugin: __, ...bare } = options.target;
      const target = { ...bare, clientCertificate: certificate, clientKey: key, ...(token ? { token } : {}) };
      const own = target.proxied ? options.agents.own : connect(target);
      if (own instanceof Agent && own !== options.agents.own) workspace.later(() => own.destroy());
      return makeVerbs(clientFor({}, target, { ...options.agents, own }), workspace, options.patience);
    },
    get lab() {
      if (!options.lab) throw new Error('only a rule that needs the lab may use it');
      return options.lab;
    },
    withKubeconfig: (file) => {
      const read = targetFromKubeconfig(file);
      const target = { ...read, ...(options.target.proxied ? { proxied: true } : {}) };
      const agents = { ...options.agents, own: options.agents.anonymous };
      const credentials = read.plugin && new PluginCredentials(read.plugin, false, options.client);
      return makeVerbs(clientFor({}, target, agents, credentials), workspace, options.patience);
    },
    cluster: {
      server: options.target.url,
      ...(options.target.certificateAuthority
        ? { 'certificate-authority-data': Buffer.from(options.target.certificateAuthority).toString('base64') }
        : {}),
    },
    webhookHost: options.webhookHost,
    start: async (flags) => {
      if (!options.start) throw new Error('only a rule that needs flags may start servers');
      const { stop, ...reached } = await options.start(flags);
      cleanUps.push(stop);
      return makeContext(
        { ...options, ...reached },
        { exchanges: notes.exchanges, warnings, cleanUps, count: notes.count, lanes: [] },
      );
    },
    namespace: workspace.namespace,
    extraNamespace: workspace.extraNamespace,
    unique: workspace.unique,
    later: workspace.later,
    release: workspace.release,
    waitUntil: (what, look, accept, wait) => waitUntil(what, look, accept, { limit: options.patience, ...wait }),
    patience: options.patience,
    looser: async (assertion) => {
      try {
        await assertion();
      } catch (error) {
        if (error instanceof Breach && error.kind !== 'assertion') throw error;
        const warning = `${looserSentence}: ${error instanceof Error ? error.message : String(error)}`;
        if (!warnings.includes(warning)) warnings.push(warning);
      }
    },
    skip: (reason) => {
      throw new Skipped(reason);
    },
    capabilities: options.capabilities ?? [],
    fork: (lane, name) => {
      const own: CellNotes = { cell: name, lane, exchanges: [], closers: [] };
      const close = (): void => {
        for (const step of own.closers) step();
      };
      return { context: makeContext(options, notes, own), exchanges: own.exchanges, close };
    },
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
