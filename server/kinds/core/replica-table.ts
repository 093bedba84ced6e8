import type { KubeObject } from '../../base/kube-object.ts';
import type { KindTable } from '../kind-table.ts';
import { age, ageColumn, nameColumn, wideColumn } from '../table-cells.ts';
import type { PodTemplateSpec } from './pod/shape.ts';
import { containerCells, containersColumn, imagesColumn } from './pod-template/table.ts';

interface Replicated extends KubeObject {
  spec?: { replicas?: number; template?: PodTemplateSpec };
  status?: { replicas?: number; readyReplicas?: number };
}

/** The table of what keeps a number of equal pods; `selector` is the text of its own. */
export const replicaTable = <T extends Replicated>(selector: (object: T) => string): KindTable<T> => ({
  columns: [
    nameColumn,
    { name: 'Desired', type: 'integer' },
    { name: 'Current', type: 'integer' },
    { name: 'Ready', type: 'integer' },
    ageColumn,
    containersColumn,
    imagesColumn,
    wideColumn('Selector'),
  ],
  cells: (object, now) => [
    object.metadata.name,
    object.spec?.replicas ?? 0,
    object.status?.replicas ?? 0,
    object.status?.readyReplicas ?? 0,
    age(object, now),
    ...containerCells(object.spec?.template),
    selector(object),
  ],
});
