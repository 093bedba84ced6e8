import { validityRule } from '../field-rules.ts';
import { longestTextRule } from '../longest-text-rule.ts';

const kind = 'events';

export default [
  // A new event says in `action` what was done.
  validityRule({
    id: 'event.action.required',
    kind,
    accepted: { given: { action: 'Judging' } },
    refused: { 'left out': { action: undefined }, empty: { action: '' } },
  }),

  // `action` has 128 characters and no more.
  longestTextRule('event.action.max', 'action', 128),
];
