import { atomicRule, keptRule } from '../field-rules.ts';

const kind = 'ingresses';
const defaultBackend = { service: { name: 'front', port: { number: 80 } } };
const tls = (entry: object) => ({ spec: { defaultBackend, tls: [entry] } });

export default [
  atomicRule({
    id: 'ingress.tls.atomic',
    kind,
    first: tls({ secretName: 'one' }),
    second: tls({ secretName: 'two' }),
    path: 'spec.tls',
  }),
  keptRule({
    id: 'ingress.tls.hosts',
    kind,
    over: tls({ hosts: ['one.example.com', '*.example.com'] }),
    path: 'spec.tls.0.hosts',
  }),
  keptRule({
    id: 'ingress.tls.secret-name',
    kind,
    over: tls({ secretName: 'front-tls' }),
    path: 'spec.tls.0.secretName',
  }),
];
