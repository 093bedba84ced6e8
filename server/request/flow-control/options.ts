import type { Flag } from '../../base/flag.ts';

export interface FlowControlOptions {
  readonly enablePriorityAndFairness: boolean;
  readonly maxRequestsInflight: number;
  readonly maxMutatingRequestsInflight: number;
}

export const flowControlFlags: readonly Flag[] = [
  {
    name: 'enable-priority-and-fairness',
    type: 'boolean',
    default: 'true',
    help: 'Whether FlowSchemas and priority levels say who is answered when there is much to do.',
  },
  {
    name: 'max-requests-inflight',
    type: 'int',
    default: '400',
    help: 'How many requests that do not write are answered at once, 0 for any number; with priority and fairness, seats for all.',
  },
  {
    name: 'max-mutating-requests-inflight',
    type: 'int',
    default: '200',
    help: 'How many requests that write are answered at once, 0 for any number; with priority and fairness, further seats for all.',
  },
];

export function checkFlowControlOptions(options: FlowControlOptions): readonly string[] {
  const { maxRequestsInflight: reading, maxMutatingRequestsInflight: writing } = options;
  const problems: string[] = [];
  if (reading < 0) problems.push('--max-requests-inflight must not be negative');
  if (writing < 0) problems.push('--max-mutating-requests-inflight must not be negative');
  if (options.enablePriorityAndFairness && reading + writing === 0) {
    problems.push('--max-requests-inflight and --max-mutating-requests-inflight must not both be 0');
  }
  return problems;
}
