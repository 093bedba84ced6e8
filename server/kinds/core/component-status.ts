import type { KubeObject } from '../../base/kube-object.ts';
import { defineKind } from '../strategy.ts';
import { column, nameColumn } from '../table-cells.ts';

interface ComponentStatus extends KubeObject {
  conditions?: { type?: string; status?: string; message?: string; error?: string }[];
}

/** Read only; this server watches over no other components, so there are none. */
export const componentStatus = defineKind<ComponentStatus>({
  group: '',
  version: 'v1',
  kind: 'ComponentStatus',
  resource: 'componentstatuses',
  deprecations: { v1: 'v1 ComponentStatus is deprecated in v1.19+' },
  table: {
    columns: [nameColumn, column('Status'), column('Message'), column('Error')],
    cells({ metadata, conditions }) {
      const healthy = conditions?.find(({ type }) => type === 'Healthy');
      const status = healthy ? (healthy.status === 'True' ? 'Healthy' : 'Unhealthy') : 'Unknown';
      return [metadata.name, status, healthy?.message ?? '', healthy?.error ?? ''];
    },
  },
});
