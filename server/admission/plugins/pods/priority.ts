import type { Pod } from '../../../kinds/core/pod/shape.ts';
import type { PriorityClass } from '../../../kinds/scheduling/priority-class.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../../admission.ts';
import { writes } from '../../concern.ts';
import type { PluginServices } from '../../plugin-services.ts';
import { refusal } from '../../refusal.ts';

const group = 'scheduling.k8s.io';
const isPod = ({ resource }: AdmissionAttributes) => resource.resource === 'pods';

/** What a pod without a class gets where no class is the default. */
const standard: PriorityClass = { kind: 'PriorityClass', apiVersion: `${group}/v1`, metadata: {}, value: 0 };

/** Gives pods the priority of their class, and holds that at most one class is the default. */
export const priority = ({ followed, lookup }: Pick<PluginServices, 'followed' | 'lookup'>): AdmissionPlugin => {
  /** The lowest, should there be several after all. */
  const globalDefault = () =>
    followed.priorityClasses
      .in('')
      .filter((each) => each.globalDefault)
      .sort((a, b) => (a.value ?? 0) - (b.value ?? 0))[0];
  const classOf = async (attributes: AdmissionAttributes, name: string | undefined): Promise<PriorityClass> => {
    if (!name) return globalDefault() ?? standard;
    const found = followed.priorityClasses.get('', name) ?? (await lookup.get(group, 'priorityclasses', '', name));
    if (!found) throw refusal(attributes, `no PriorityClass with name ${name} was found`);
    return found;
  };
  return {
    name: 'Priority',
    cares: [writes('', 'pods', 'CREATE', 'UPDATE'), writes(group, 'priorityclasses', 'CREATE', 'UPDATE')],
    async mutate(attributes) {
      if (!isPod(attributes)) return;
      const pod = attributes.object as Pod;
      if (attributes.operation === 'UPDATE') keepPriority(pod, attributes.oldObject as Pod);
      else setPriority(attributes, pod, await classOf(attributes, pod.spec?.priorityClassName));
    },
    validate(attributes) {
      if (isPod(attributes) || !(attributes.object as PriorityClass).globalDefault) return;
      const name = globalDefault()?.metadata.name;
      // A create is told so before its name is found to be taken.
      const itself = attributes.operation === 'UPDATE' && name === attributes.object?.metadata.name;
      if (name === undefined || itself) return;
      throw refusal(attributes, `PriorityClass ${name} is already marked as default. Only one default can exist`);
    },
  };
};

/** A pod's priority never changes; a writer need not repeat it. In place. */
function keepPriority({ spec: next }: Pod, { spec: previous }: Pod): void {
  if (!next) return;
  if (next.priority === undefined && previous?.priority !== undefined) next.priority = previous.priority;
  if (next.preemptionPolicy === undefined && previous?.preemptionPolicy !== undefined) {
    next.preemptionPolicy = previous.preemptionPolicy;
  }
}

function setPriority(attributes: AdmissionAttributes, pod: Pod, from: PriorityClass): void {
  pod.spec ??= {};
  const { spec } = pod;
  const { value = 0, preemptionPolicy = 'PreemptLowerPriority', metadata } = from;
  const instead = (given: string, computed: string | number) =>
    refusal(
      attributes,
      `the ${given} must not be provided in pod spec; priority admission controller computed ${computed} from the given PriorityClass name`,
    );
  if (metadata.name) spec.priorityClassName = metadata.name;
  if (spec.priority !== undefined && spec.priority !== value) {
    throw instead(`integer value of priority (${spec.priority})`, value);
  }
  spec.priority = value;
  if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== preemptionPolicy) {
    throw instead(`string value of PreemptionPolicy (${spec.preemptionPolicy})`, preemptionPolicy);
  }
  spec.preemptionPolicy = preemptionPolicy;
}
