import { validityRule } from '../field-rules.ts';

const kind = 'events';

export default [
  // A new event has a type.
  validityRule({
    id: 'event.type.required',
    kind,
    accepted: { given: { type: 'Normal' } },
    refused: { 'left out': { type: undefined }, empty: { type: '' } },
  }),

  // The type is `Normal` or `Warning`.
  validityRule({
    id: 'event.type.values',
    kind,
    accepted: { Normal: { type: 'Normal' }, Warning: { type: 'Warning' } },
    refused: { 'another word': { type: 'Error' }, 'lower case': { type: 'normal' } },
  }),
];
