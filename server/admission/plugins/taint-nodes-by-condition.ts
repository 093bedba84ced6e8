import type { Node } from '../../kinds/core/node.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { writes } from '../concern.ts';

const key = 'node.kubernetes.io/not-ready';
const effect = 'NoSchedule';

/** A new node takes no pods before somebody has seen that it is ready. */
export const taintNodesByCondition: AdmissionPlugin = {
  name: 'TaintNodesByCondition',
  cares: [writes('', 'nodes', 'CREATE')],
  mutate({ object }) {
    const node = object as Node;
    node.spec ??= {};
    const taints = node.spec.taints ?? [];
    if (taints.some((taint) => taint.key === key && taint.effect === effect)) return;
    node.spec.taints = [...taints, { key, effect }];
  },
};
