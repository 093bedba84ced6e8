import { endpointRules, noStatusRule } from '../endpoint-rules.ts';

export default [
  ...endpointRules({
    chapter: 'event',
    kind: 'events',
    over: async ({ namespace }) => ({ regarding: { namespace: await namespace() } }),
    subresources: [],
  }),
  noStatusRule('event', 'events'),
];
