import { validityRule } from '../field-rules.ts';

export default [
  validityRule({
    id: 'ingress.class-annotation.deprecated',
    kind: 'ingresses',
    accepted: { 'the annotation': { metadata: { annotations: { 'kubernetes.io/ingress.class': 'front' } } } },
  }),
];
