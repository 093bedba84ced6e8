import { validityRule } from '../field-rules.ts';

const backend = { service: { name: 'front', port: { number: 80 } } };
const path = (pathType?: string) => ({
  spec: { rules: [{ http: { paths: [{ path: '/', backend, ...(pathType === undefined ? {} : { pathType }) }] } }] },
});
const kind = 'ingresses';

export default [
  // A path must have a type.
  validityRule({
    id: 'ingress.path-type.required',
    kind,
    accepted: { 'with a type': path('Prefix') },
    refused: { 'without a type': path(), 'with an empty type': path('') },
  }),

  // The type of a path is `Exact`, `Prefix` or `ImplementationSpecific`.
  validityRule({
    id: 'ingress.path-type.values',
    kind,
    accepted: { Exact: path('Exact'), Prefix: path('Prefix'), ImplementationSpecific: path('ImplementationSpecific') },
    refused: { 'another word': path('Regex'), 'lower case': path('prefix') },
  }),
];
