import { validityRule } from '../field-rules.ts';

const backend = { service: { name: 'front', port: { number: 80 } } };
const path = (parts: object) => ({
  spec: { rules: [{ http: { paths: [{ path: '/', pathType: 'Prefix', backend, ...parts }] } }] },
});
const kind = 'ingresses';

export default [
  // A path must have a backend.
  validityRule({
    id: 'ingress.path.backend',
    kind,
    accepted: { 'with a backend': path({}) },
    refused: { 'without a backend': path({ backend: undefined }), 'with an empty backend': path({ backend: {} }) },
  }),

  // A path begins with a slash.
  validityRule({
    id: 'ingress.path.absolute',
    kind,
    accepted: { 'a path from the root': path({ path: '/foo' }) },
    refused: {
      'a relative Prefix path': path({ path: 'foo' }),
      'a relative Exact path': path({ path: 'foo', pathType: 'Exact' }),
      'a relative path of another type': path({ path: 'foo', pathType: 'ImplementationSpecific' }),
    },
  }),

  // `Exact` and `Prefix` need a path.
  validityRule({
    id: 'ingress.path.required',
    kind,
    accepted: { 'Prefix with a path': path({}), 'Exact with a path': path({ pathType: 'Exact' }) },
    refused: {
      'Prefix without a path': path({ path: undefined }),
      'Exact without a path': path({ path: undefined, pathType: 'Exact' }),
    },
  }),

  // `ImplementationSpecific` needs none.
  validityRule({
    id: 'ingress.path.optional',
    kind,
    accepted: {
      'ImplementationSpecific without a path': path({ path: undefined, pathType: 'ImplementationSpecific' }),
    },
  }),
];
