import { itself, type Loop, type Reconciler } from '../runtime/controller.ts';
import { versionOf } from '../runtime/kube-object.ts';
import { secrets } from '../runtime/resources.ts';
import { isBootstrapToken, waitBeforeExpiry } from './plan.ts';

/** Deletes bootstrap tokens that have run out. */
const reconcile: Reconciler = async ({ key, read, write, clock }) => {
  const secret = read(secrets).find(key);
  if (!secret || !isBootstrapToken(secret)) return undefined;
  const wait = waitBeforeExpiry(secret, clock.now());
  if (wait !== 0) return wait;
  // Only as we know it: someone may be renewing it right now.
  await write(secrets).delete(secret, { preconditions: { resourceVersion: versionOf(secret) } });
  return undefined;
};

export const tokenCleanerLoops: readonly Loop[] = [
  { name: 'tokencleaner', watches: [itself(secrets, isBootstrapToken)], reconcile },
];
