import { endpointRules } from '../endpoint-rules.ts';
import { noStatusRule } from '../no-status-rule.ts';

export default [
  ...endpointRules({ chapter: 'endpointslice', kind: 'endpointSlices', subresources: [] }),
  noStatusRule('endpointslice', 'endpointSlices'),
];
