import { validityRule } from '../field-rules.ts';
import { longestTextRule } from '../longest-text-rule.ts';

const kind = 'events';

export default [
  // A new event says in `reason` why.
  validityRule({
    id: 'event.reason.required',
    kind,
    accepted: { given: { reason: 'Judged' } },
    refused: { 'left out': { reason: undefined }, empty: { reason: '' } },
  }),

  // `reason` has 128 characters and no more.
  longestTextRule('event.reason.max', 'reason', 128),
];
