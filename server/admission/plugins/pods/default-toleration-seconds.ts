import type { Pod, Toleration } from '../../../kinds/core/pod/shape.ts';
import type { AdmissionPlugin } from '../../admission.ts';
import { writes } from '../../concern.ts';
import type { AdmissionOptions } from '../../options.ts';

const effect = 'NoExecute';

/** Whether a pod says itself how long it stays on a node with this taint. */
const covers = (toleration: Toleration, key: string) =>
  (toleration.key === key || !toleration.key) && (toleration.effect === effect || !toleration.effect);

/** Pods stay for a while on a node that is not ready or cannot be reached, if they do not say otherwise. */
export const defaultTolerationSeconds = ({ options }: { options: AdmissionOptions }): AdmissionPlugin => {
  const wanted: readonly Toleration[] = [
    ['not-ready', options.defaultNotReadyTolerationSeconds] as const,
    ['unreachable', options.defaultUnreachableTolerationSeconds] as const,
  ].map(([condition, tolerationSeconds]) => ({
    key: `node.kubernetes.io/${condition}`,
    operator: 'Exists',
    effect,
    tolerationSeconds,
  }));
  return {
    name: 'DefaultTolerationSeconds',
    cares: [writes('', 'pods', 'CREATE', 'UPDATE')],
    mutate({ object }) {
      const pod = object as Pod;
      pod.spec ??= {};
      const given = pod.spec.tolerations ?? [];
      const added = wanted.filter(({ key = '' }) => !given.some((each) => covers(each, key)));
      if (added.length > 0) pod.spec.tolerations = [...given, ...added.map((each) => ({ ...each }))];
    },
  };
};
