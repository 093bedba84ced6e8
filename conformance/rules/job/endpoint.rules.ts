import { endpointRules } from '../endpoint-rules.ts';

export default endpointRules({
  chapter: 'job',
  kind: 'jobs',
  // Suspended, so that no controller changes it meanwhile.
  over: async () => ({ spec: { suspend: true } }),
  subresources: ['status'],
  status: { active: 1, failed: 2, succeeded: 3 },
});
