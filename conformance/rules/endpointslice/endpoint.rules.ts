import { endpointRules, noStatusRule } from '../endpoint-rules.ts';

export default [
  ...endpointRules({ chapter: 'endpointslice', kind: 'endpointSlices', subresources: [] }),
  noStatusRule('endpointslice', 'endpointSlices'),
];
