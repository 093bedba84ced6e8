import { defineRule } from '../rule.ts';
import { notFound } from '../sabotage/transforms.ts';
import { showsNone } from './job-sabotages.ts';

export default [
  defineRule('component.controller-manager', {
    needs: ['controllers'],
    sabotage: [
      notFound({ path: /\/serviceaccounts\/default$/ }),
      notFound({ path: /\/configmaps\/kube-root/ }),
      showsNone,
    ],
    async check({ serviceAccounts, configMaps, replicaSets, pods, waitUntil, patience }) {
      // A busy controller manager takes its time.
      const limit = patience * 8;
      const isThere = async (kind: typeof configMaps, name: string): Promise<void> => {
        const look = async () => (await kind.get(name)).status;
        await waitUntil(`a new namespace has its ${name}`, look, (status) => status === 200, { limit });
      };
      await isThere(serviceAccounts, 'default');
      await isThere(configMaps, 'kube-root-ca.crt');
      await replicaSets.create();
      const count = async () => (await pods.list()).items.length;
      await waitUntil('a ReplicaSet has its pod', count, (seen) => seen === 1, { limit });
    },
  }),
];
