import type { Pod } from '../../../kinds/core/pod/shape.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../../admission.ts';
import { writes } from '../../concern.ts';
import { refusal } from '../../refusal.ts';

const ofPods = {
  supplementalGroups: 'SupplementalGroups',
  seLinuxOptions: 'SELinuxOptions',
  runAsUser: 'RunAsUser',
  fsGroup: 'FSGroup',
};
const ofContainers = { seLinuxOptions: 'SELinuxOptions', runAsUser: 'RunAsUser' };

function refuseAny(
  attributes: AdmissionAttributes,
  context: object | undefined,
  where: string,
  fields: Readonly<Record<string, string>>,
): void {
  for (const [field, words] of Object.entries(fields)) {
    if (context && Object.hasOwn(context, field)) throw refusal(attributes, `${where}.${words} is forbidden`);
  }
}

/** Pods may not choose the user, the groups and the SELinux labels they run with. */
export const securityContextDeny: AdmissionPlugin = {
  name: 'SecurityContextDeny',
  cares: [writes('', 'pods', 'CREATE', 'UPDATE')],
  validate(attributes) {
    const { spec = {} } = attributes.object as Pod;
    refuseAny(attributes, spec.securityContext, 'pod.Spec.SecurityContext', ofPods);
    for (const { securityContext } of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) {
      refuseAny(attributes, securityContext, 'SecurityContext', ofContainers);
    }
  },
};
