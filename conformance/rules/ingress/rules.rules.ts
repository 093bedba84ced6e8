import { atomicRule } from '../atomic-rule.ts';

const backend = { service: { name: 'front', port: { number: 80 } } };
const rules = (host: string) => ({
  spec: {
    ingressClassName: 'nobody',
    rules: [{ host, http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }],
  },
});

export default [
  // The rules are merged as a whole.
  atomicRule({
    id: 'ingress.rules.atomic',
    kind: 'ingresses',
    first: rules('one.example.com'),
    second: rules('two.example.com'),
    path: 'spec.rules',
  }),
];
