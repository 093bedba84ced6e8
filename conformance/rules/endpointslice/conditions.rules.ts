import { validityRule } from '../field-rules.ts';

const endpoint = (conditions: object | undefined) => ({
  endpoints: [{ addresses: ['10.1.2.3'], ...(conditions ? { conditions } : {}) }],
});

export default [
  validityRule({
    id: 'endpointslice.conditions.ready',
    kind: 'endpointSlices',
    accepted: { true: endpoint({ ready: true }), false: endpoint({ ready: false }), 'left out': endpoint(undefined) },
    refused: { 'a text': endpoint({ ready: 'yes' }), 'a number': endpoint({ ready: 1 }) },
  }),
];
