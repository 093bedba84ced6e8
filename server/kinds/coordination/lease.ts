import { FieldPath } from '../../base/field-path.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { nonNegative, positive } from '../field-rules.ts';
import { defineKind } from '../strategy.ts';
import { age, ageColumn, column, nameColumn } from '../table-cells.ts';

interface Lease extends KubeObject {
  spec?: { holderIdentity?: string; leaseDurationSeconds?: number; leaseTransitions?: number };
}

const spec = FieldPath.of('spec');
const durationAt = spec.child('leaseDurationSeconds');
const transitionsAt = spec.child('leaseTransitions');

export const lease = defineKind<Lease>({
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  resource: 'leases',
  loosePrefixOnUpdate: true,
  bareFinalizers: true,
  createOnUpdate: true,
  // A lock is only as good as the version its holder has seen.
  unconditionalUpdate: false,
  default: (object) => {
    object.spec ??= {};
  },
  validate: ({ spec: { leaseDurationSeconds, leaseTransitions } = {} }) => [
    ...positive(leaseDurationSeconds, durationAt),
    ...nonNegative(leaseTransitions, transitionsAt),
  ],
  table: {
    columns: [nameColumn, column('Holder', 'Who holds the lease.'), ageColumn],
    cells: (object, now) => [object.metadata.name, object.spec?.holderIdentity ?? '', age(object, now)],
  },
});
