export { type Controller, controllers } from './list.ts';
export type { StartOptions } from './options.ts';
export { type RunningControllers, startControllers } from './start.ts';
