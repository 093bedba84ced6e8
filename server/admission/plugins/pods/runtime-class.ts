import { canonicalAmount } from '../../../base/quantity.ts';
import type { Pod, Quantities } from '../../../kinds/core/pod/shape.ts';
import type { RuntimeClass } from '../../../kinds/node/runtime-class.ts';
import { compareAmounts } from '../../../kinds/quantity-text.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../../admission.ts';
import { writes } from '../../concern.ts';
import type { PluginServices } from '../../plugin-services.ts';
import { refusal } from '../../refusal.ts';
import { mergeTolerations } from './toleration.ts';

const group = 'node.k8s.io';

/** As pods hold amounts: a class may say them finer. */
const rounded = (amounts: Quantities): Quantities =>
  Object.fromEntries(Object.entries(amounts).map(([name, text]) => [name, canonicalAmount(text) ?? text]));

function sameAmounts(left: Quantities, right: Quantities): boolean {
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && compareAmounts(left[name] ?? '0', right[name] ?? '0') === 0)
  );
}

/** Pods get the overhead and the scheduling of their runtime class. */
export const runtimeClass = ({ followed, lookup }: Pick<PluginServices, 'followed' | 'lookup'>): AdmissionPlugin => {
  const classOf = async (attributes: AdmissionAttributes): Promise<RuntimeClass | undefined> => {
    const name = (attributes.object as Pod).spec?.runtimeClassName;
    if (name === undefined) return undefined;
    const found = followed.runtimeClasses.get('', name) ?? (await lookup.get(group, 'runtimeclasses', '', name));
    if (!found) throw refusal(attributes, `pod rejected: RuntimeClass ${JSON.stringify(name)} not found`);
    return found;
  };
  return {
    name: 'RuntimeClass',
    cares: [writes('', 'pods', 'CREATE')],
    async mutate(attributes) {
      const from = await classOf(attributes);
      if (!from) return;
      const pod = attributes.object as Pod;
      setOverhead(attributes, pod, from);
      setScheduling(attributes, pod, from);
    },
    async validate(attributes) {
      const overhead = (await classOf(attributes))?.overhead;
      const given = overheadOf(attributes);
      if (overhead) {
        if (!given || !sameAmounts(given, rounded(overhead.podFixed ?? {}))) throw otherOverhead(attributes);
      } else if (given) {
        throw refusal(attributes, 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead');
      }
    },
  };
};

const otherOverhead = (attributes: AdmissionAttributes) =>
  refusal(attributes, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");

/** One that is sent empty is given like any other. */
const overheadOf = ({ object, emptied }: AdmissionAttributes): Quantities | undefined =>
  (object as Pod).spec?.overhead ?? (emptied?.has('spec.overhead') ? {} : undefined);

function setOverhead(attributes: AdmissionAttributes, pod: Pod, { overhead }: RuntimeClass): void {
  if (!overhead) return;
  const amounts = overhead.podFixed ?? {};
  const given = overheadOf(attributes);
  if (given && !sameAmounts(given, amounts)) throw otherOverhead(attributes);
  pod.spec = { ...pod.spec, overhead: rounded(amounts) };
}

function setScheduling(attributes: AdmissionAttributes, pod: Pod, { scheduling }: RuntimeClass): void {
  if (!scheduling) return;
  const { nodeSelector = {}, tolerations = [] } = scheduling;
  pod.spec ??= {};
  const { spec } = pod;
  const own = spec.nodeSelector ?? {};
  for (const [key, value] of Object.entries(nodeSelector)) {
    if (!Object.hasOwn(own, key) || own[key] === value) continue;
    throw refusal(
      attributes,
      `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own[key]}`,
    );
  }
  if (Object.keys(nodeSelector).length > 0) spec.nodeSelector = { ...own, ...nodeSelector };
  const merged = mergeTolerations(
    spec.tolerations ?? [],
    tolerations.map((each) => ({ ...each })),
  );
  if (merged.length > 0) spec.tolerations = merged;
}
