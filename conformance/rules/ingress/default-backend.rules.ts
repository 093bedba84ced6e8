import { validityRule } from '../field-rules.ts';

const defaultBackend = { service: { name: 'front', port: { number: 80 } } };

export default [
  // Without rules there must be a default backend.
  validityRule({
    id: 'ingress.default-backend.required',
    kind: 'ingresses',
    accepted: {
      'rules alone': {},
      'a default backend alone': { spec: { rules: undefined, defaultBackend } },
      both: { spec: { defaultBackend } },
    },
    refused: {
      neither: { spec: { rules: undefined } },
      'an empty list of rules': { spec: { rules: [] } },
      'neither beside a certificate and a class': {
        spec: { rules: undefined, tls: [{ hosts: ['touchstone.example'] }], ingressClassName: 'touchstone' },
      },
    },
  }),
];
