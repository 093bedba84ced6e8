import { atomicRule } from '../atomic-rule.ts';
import { keptRule } from '../field-rules.ts';

const kind = 'ingresses';
const defaultBackend = { service: { name: 'front', port: { number: 80 } } };
const tls = (entry: object) => ({
  spec: { ingressClassName: 'nobody', defaultBackend, tls: [entry] },
});

export default [
  // The TLS entries are merged as a whole.
  atomicRule({
    id: 'ingress.tls.atomic',
    kind,
    first: tls({ secretName: 'one' }),
    second: tls({ secretName: 'two' }),
    path: 'spec.tls',
  }),
  // `tls.hosts` may list the hosts of the certificate.
  keptRule({
    id: 'ingress.tls.hosts',
    kind,
    over: tls({ hosts: ['one.example.com', '*.example.com'] }),
    path: 'spec.tls.0.hosts',
  }),
  // `tls.secretName` may name the secret with the certificate.
  keptRule({
    id: 'ingress.tls.secret-name',
    kind,
    over: tls({ secretName: 'front-tls' }),
    path: 'spec.tls.0.secretName',
  }),
];
