import type { KubeObject } from '../base/kube-object.ts';
import { trackUpdate } from '../patch/apply/track-update.ts';
import type { WriteCall } from './call.ts';
import type { Draft } from './draft.ts';
import { withoutBytes } from './empty-bytes.ts';
import { bookManagers, setManagers, trackedWrite } from './managers.ts';
import { standInOf } from './patch-document.ts';
import { bookStandIn } from './stand-in-managers.ts';

/** Books who set what in `metadata.managedFields`: before the kind's own preparation, which nobody asked for. */
export async function trackManagers({ call, managed, emptiesBytes, live, shown, next }: Draft): Promise<void> {
  if (managed) return;
  const standIn = standInOf(call);
  if (standIn && live) await bookStandIn(call, standIn, live, shown);
  else if (emptiesBytes) setManagers(shown, await entriesWithoutBytes(call, live, shown));
  else await bookManagers(call, live, shown);
  if (next !== shown) setManagers(next, shown.metadata.managedFields ?? []);
}

const entriesWithoutBytes = (call: WriteCall, live: KubeObject | undefined, next: KubeObject) =>
  trackUpdate({ ...trackedWrite(call), ...(live && { live }), next: withoutBytes(call.resource.served, next) });
