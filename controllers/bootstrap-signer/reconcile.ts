import { bringing, type Loop, type Reconciler } from '../runtime/controller.ts';
import { keyFor, keyOf } from '../runtime/kube-object.ts';
import { configMaps, secrets } from '../runtime/resources.ts';
import { isBootstrapToken } from '../token-cleaner/plan.ts';
import { nextExpiry, signedData } from './plan.ts';

const namespace = 'kube-public';
const key = keyFor(namespace, 'cluster-info');

/** Signs the configuration that new nodes begin with, by each bootstrap token that may. */
const reconcile: Reconciler = async ({ read, write, clock }) => {
  const map = read(configMaps).find(key);
  if (!map) return undefined;
  const tokens = read(secrets).in('kube-system').filter(isBootstrapToken);
  const data = signedData(map, tokens, clock.now());
  if (data) await write(configMaps).replace(map, { ...map, data });
  return nextExpiry(tokens, clock.now());
};

export const bootstrapSignerLoops: readonly Loop[] = [
  {
    name: 'bootstrapsigner',
    watches: [
      bringing(configMaps, (map) => (keyOf(map) === key ? [key] : [])),
      bringing(secrets, (secret) => (isBootstrapToken(secret) ? [key] : [])),
    ],
    reconcile,
  },
];
