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

  // `reason` has 128 characters and no more.
  validityRule({
    id: 'event.reason.max',
    kind,
    accepted: {
      '128 characters': { reason: 'a'.repeat(128) },
      '128 bytes in 64 characters': { reason: 'é'.repeat(64) },
    },
    refused: {
      '129 characters': { reason: 'a'.repeat(129) },
      '130 bytes in 65 characters': { reason: 'é'.repeat(65) },
    },
  }),
];
