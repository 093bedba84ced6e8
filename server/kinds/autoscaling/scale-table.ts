import type { KubeObject } from '../../base/kube-object.ts';
import type { KindTable } from '../kind-table.ts';
import { age, ageColumn, nameColumn } from '../table-cells.ts';

interface Scale extends KubeObject {
  spec?: { replicas?: number };
  status?: { replicas?: number };
}

const counts: KindTable<Scale>['columns'] = [
  { name: 'Desired', type: 'integer' },
  { name: 'Available', type: 'integer' },
];

/** The table of what `/scale` of a built-in kind answers. */
export const scaleTable: KindTable<Scale> = {
  columns: [{ ...nameColumn, format: '' }, ...counts, ageColumn],
  cells: (scale, now) => [scale.metadata.name, scale.spec?.replicas ?? 0, scale.status?.replicas ?? 0, age(scale, now)],
};

/** That of a custom kind. */
export const customScaleTable: KindTable<Scale> = {
  ...scaleTable,
  columns: [nameColumn, ...counts, { ...ageColumn, type: 'date' }],
};
