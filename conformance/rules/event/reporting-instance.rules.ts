import { validityRule } from '../field-rules.ts';

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
  validityRule({
    id: 'event.reporting-instance.max',
    kind,
    accepted: {
      '128 characters': { reportingInstance: 'a'.repeat(128) },
      '128 bytes in 64 characters': { reportingInstance: 'é'.repeat(64) },
    },
    refused: {
      '129 characters': { reportingInstance: 'a'.repeat(129) },
      '130 bytes in 65 characters': { reportingInstance: 'é'.repeat(65) },
    },
  }),
];
