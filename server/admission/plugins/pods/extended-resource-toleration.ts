import { deepEqual } from '../../../base/deep-equal.ts';
import type { Pod } from '../../../kinds/core/pod/shape.ts';
import { isExtendedResource } from '../../../kinds/core/resource-names.ts';
import type { AdmissionPlugin } from '../../admission.ts';
import { writes } from '../../concern.ts';

/** Pods that ask for a vendor's resource tolerate nodes that are set apart, by a taint of its name, for those who do. */
export const extendedResourceToleration: AdmissionPlugin = {
  name: 'ExtendedResourceToleration',
  cares: [writes('', 'pods', 'CREATE', 'UPDATE')],
  mutate({ object }) {
    const pod = object as Pod;
    pod.spec ??= {};
    const { containers = [], initContainers = [], tolerations = [] } = pod.spec;
    const asked = [...containers, ...initContainers].flatMap(({ resources }) => Object.keys(resources?.requests ?? {}));
    const added = [...new Set(asked.filter(isExtendedResource))]
      .sort()
      .map((key) => ({ key, operator: 'Exists', effect: 'NoSchedule' }))
      .filter((each) => !tolerations.some((given) => deepEqual(given, each)));
    if (added.length > 0) pod.spec.tolerations = [...tolerations, ...added];
  },
};
