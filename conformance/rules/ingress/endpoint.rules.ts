import { endpointRules } from '../endpoint-rules.ts';

export default endpointRules({ chapter: 'ingress', kind: 'ingresses', subresources: ['status'] });
