import { keptRule } from './field-rules.ts';
import { groupVersionRule } from './group-version-rule.ts';

export default [
  groupVersionRule('ingress', 'ingresses'),
  keptRule({
    id: 'ingress.class-name',
    kind: 'ingresses',
    over: { spec: { ingressClassName: 'front' } },
    path: 'spec.ingressClassName',
  }),
];
