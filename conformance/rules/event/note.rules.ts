import { validityRule } from '../field-rules.ts';
import { longestTextRule } from '../longest-text-rule.ts';

const kind = 'events';

export default [
  // `note` may tell people more.
  validityRule({
    id: 'event.note.optional',
    kind,
    accepted: { 'left out': { note: undefined }, given: { note: 'The rule was kept.' } },
  }),

  // `note` has 1 kB and no more.
  longestTextRule('event.note.max', 'note', 1024),
];
