import { checkNeeded, UsageError } from '../mistyped.ts';
import { assemble } from './assembly.ts';
import { awake } from './awake.ts';
import { startBackground } from './background.ts';
import type { MovableClock } from './base/time/movable-clock.ts';
import { systemTimers } from './base/time/timers.ts';
import { frontProxy } from './certificates/front-proxy.ts';
import { nodeKeys } from './certificates/node-keys.ts';
import { signingAuthority } from './certificates/signing-authority.ts';
import { Closers } from './closers.ts';
import { startControllersBeside } from './controllers-beside.ts';
import { copied, type Engine, openEngine } from './engine/engine.ts';
import { clockEndpoint, clockPath } from './faults/clock-endpoint.ts';
import { faultsEndpoint } from './faults/endpoint.ts';
import { Faults, faultsPath } from './faults/faults.ts';
import { type Access, kubeconfigFor } from './kubeconfig.ts';
import { checkGiven, problemsOf, type ServerOptions, withDefaults } from './options/options.ts';
import { keepPublished, ownAddress } from './own-endpoints.ts';
import { type RecentRequest, RecentRequests } from './request/recent-requests.ts';
import type { RequestServices } from './request/services.ts';
import { openDoor } from './serving.ts';
import { type SettleOptions, settle } from './settle.ts';
import { writeSnapshot } from './store/snapshot.ts';
import type { Store } from './store/store.ts';
import { activityEndpoint, activityPath } from './ui/ui.ts';

export { UsageError } from '../mistyped.ts';
export { type Duration, MovableClock } from './base/time/movable-clock.ts';
export type { ServerOptions } from './options/options.ts';
export type { RecentRequest } from './request/recent-requests.ts';
export { type SettleOptions, UnsettledError } from './settle.ts';

