import { keptRule, validityRule } from '../field-rules.ts';

const kind = 'ingresses';
const backend = (parts: object) => ({ spec: { rules: undefined, defaultBackend: parts } });
const service = (parts: object) => backend({ service: { name: 'front', ...parts } });
const resource = { apiGroup: 'example.com', kind: 'Bucket', name: 'images' };
const both = { resource, service: { name: 'front', port: { number: 80 } } };

export default [
  // A service backend has a name.
  validityRule({
    id: 'ingress.backend.service.name',
    kind,
    accepted: { 'with a name': service({ port: { number: 80 } }) },
    refused: {
      'without a name': backend({ service: { port: { number: 80 } } }),
      'with an empty name': backend({ service: { name: '', port: { number: 80 } } }),
    },
  }),

  // A service backend has a port, by name or by number.
  validityRule({
    id: 'ingress.backend.service.port-required',
    kind,
    accepted: { 'a number': service({ port: { number: 80 } }), 'a name': service({ port: { name: 'http' } }) },
    refused: {
      'no port': service({}),
      'an empty port': service({ port: {} }),
      'a number as text': service({ port: { number: '80' } }),
    },
  }),

  // It is not by both.
  validityRule({
    id: 'ingress.backend.service.port-exclusive',
    kind,
    accepted: { 'a number': service({ port: { number: 80 } }) },
    refused: { both: service({ port: { number: 80, name: 'http' } }) },
  }),

  // A resource backend refers to an object in the namespace of the Ingress.
  keptRule({ id: 'ingress.backend.resource', kind, over: backend({ resource }), path: 'spec.defaultBackend.resource' }),

  // A backend is a service or a resource, not both.
  validityRule({
    id: 'ingress.backend.exclusive',
    kind,
    accepted: { 'a service': service({ port: { number: 80 } }), 'a resource': backend({ resource }) },
    refused: {
      both: backend(both),
      'both, beside rules': { spec: { defaultBackend: both } },
      'both, of a path': { spec: { rules: [{ http: { paths: [{ path: '/', pathType: 'Prefix', backend: both }] } }] } },
    },
  }),
];
