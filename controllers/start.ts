import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { checkKinds } from '../mistyped.ts';
import { chooseControllers } from './choose.ts';
import type { Controller } from './list.ts';
import { type ControllerOptions, type StartOptions, startOptionKinds } from './options.ts';
import { connectionFor, ownClient } from './own-client.ts';
import { type Clock, pause, stayAlive, systemClock } from './runtime/clock.ts';
import type { Loop } from './runtime/controller.ts';
import { ApiEventRecorder } from './runtime/events.ts';
import { Informers } from './runtime/informer/informers.ts';
import { silentLog } from './runtime/log.ts';
import { type Metrics, noMetrics } from './runtime/metrics.ts';
import { PodNetwork } from './runtime/pods/pod-network.ts';
import { prepareLoop, type RunningLoop, type Surroundings } from './runtime/run-loop.ts';
import { tellWarnings } from './runtime/warnings.ts';

export interface RunningControllers {
  /** The names of those that run. */
  readonly names: readonly string[];
  /** The kinds whose first list has not come yet, and groups of them that cannot be asked. */
  waiting(): readonly string[];
  /** Finishes what is being done, then closes all connections. */
  stop(): Promise<void>;
}

/** How long the start waits for first lists, and the end for work that runs, in milliseconds. */
const patience = 10_000;

/**
 * Starts controllers. They work when the promise resolves; one whose kinds the server does not list begins when it does.
 * The process stays alive until they are stopped, also while the server is away.
 * @throws Error when the kubeconfig or a name makes no sense; TypeError for an option that there is none of or of another kind: without its
 * kubeconfig they would be at work on the cluster that kubectl finds
 */
export async function startControllers(
  given: StartOptions = {},
  { clock = systemClock, metrics = noMetrics }: { readonly clock?: Clock; readonly metrics?: Metrics } = {},
): Promise<RunningControllers> {
  checkKinds(given, startOptionKinds);
  const options = withDefaults(given);
  const chosen = chooseControllers(options.controllers, given.pretenders);
  const connection = await connectionFor(given);
  const ending = new AbortController();
  const signal = given.signal ? AbortSignal.any([ending.signal, given.signal]) : ending.signal;
  stayAlive(signal);
  const end = () => {
    ending.abort();
    connection.close();
  };
  const { log } = options;
  const warned = tellWarnings((text) => log.info(`the server warns: ${text}`));
  const client = ownClient({ connection, clock, signal, metrics, warned });
  const informers = new Informers({ client, clock, log, signal });
  const surroundings = { client, informers, clock, log, metrics, podNetwork: new PodNetwork(), signal };
  const controllers = [...chosen, ...ownControllers(given.loops)];
  const running = await prepare(controllers, options, surroundings).catch((error: unknown) => {
    // Others may be listening by now.
    end();
    throw error;
  });
  informers.run();
  const working = Promise.all(running.map((loop) => loop.start(signal)));
  await Promise.race([working, pause(clock, patience)]);
  if (informers.waiting().length > 0) log.error(`still waiting for lists of ${informers.waiting().join(', ')}`);
  const stop = async () => {
    // Without a signal to write under, nothing that runs could finish.
    await Promise.race([Promise.all(running.map((loop) => loop.stop())), pause(clock, patience, given.signal)]);
    end();
  };
  const waiting = () => [...new Set([...informers.waiting(), ...running.flatMap((loop) => loop.waiting())])];
  return { names: controllers.map(({ name }) => name), waiting, stop };
}

/** Ties the loops of all controllers to their informers. @throws Error when one cannot begin, as where its port is taken */
async function prepare(
  controllers: readonly Controller[],
  options: ControllerOptions,
  surroundings: Omit<Surroundings, 'events'>,
): Promise<readonly RunningLoop[]> {
  const { client, clock, log } = surroundings;
  const running: RunningLoop[] = [];
  for (const { name, component = `${name}-controller`, eventForm, loops } of controllers) {
    const form = eventForm && { form: eventForm };
    const events = new ApiEventRecorder({ client, clock, log, controller: component, instance: identity, ...form });
    for (const loop of await loops(options, surroundings)) running.push(prepareLoop(loop, { ...surroundings, events }));
  }
  return running;
}

/** The user's own loops, each a controller of its name. */
const ownControllers = (loops: readonly Loop[] = []): readonly Controller[] =>
  loops.map((loop) => ({ name: loop.name, loops: () => [loop] }));

/** A name among those that run the same controllers. */
export const newIdentity = () => `${hostname()}-${randomBytes(3).toString('hex')}`;

/** That of this process. */
export const identity = newIdentity();

export const withDefaults = (given: StartOptions): ControllerOptions => ({
  controllers: ['*'],
  nodeNames: ['touchstone-node'],
  nodeRuntime: 'pretended',
  image: [],
  nodeHostPaths: [],
  clusterSigningDuration: 365 * 24 * 3_600_000,
  ingressAddress: '127.0.0.1',
  ingressHttpPort: 8080,
  ingressHttpsPort: 8443,
  ingressClass: 'touchstone',
  log: silentLog,
  // What is undefined is left out.
  ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
});
