import { validityRule } from '../field-rules.ts';

const kind = 'events';

export default [
  validityRule({
    id: 'event.reporting-instance.required',
    kind,
    accepted: { given: { reportingInstance: 'touchstone-1' } },
    refused: { 'left out': { reportingInstance: undefined }, empty: { reportingInstance: '' } },
  }),

  validityRule({
    id: 'event.reporting-instance.max',
    kind,
    accepted: { '128 characters': { reportingInstance: 'a'.repeat(128) } },
    refused: { '129 characters': { reportingInstance: 'a'.repeat(129) } },
  }),
];
