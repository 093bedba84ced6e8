import type { Pod } from '../../../kinds/core/pod/shape.ts';
import type { AdmissionPlugin } from '../../admission.ts';
import { writes } from '../../concern.ts';
import { refusal } from '../../refusal.ts';

const allowed = 'kubernetes.io/hostname';

/** Pods keep others off their node, but not off a whole zone. */
export const limitPodHardAntiAffinityTopology: AdmissionPlugin = {
  name: 'LimitPodHardAntiAffinityTopology',
  cares: [writes('', 'pods', 'CREATE', 'UPDATE')],
  validate(attributes) {
    const { affinity } = (attributes.object as Pod).spec ?? {};
    for (const { topologyKey = '' } of affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ??
      []) {
      if (topologyKey === allowed) continue;
      throw refusal(
        attributes,
        `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${topologyKey} but only key ${allowed} is allowed`,
      );
    }
  },
};
