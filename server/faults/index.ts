export {
  type Fault,
  FaultError,
  type Match,
  type RequestFault,
  type ServerFault,
  type WatchFault,
  type WebhookFault,
} from './fault.ts';
export type { FaultRecord, Faults } from './faults.ts';
export type { Scenario, Step } from './scenario.ts';
export type { WaitingFault } from './waiting.ts';
