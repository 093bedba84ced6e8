import { itself, type Loop, type Reconciler } from '../runtime/controller.ts';
import { certificateSigningRequests } from '../runtime/resources.ts';
import { waitBeforeCleaning } from './plan.ts';

/** Deletes requests that nobody waits for any longer. */
const reconcile: Reconciler = async ({ key, read, write, clock }) => {
  const csr = read(certificateSigningRequests).find(key);
  if (!csr) return undefined;
  const wait = waitBeforeCleaning(csr, clock.now());
  if (wait > 0) return wait;
  await write(certificateSigningRequests).delete(csr);
  return undefined;
};

export const csrCleanerLoops: readonly Loop[] = [
  { name: 'csrcleaner', watches: [itself(certificateSigningRequests)], reconcile },
];
