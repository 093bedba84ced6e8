import { validityRule } from '../field-rules.ts';

const kind = 'events';

export default [
  validityRule({
    id: 'event.type.required',
    kind,
    accepted: { given: { type: 'Normal' } },
    refused: { 'left out': { type: undefined }, empty: { type: '' } },
  }),

  validityRule({
    id: 'event.type.values',
    kind,
    accepted: { Normal: { type: 'Normal' }, Warning: { type: 'Warning' } },
    refused: { 'another word': { type: 'Error' }, 'lower case': { type: 'normal' } },
  }),
];
