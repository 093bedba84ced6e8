export { type Fault, FaultError, type Match, type RequestFault, type ServerFault, type WatchFault } from './fault.ts';
export type { FaultRecord, Faults, WaitingFault } from './faults.ts';
