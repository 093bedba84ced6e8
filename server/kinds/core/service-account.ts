import type { KubeObject } from '../../base/kube-object.ts';
import { defineKind } from '../strategy.ts';
import { age, ageColumn, column, nameColumn } from '../table-cells.ts';

export interface ServiceAccount extends KubeObject {
  secrets?: { name?: string }[];
  imagePullSecrets?: { name?: string }[];
  automountServiceAccountToken?: boolean;
}

/** Of a secret only its name counts. In place. */
function keepNamesOfSecrets(account: ServiceAccount): void {
  if (account.secrets) account.secrets = account.secrets.map(({ name }) => (name ? { name } : {}));
}

export const serviceAccount = defineKind<ServiceAccount>({
  group: '',
  version: 'v1',
  kind: 'ServiceAccount',
  resource: 'serviceaccounts',
  deleteAnswersObject: true,
  prepareCreate: keepNamesOfSecrets,
  prepareUpdate: keepNamesOfSecrets,
  table: {
    columns: [nameColumn, column('Secrets'), ageColumn],
    cells: (account, now) => [account.metadata.name, (account.secrets ?? []).length, age(account, now)],
  },
});
