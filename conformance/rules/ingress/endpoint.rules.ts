import { endpointRules } from '../endpoint-rules.ts';

const ports = [{ port: 443, protocol: 'TCP', error: 'foo.example.com/Broken' }];

export default endpointRules({
  chapter: 'ingress',
  kind: 'ingresses',
  subresources: ['status'],
  status: { loadBalancer: { ingress: [{ ip: '192.0.2.7', ports }, { hostname: 'front.example.com' }] } },
});
