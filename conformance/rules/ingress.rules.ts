import { keptRule } from './field-rules.ts';
import { groupVersionRule } from './group-version-rule.ts';

export default [
  groupVersionRule('ingress', 'ingresses'),
  // `ingressClassName` may name an IngressClass.
  keptRule({
    id: 'ingress.class-name',
    kind: 'ingresses',
    over: { spec: { ingressClassName: 'front' } },
    path: 'spec.ingressClassName',
  }),
];
