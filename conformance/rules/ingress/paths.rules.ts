import { atomicRule } from '../atomic-rule.ts';
import { validityRule } from '../field-rules.ts';

const backend = { service: { name: 'front', port: { number: 80 } } };
const paths = (...values: string[]) => ({
  spec: {
    ingressClassName: 'nobody',
    rules: [{ http: { paths: values.map((path) => ({ path, pathType: 'Prefix', backend })) } }],
  },
});
const kind = 'ingresses';

export default [
  // `http` must have paths.
  validityRule({
    id: 'ingress.paths.required',
    kind,
    accepted: { 'with a path': paths('/') },
    refused: { 'with no paths': paths(), 'without paths': { spec: { rules: [{ http: {} }] } } },
  }),

  // The paths are merged as a whole.
  atomicRule({
    id: 'ingress.paths.atomic',
    kind,
    first: paths('/one'),
    second: paths('/two'),
    path: 'spec.rules.0.http.paths',
  }),
];
