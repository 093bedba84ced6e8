export { type Controller, controllers } from './list.ts';
export type { StartOptions } from './options.ts';
export {
  ApiError,
  isAlreadyExists,
  isConflict,
  isNotFound,
  unlessNotFound,
} from './runtime/api-error.ts';
export { Client } from './runtime/client.ts';
export { type Clock, formatMicroTime, formatTime, pause, systemClock } from './runtime/clock.ts';
export { type Connection, connect } from './runtime/connection/connection.ts';
export {
  bringing,
  indexBy,
  itself,
  type Loop,
  managerOf,
  type Outcome,
  type Reconciler,
  type Request,
  type Watching,
} from './runtime/controller.ts';
export { ApiEventRecorder, type EventRecorder, type Note } from './runtime/events.ts';
export type { Change, Lister } from './runtime/informer/cache.ts';
export { Informer } from './runtime/informer/informer.ts';
export { Informers } from './runtime/informer/informers.ts';
export { type KubeObject, keyOf, managedBy, nameOf, namespaceOf } from './runtime/kube-object.ts';
export { type Election, type Leadership, lead } from './runtime/leader-election.ts';
export { jsonLog, type Log, silentLog, stderrLog } from './runtime/log.ts';
export { type ControllerParts, makeController } from './runtime/make-controller.ts';
export * from './runtime/resources.ts';
export { tellWarnings } from './runtime/warnings.ts';
export { WorkQueue } from './runtime/work-queue.ts';
export { type RunningControllers, startControllers } from './start.ts';
export { startInTurn } from './turns.ts';
