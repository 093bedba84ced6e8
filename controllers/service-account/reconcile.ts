import { isAlreadyExists, isNamespaceTerminating, isNotFound } from '../runtime/api-error.ts';
import { bringing, itself, type Loop, type Reconciler } from '../runtime/controller.ts';
import { keyFor, nameOf, namespaceOf } from '../runtime/kube-object.ts';
import { namespaces, serviceAccounts } from '../runtime/resources.ts';

const defaultAccount = 'default';

/** Gives every active namespace the service account that pods run as when they name none. */
const reconcile: Reconciler = async ({ key, read, write }) => {
  const namespace = read(namespaces).find(key);
  if (namespace?.status?.phase !== 'Active' || namespace.metadata?.deletionTimestamp) return undefined;
  if (read(serviceAccounts).find(keyFor(key, defaultAccount))) return undefined;
  try {
    await write(serviceAccounts).create({ metadata: { namespace: key, name: defaultAccount } });
  } catch (error) {
    if (!isAlreadyExists(error) && !isNamespaceTerminating(error) && !isNotFound(error)) throw error;
  }
  return undefined;
};

export const serviceAccountLoops: readonly Loop[] = [
  {
    name: 'serviceaccount',
    watches: [
      itself(namespaces),
      bringing(serviceAccounts, (account) => (nameOf(account) === defaultAccount ? [namespaceOf(account)] : [])),
    ],
    reconcile,
  },
];
