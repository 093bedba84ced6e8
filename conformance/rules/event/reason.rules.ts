import { validityRule } from '../field-rules.ts';

const kind = 'events';

export default [
  // A new event says in `reason` why.
  validityRule({
    id: 'event.reason.required',
    kind,
    accepted: { given: { reason: 'Judged' } },
    refused: { 'left out': { reason: undefined }, empty: { reason: '' } },
  }),

  // Plain letters, so that bytes and characters are the same.
  // `reason` has 128 characters and no more.
  validityRule({
    id: 'event.reason.max',
    kind,
    accepted: { '128 characters': { reason: 'a'.repeat(128) } },
    refused: { '129 characters': { reason: 'a'.repeat(129) } },
  }),
];
