import { annotationOf } from '../runtime/kube-object.ts';
import { podFromTemplate, podName } from '../runtime/pods/pod-from-template.ts';
import { type DaemonSet, daemonSets, type Pod } from '../runtime/resources.ts';
import { revisionHashLabel } from '../runtime/revisions.ts';
import { affinityFor, tolerationsOf } from './placement.ts';

const generationAnnotation = 'deprecated.daemonset.template.generation';
const generationLabel = 'pod-template-generation';

/** The pod of a set for a node. `hash` stands for the template; `suffix` makes its name its own. */
export function podFor(set: DaemonSet, node: string, hash: string, suffix: string): Pod {
  const { spec, metadata } = podFromTemplate(daemonSets, set, set.spec?.template, podName(set, suffix));
  const generation = annotationOf(set, generationAnnotation);
  return {
    metadata: {
      ...metadata,
      labels: {
        ...metadata?.labels,
        // Deprecated, and there for those who still select by it.
        ...(generation && { [generationLabel]: generation }),
        [revisionHashLabel]: hash,
      },
    },
    spec: {
      ...spec,
      containers: spec?.containers ?? [],
      affinity: affinityFor(spec, node),
      tolerations: tolerationsOf(spec),
    },
  };
}
