import { garbageCollectionLoops } from './garbage-collection/reconcile.ts';
import { jobLoops } from './job/reconcile.ts';
import { namespaceLoops } from './namespace/reconcile.ts';
import { nodeAgentLoops } from './node-agent/reconcile.ts';
import { nodeLifecycleLoops } from './node-lifecycle/reconcile.ts';
import type { ControllerOptions } from './options.ts';
import type { Loop } from './runtime/controller.ts';
import type { Surroundings } from './runtime/run-loop.ts';
import { schedulerLoops } from './scheduler/reconcile.ts';
import { serviceAccountLoops } from './service-account/reconcile.ts';
import { ttlAfterFinishedLoops } from './ttl-after-finished/reconcile.ts';

export { type RunningControllers, startControllers } from './start.ts';

/** A controller as `--controllers` knows it. */
export interface Controller {
  readonly name: string;
  /** Whether `*` means it too. */
  readonly byDefault?: boolean;
  readonly loops: (
    options: ControllerOptions,
    surroundings: Omit<Surroundings, 'events'>,
  ) => readonly Loop[] | Promise<readonly Loop[]>;
}

/** All controllers, in the order in which they start. */
export const controllers: readonly Controller[] = [
  { name: 'serviceaccount', loops: () => serviceAccountLoops },
  { name: 'nodelifecycle', loops: () => nodeLifecycleLoops },
  { name: 'node-agent', loops: ({ nodeNames }) => nodeAgentLoops(nodeNames) },
  { name: 'scheduler', loops: () => schedulerLoops },
  { name: 'job', loops: () => jobLoops },
  { name: 'ttl-after-finished', loops: () => ttlAfterFinishedLoops },
  { name: 'namespace', loops: () => namespaceLoops },
  { name: 'garbagecollector', loops: (_options, surroundings) => garbageCollectionLoops(surroundings) },
];
