import type { OperationResult } from '../../strategy.ts';

/** The Status of an operation that has nothing else to tell. */
export const statusSuccess = (code: number): OperationResult => ({
  code,
  object: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code },
});
