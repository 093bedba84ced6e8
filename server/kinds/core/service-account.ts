import type { KubeObject } from '../../base/kube-object.ts';
import { defineKind } from '../strategy.ts';
import { age, ageColumn, column, nameColumn } from '../table-cells.ts';

export interface ServiceAccount extends KubeObject {
  secrets?: { name?: string }[];
  imagePullSecrets?: { name?: string }[];
  automountServiceAccountToken?: boolean;
}

export const serviceAccount = defineKind<ServiceAccount>({
  group: '',
  version: 'v1',
  kind: 'ServiceAccount',
  resource: 'serviceaccounts',
  deleteAnswersObject: true,
  table: {
    columns: [nameColumn, column('Secrets'), ageColumn],
    cells: (account, now) => [account.metadata.name, (account.secrets ?? []).length, age(account, now)],
  },
});