/** A running server. */
export interface RunningServer {
  /** Such as `https://127.0.0.1:6443`. */
  readonly url: string;
  /** Text of a client configuration that logs in as an administrator. */
  readonly kubeconfig: string;
  /** PEM that clients verify the server's certificate with. */
  readonly certificateAuthority: string;
  /** Bearer token of the administrator in `kubeconfig`. */
  readonly adminToken: string;
  readonly store: Store;
  /** Moves the time that the server and the controllers beside it go by: `await server.clock.advance('1h')`. */
  readonly clock: MovableClock;
  /** Makes things go wrong on demand, where the server was started with `faults: true`. */
  readonly faults: Faults;
  /** The latest requests, the oldest first, where the server was started with `faults` or `ui`. */
  readonly requests: readonly RecentRequest[];
  /**
   * Another server with all that is stored here now, in memory: each goes its own way from then on. It has the same
   * credentials and options (`changed` says which differ), an address of its own, and is to be stopped by itself.
   */
  fork(changed?: Partial<ServerOptions>): Promise<RunningServer>;
  /** Writes all that is stored into a file that `snapshot` of the options, and people, can read. */
  saveSnapshot(file: string): Promise<void>;
  /** Ends in good order: not ready any more, requests finish, watches end, connections close. */
  stop(): Promise<void>;
  /**
   * Waits until controllers and clients have nothing left to do: no request, no write.
   * @throws UnsettledError when that takes too long; TypeError for options that cannot be meant
   */
  settle(options?: SettleOptions): Promise<void>;
  /** `await using server = await startServer()` stops it at the end of the block. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts a server. It is ready when the promise resolves.
 * @throws UsageError when an option makes no sense; Error when the port is taken or a file cannot be read
 */
export async function startServer(given: Partial<ServerOptions> = {}): Promise<RunningServer> {
  const options = checked(withDefaults(given));
  return awake(async () => startOn(await openEngine(options), { ...options, ...filesIn(options) }));
}

function checked(options: ServerOptions): ServerOptions {
  const [problem] = problemsOf(options);
  if (problem) throw new UsageError(problem);
  return options;
}

/** What is generated is kept with the objects, unless it has a folder of its own. */
const filesIn = ({ certDir, dataDir }: ServerOptions) => (!certDir && dataDir ? { certDir: dataDir } : {});

async function startOn(engine: Engine, options: ServerOptions): Promise<RunningServer> {
  const closers = new Closers();
  closers.add(() => engine.close());
  try {
    return await start(engine, options, closers);
  } catch (error) {
    await closers.close();
    throw error;
  }
}

/**
 * What is made for the parties beside and behind the server, where the user named nothing for them. A certificate that one of
 * several servers signed is trusted by all, and so is a node beside one.
 */
async function ownKeys(options: ServerOptions, { common = async (_, own) => own }: Engine) {
  const now = options.clock.now();
  const own = { signing: signingAuthority(options, now), nodes: nodeKeys(options, now) };
  const [signing, nodes] = await Promise.all([
    own.signing && common('signing-authority', own.signing),
    own.nodes && common('node-keys', own.nodes),
  ]);
  return { signing, nodes, proxy: frontProxy(options, now) };
}

async function start(engine: Engine, options: ServerOptions, closers: Closers): Promise<RunningServer> {
  const { store, identity } = engine;
  const { signing, nodes, proxy } = await ownKeys(options, engine);
  const faults = new Faults({ enabled: options.faults, store, clock: options.clock });
  const surroundings = {
    ...identity,
    nodes,
    proxy,
    ...(signing && { clientAuthority: signing.certificate }),
    ...(options.faults && { interfere: (webhook: string) => faults.meetWebhook(webhook) }),
  };
  const assembly = await assemble(options, faults.store, surroundings, closers);
  const { services, authentication, life } = assembly;
  await startBackground(services, options, { closers, life, proxy });
  await assembly.startWebhooks();
  life.reached('admission');
  await assembly.startGate();
  life.reached('fairness');
  const recent = addOwnPaths(services, options, faults);
  const door = await openDoor({ options, authentication, services, life, faults, ...(recent && { recent }) });
  faults.reachInto({ sendBookmarks: () => services.watches.bookmark(), showCertificate: door.showCertificate });
  closers.add(() => door.close());
  const { url, certificateAuthority } = door;
  const own = ownAddress(options.advertiseAddress ?? options.bindAddress, Number(new URL(url).port));
  if (own) closers.add(await keepPublished({ ...services, timers: systemTimers, peers: store.peers }, own));
  life.begin();
  const access = { url, certificateAuthority, token: identity.adminToken };
  const serviceAccountPrivateKey = authentication.serviceAccountSigningKey.export({ type: 'pkcs8', format: 'pem' });
  const keys = { serviceAccountPrivateKey: String(serviceAccountPrivateKey), nodes, ...(signing && { signing }) };
  await startControllersBeside(options, { access, keys, store, announceEnd: door.announceEnd }, closers);
  return running({ engine, options, access, services, faults, recent, stop: () => closers.close() });
}

/** What is served beside the API where it was asked for. @returns where requests are noted for it, if they are */
function addOwnPaths(
  { paths }: RequestServices,
  { faults: forFaults, ui, clock }: ServerOptions,
  faults: Faults,
): RecentRequests | undefined {
  if (forFaults) {
    paths.set(faultsPath, faultsEndpoint(faults));
    paths.set(clockPath, clockEndpoint(clock));
  }
  const recent = forFaults || ui ? new RecentRequests() : undefined;
  if (ui && recent) paths.set(activityPath, activityEndpoint(recent));
  return recent;
}

interface RunningParts extends Pick<RunningServer, 'faults' | 'stop'> {
  readonly engine: Engine;
  readonly options: ServerOptions;
  readonly access: Access;
  readonly services: RequestServices;
  readonly recent: RecentRequests | undefined;
}

function running({ engine, options, access, services, faults, recent, stop }: RunningParts): RunningServer {
  const { store, identity } = engine;
  const { url, certificateAuthority, token } = access;
  return {
    url,
    kubeconfig: kubeconfigFor(access),
    certificateAuthority,
    adminToken: token,
    store,
    clock: options.clock,
    faults,
    get requests() {
      return recent?.all ?? [];
    },
    stop,
    settle: (given) => settle(() => activityOf(store, services), services.timers, given),
    fork: async (changed) => fork({ store, identity }, checked(optionsOfFork(options, changed))),
    saveSnapshot: (file) => saveSnapshot(store, file),
    [Symbol.asyncDispose]: stop,
  };
}

const activityOf = async (store: Store, { open, watches, backends }: RequestServices) => ({
  revision: await store.currentRevision(),
  requests: open.size - watches.size - backends.size,
  begun: open.begun,
});

async function saveSnapshot(store: Pick<Store, 'list'>, file: string): Promise<void> {
  checkNeeded({ file }, { file: 'a text' }, ['file']);
  await writeSnapshot(file, await store.list(''));
}

const fork = async (of: Omit<Engine, 'close'>, options: ServerOptions) => startOn(await copied(of, options), options);

/** Two servers can have neither one port nor one log. */
function optionsOfFork(options: ServerOptions, changed: Partial<ServerOptions> = {}): ServerOptions {
  checkGiven(changed);
  const { auditLogPath: _log, auditPolicyFile: _policy, ...shared } = options;
  return { ...shared, securePort: 0, clock: options.clock.copy(), ...changed };
}
