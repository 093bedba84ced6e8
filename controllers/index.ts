export { type Controller, controllers } from './list.ts';
export type { StartOptions } from './options.ts';
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
export { type ControllerParts, makeController } from './runtime/make-controller.ts';
export * from './runtime/resources.ts';
export { type RunningControllers, startControllers } from './start.ts';
