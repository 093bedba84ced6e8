import { validityRule } from '../field-rules.ts';

export default [
  // The annotation `kubernetes.io/ingress.class`, though deprecated, is still taken.
  validityRule({
    id: 'ingress.class-annotation.deprecated',
    kind: 'ingresses',
    accepted: {
      'the annotation': {
        metadata: { annotations: { 'kubernetes.io/ingress.class': 'front' } },
        // They exclude each other.
        spec: { ingressClassName: null },
      },
    },
  }),
];
