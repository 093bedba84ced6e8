import { validityRule } from '../field-rules.ts';
import { longestTextRule } from '../longest-text-rule.ts';

const kind = 'events';

export default [
  // A new event says in `reportingInstance` which instance tells it.
  validityRule({
    id: 'event.reporting-instance.required',
    kind,
    accepted: { given: { reportingInstance: 'touchstone-1' } },
    refused: { 'left out': { reportingInstance: undefined }, empty: { reportingInstance: '' } },
  }),

  // `reportingInstance` has 128 characters and no more.
  longestTextRule('event.reporting-instance.max', 'reportingInstance', 128),
];
