import { readFileSync } from 'node:fs';
import { makeServing } from '../certificates/authority.ts';
import type { ControllerOptions } from '../options.ts';
import { type Pod, pods } from '../runtime/resources.ts';
import type { Surroundings } from '../runtime/run-loop.ts';
import type { ContainerRuntime } from './container-runtime.ts';

/** Where the agent of each node listens, by the node's name. */
export type Ports = ReadonlyMap<string, number>;

/** How long the certificate that the agents serve with is good, in milliseconds. */
const lifetime = 365 * 24 * 3_600_000;

/** Takes a port for each node; none where it was not said who may ask. */
export async function openEndpoints(
  { nodeNames, nodeClientCa, nodeClientCaFile, nodeServing, log }: ControllerOptions,
  { informers, clock, signal }: Omit<Surroundings, 'events'>,
  runtime: ContainerRuntime,
): Promise<Ports> {
  const clientAuthority = nodeClientCa ?? (nodeClientCaFile && readFileSync(nodeClientCaFile, 'utf8'));
  const ports = new Map<string, number>();
  if (!clientAuthority) return ports;
  // Loaded only where somebody may ask.
  const [{ openEndpoint }, { handlersOf }] = await Promise.all([import('./endpoint.ts'), import('./routes.ts')]);
  const serving = nodeServing ?? (await makeServing(['localhost', '127.0.0.1'], clock.now(), lifetime));
  const { cache } = informers.of(pods);
  for (const name of nodeNames) {
    const isOn = ({ spec }: Pod) => spec?.nodeName === name;
    const handlers = handlersOf({ name, runtime, clock, pods: () => cache.all().filter(isOn) });
    ports.set(name, await openEndpoint({ clientAuthority, serving, handlers, log, signal }));
  }
  return ports;
}
