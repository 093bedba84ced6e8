import { notSupported } from '../../../base/field-error.ts';
import { FieldPath } from '../../../base/field-path.ts';
import type { Container, Pod, PodSpec } from '../../../kinds/core/pod/shape.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../../admission.ts';
import { writes } from '../../concern.ts';
import { refusal } from '../../refusal.ts';

const policy = 'Always';
const parts = ['initContainers', 'containers', 'ephemeralContainers'] as const;

const containersOf = (spec: PodSpec | undefined): readonly Container[] => parts.flatMap((part) => spec?.[part] ?? []);

/** Pods that exist keep their policies until they get an image that they did not have. */
function bringsImages({ operation, object, oldObject }: AdmissionAttributes): boolean {
  if (operation === 'CREATE') return true;
  const known = new Set(containersOf((oldObject as Pod | undefined)?.spec).map(({ image }) => image));
  return containersOf((object as Pod).spec).some(({ image }) => !known.has(image));
}

/** Images are always pulled, so that nobody runs a private image which another pod left on the node. */
export const alwaysPullImages: AdmissionPlugin = {
  name: 'AlwaysPullImages',
  cares: [{ ...writes('', 'pods', 'CREATE', 'UPDATE'), subresources: ['', 'ephemeralcontainers'] }],
  mutate(attributes) {
    if (!bringsImages(attributes)) return;
    for (const container of containersOf((attributes.object as Pod).spec)) container.imagePullPolicy = policy;
  },
  validate(attributes) {
    if (!bringsImages(attributes)) return;
    const { spec = {} } = attributes.object as Pod;
    for (const part of parts)
      for (const [index, { imagePullPolicy = '' }] of (spec[part] ?? []).entries()) {
        if (imagePullPolicy === policy) continue;
        const at = FieldPath.of('spec', part).index(index).child('imagePullPolicy');
        const { field, text } = notSupported(at, imagePullPolicy, [policy]);
        throw refusal(attributes, `${field}: ${text}`);
      }
  },
};
