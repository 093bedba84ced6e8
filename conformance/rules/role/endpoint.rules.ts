import { endpointRules } from '../endpoint-rules.ts';

export default endpointRules({ chapter: 'role', kind: 'roles', subresources: [] });
