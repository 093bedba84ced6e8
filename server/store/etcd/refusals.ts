import { statusAnswer } from '../../base/status-error.ts';
import { CompactedError, FutureRevisionError, StorageError } from '../store.ts';
import { GrpcError, grpcCodes } from './grpc-session.ts';

/** etcd's errors come with texts; these cannot be told apart by code. */
const compactedText = 'compacted';
const leaseText = 'requested lease not found';
export const deniedText = 'permission denied';
const neededRole = 'its user needs the role root, or one that may read and write all below the prefix';
export const leaseGrantedText = 'lease already exists';
/** Of a member that has no vote yet, or whose leader is about to hand over: what was asked was not begun. */
export const notBegun = /rpc not supported for learner|raft proposal dropped/;
/** Of an etcd that was told to take smaller requests than others; or of a Service with more ports than it writes at once. */
const tooLarge = /request is too large|message larger than max|too many operations in txn/;

/** A lease is over, or was never there. */
export class LeaseMissingError extends Error {}

/** Whether the same call may succeed later. */
export const mayPass = ({ code, message }: GrpcError): boolean =>
  code === grpcCodes.unavailable ||
  code === grpcCodes.deadlineExceeded ||
  (code === grpcCodes.resourceExhausted && !message.includes('space') && !tooLarge.test(message)) ||
  (code === grpcCodes.unknown && !message.includes('auth'));

/** What those who call are told. @param revision what the call was about */
export function worded(error: unknown, revision: number): unknown {
  if (!(error instanceof GrpcError)) return error;
  if (tooLarge.test(error.message)) return statusAnswer(500, error.message);
  if (error.code === grpcCodes.resourceExhausted) return new StorageError(error.message);
  if (error.message.includes(leaseText)) return new LeaseMissingError();
  if (error.message.includes(deniedText)) return new Error(`etcd: ${error.message}: ${neededRole}`);
  if (error.code !== grpcCodes.outOfRange) return new Error(`etcd: ${error.message}`);
  return error.message.includes(compactedText) ? new CompactedError(revision) : new FutureRevisionError(revision - 1);
}
