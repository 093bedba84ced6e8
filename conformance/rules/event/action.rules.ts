import { validityRule } from '../field-rules.ts';

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
  validityRule({
    id: 'event.action.max',
    kind,
    accepted: {
      '128 characters': { action: 'a'.repeat(128) },
      '128 bytes in 64 characters': { action: 'é'.repeat(64) },
    },
    refused: {
      '129 characters': { action: 'a'.repeat(129) },
      '130 bytes in 65 characters': { action: 'é'.repeat(65) },
    },
  }),
];
