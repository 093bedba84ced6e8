import type { KubeObject } from '../base/kube-object.ts';
import type { WriteCall } from './call.ts';

export async function trackManagers(
  _call: WriteCall,
  _change: { readonly live: KubeObject | undefined; readonly next: KubeObject; readonly managed?: boolean | undefined },
): Promise<void> {}
