import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';

/**
 * Where the server keeps what is its own: certificates, kubeconfigs, notes of those that are up. A `HOME` that is empty
 * counts as none; who has no home at all has the root for it, as in containers.
 */
export const ownFolder = (): string => join(home(), '.touchstone');

function home(): string {
  try {
    return homedir() || userInfo().homedir || '/';
  } catch {
    return '/';
  }
}
