import type { Cancel } from '../../../base/time/timers.ts';
import { type Followed, follow } from '../../../store/follow.ts';
import type { Store } from '../../../store/store.ts';
import type { ServiceAddresses } from './addresses.ts';

/** Tells what Services hold of all that exist, and from then on of each change. @returns what ends it */
export async function followServices(addresses: ServiceAddresses, store: Store): Promise<Cancel> {
  const services = { group: '', resource: 'services' };
  const each = ({ previous, current }: Followed) => addresses.follow(previous?.value, current?.value);
  const following = await follow(store, services, { each });
  return () => following.stop();
}
