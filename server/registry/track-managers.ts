import type { Draft } from './draft.ts';
import { withoutBytes } from './empty-bytes.ts';
import { bookManagers, setManagers } from './managers.ts';
import { standInOf } from './patch-document.ts';
import { bookStandIn } from './stand-in-managers.ts';

/** Books who set what in `metadata.managedFields`: before the kind's own preparation, which nobody asked for. */
export function trackManagers(draft: Draft): void | Promise<void> {
  if (draft.managed) return;
  const booking = book(draft);
  if (booking) return booking.then(() => carry(draft));
  carry(draft);
}

function book({ call, emptiesBytes, live, shown }: Draft): void | Promise<void> {
  const standIn = standInOf(call);
  if (standIn && live) return bookStandIn(call, standIn, live, shown);
  if (!emptiesBytes) return bookManagers(call, live, shown);
  const next = withoutBytes(call.resource.served, shown);
  return bookManagers(call, live, next, shown);
}

/** Metadata is the same in both versions. */
function carry({ shown, next }: Draft): void {
  if (next !== shown) setManagers(next, shown.metadata.managedFields ?? []);
}
