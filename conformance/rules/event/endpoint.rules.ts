import { endpointRules } from '../endpoint-rules.ts';
import { noStatusRule } from '../no-status-rule.ts';

export default [
  ...endpointRules({
    chapter: 'event',
    kind: 'events',
    over: async ({ namespace }) => ({ regarding: { namespace: await namespace() } }),
    subresources: [],
  }),
  noStatusRule('event', 'events'),
];
