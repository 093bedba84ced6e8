import { invalidValue } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { dnsSubdomain } from '../../base/names.ts';
import { quantityNotNegative } from '../core/resource-names.ts';
import { immutable } from '../field-rules.ts';
import { type LabelSelectorField, validateLabelSelector } from '../label-selector-field.ts';
import { defineKind } from '../strategy.ts';

interface CsiStorageCapacity extends KubeObject {
  storageClassName?: string;
  nodeTopology?: LabelSelectorField;
  capacity?: string;
  maximumVolumeSize?: string;
}

export const csiStorageCapacity = defineKind<CsiStorageCapacity>({
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'CSIStorageCapacity',
  resource: 'csistoragecapacities',
  unconditionalUpdate: false,
  deprecations: {
    v1beta1:
      'storage.k8s.io/v1beta1 CSIStorageCapacity is deprecated in v1.24+, unavailable in v1.27+; use storage.k8s.io/v1 CSIStorageCapacity',
  },
  default(object) {
    object.storageClassName ??= '';
  },
  validate: ({ storageClassName, nodeTopology, capacity }) => [
    ...validateLabelSelector(nodeTopology, FieldPath.of('nodeTopology')),
    ...dnsSubdomain(storageClassName ?? '').map((problem) =>
      invalidValue('storageClassName', storageClassName ?? '', problem),
    ),
    ...(capacity === undefined ? [] : quantityNotNegative(capacity, FieldPath.of('capacity'))),
  ],
  validateUpdate: (next, previous) => [
    ...immutable(next.nodeTopology, previous.nodeTopology, FieldPath.of('nodeTopology')),
    ...immutable(next.storageClassName, previous.storageClassName, FieldPath.of('storageClassName')),
  ],
});
