import { validityRule } from '../field-rules.ts';

const kind = 'events';

export default [
  // `note` may tell people more.
  validityRule({
    id: 'event.note.optional',
    kind,
    accepted: { 'left out': { note: undefined }, given: { note: 'The rule was kept.' } },
  }),

  // `note` has 1 kB and no more.
  validityRule({
    id: 'event.note.max',
    kind,
    accepted: { '1024 bytes': { note: 'a'.repeat(1024) }, '1024 bytes in 512 characters': { note: 'é'.repeat(512) } },
    refused: { '1025 bytes': { note: 'a'.repeat(1025) }, '1026 bytes in 513 characters': { note: 'é'.repeat(513) } },
  }),
];
