import { follow } from '../../../store/follow.ts';
import type { Store, Subscription } from '../../../store/store.ts';
import type { ServiceAddresses } from './addresses.ts';

/** Tells what Services hold of all that exist, and from then on of each change. */
export const followServices = (addresses: ServiceAddresses, store: Store): Promise<Subscription> =>
  follow(
    store,
    { group: '', resource: 'services' },
    { each: ({ previous, current }) => addresses.follow(previous?.value, current?.value) },
  );
