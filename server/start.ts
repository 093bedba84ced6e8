import { randomBytes } from 'node:crypto';
import type { StartOptions } from '../controllers/index.ts';
import { assemble } from './assembly.ts';
import { startBackground } from './background.ts';
import type { MovableClock } from './base/movable-clock.ts';
import { Closers } from './closers.ts';
import { UsageError } from './command-line.ts';
import { clockEndpoint, clockPath } from './faults/clock-endpoint.ts';
import { faultsEndpoint } from './faults/endpoint.ts';
import { Faults, faultsPath } from './faults/faults.ts';
import { kubeconfigFor } from './kubeconfig.ts';
import { type NodeKeys, nodeKeys } from './node-keys.ts';
import { problemsOf, type ServerOptions, withDefaults } from './options.ts';
import { openDoor } from './serving.ts';
import { type SettleOptions, settle } from './settle.ts';
import { signingAuthority } from './signing-authority.ts';
import { MemoryStore } from './store/memory-store.ts';
import type { Store } from './store/store.ts';
import type { KeyPair } from './x509/self-signed.ts';

export { type Duration, MovableClock } from './base/movable-clock.ts';
export type { ServerOptions } from './options.ts';
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
  /** Ends in good order: not ready any more, requests finish, watches end, connections close. */
  stop(): Promise<void>;
  /**
   * Waits until controllers and clients have nothing left to do: no request, no write.
   * @throws UnsettledError when that takes too long
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
  const options = withDefaults(given);
  const [problem] = problemsOf(options);
  if (problem) throw new UsageError(problem);
  const closers = new Closers();
  try {
    return await start(options, closers);
  } catch (error) {
    await closers.close();
    throw error;
  }
}

async function start(options: ServerOptions, closers: Closers): Promise<RunningServer> {
  const store = options.store ?? new MemoryStore();
  if (!options.store) closers.add(() => store.close());
  const adminToken = randomBytes(16).toString('hex');
  const signing = signingAuthority(options, options.clock.now());
  const nodes = nodeKeys(options, options.clock.now());
  const faults = new Faults({ enabled: options.faults, store, clock: options.clock });
  const surroundings = {
    adminToken,
    nodes,
    ...(signing && { clientAuthority: signing.certificate }),
    ...(options.faults && { interfere: (webhook: string) => faults.meetWebhook(webhook) }),
  };
  const assembly = await assemble(options, faults.store, surroundings, closers);
  const { services, authentication, life, startWebhooks } = assembly;
  await startBackground(services, options, closers);
  await startWebhooks();
  if (options.faults) {
    services.paths.set(faultsPath, faultsEndpoint(faults));
    services.paths.set(clockPath, clockEndpoint(options.clock));
  }
  const door = await openDoor({ options, authentication, services, life, faults });
  faults.reachInto({ sendBookmarks: () => services.watches.bookmark(), showCertificate: door.showCertificate });
  closers.add(() => door.close(options.shutdownDelayDuration));
  life.begin();
  const { url, certificateAuthority } = door;
  const kubeconfig = kubeconfigFor({ url, certificateAuthority, token: adminToken });
  const serviceAccountPrivateKey = authentication.serviceAccountSigningKey.export({ type: 'pkcs8', format: 'pem' });
  const keys = { serviceAccountPrivateKey: String(serviceAccountPrivateKey), nodes, ...(signing && { signing }) };
  await startControllersBeside(options, kubeconfig, keys, closers);
  const stop = () => closers.close();
  const { metrics, watches, backends, timers } = services;
  const activity = async () => ({
    revision: await store.currentRevision(),
    requests: metrics.inFlight - watches.size - backends.size,
    begun: metrics.begun,
  });
  return {
    url,
    kubeconfig,
    certificateAuthority,
    adminToken,
    store,
    clock: options.clock,
    faults,
    stop,
    settle: (given) => settle(activity, timers, given),
    [Symbol.asyncDispose]: stop,
  };
}

/** What the server shares with the controllers beside it: what they make has to be trusted here. */
interface SharedKeys {
  readonly serviceAccountPrivateKey: string;
  readonly nodes: NodeKeys | undefined;
  readonly signing?: KeyPair;
}

/** The reference controllers are clients like any other; they are loaded only when they are asked for. */
async function startControllersBeside(
  options: ServerOptions,
  kubeconfig: string,
  { serviceAccountPrivateKey, nodes, signing }: SharedKeys,
  closers: Closers,
): Promise<void> {
  const { controllers, clusterSigningCertFile, clusterSigningKeyFile, clusterSigningDuration, log } = options;
  if (controllers.length === 0) return;
  const { startControllers } = await import('../controllers/index.ts');
  const given: StartOptions = {
    kubeconfig,
    controllers,
    pretenders: true,
    clusterSigningDuration,
    serviceAccountPrivateKey,
    ...(nodes && { nodeClientCa: nodes.client.certificate, nodeServing: nodes.serving }),
    ...(signing && { signingAuthority: signing }),
    ...(clusterSigningCertFile && { clusterSigningCertFile }),
    ...(clusterSigningKeyFile && { clusterSigningKeyFile }),
    ...(log && { log: { info() {}, error: (message, error) => log.error(message, error) } }),
  };
  const running = await startControllers(given, { clock: options.clock });
  closers.add(() => running.stop());
}
