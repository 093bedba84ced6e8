import type { Cancel } from '../../../base/timers.ts';
import type { Store } from '../../../store/store.ts';
import type { ServiceAddresses } from './addresses.ts';

/** The store's keys of all Services begin with this. */
const services = '/services/';

/** Tells what Services hold of all that exist, and from then on of each change. @returns what ends it */
export async function followServices(addresses: ServiceAddresses, store: Store): Promise<Cancel> {
  const { items, revision } = await store.list(services);
  for (const { value } of items) addresses.follow(undefined, value);
  const following = await store.watch(services, revision, ({ previous, current }) =>
    addresses.follow(previous?.value, current?.value),
  );
  return () => following.stop();
}
