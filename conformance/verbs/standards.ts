import type { Send } from './client.ts';
import type { Json } from './json.ts';
import { mergePatchHeaders } from './patch-types.ts';

/** A cluster may hold pods to a standard, or warn of what is beyond it, unless their namespace says otherwise. */
export const unconfined: Readonly<Record<string, string>> = Object.fromEntries(
  ['enforce', 'audit', 'warn'].map((mode) => [`pod-security.kubernetes.io/${mode}`, 'privileged']),
);

/** Whether a namespace still says so. */
export const isUnconfined = (namespace: Json): boolean =>
  Object.entries(unconfined).every(([label, standard]) => namespace?.metadata?.labels?.[label] === standard);

/** Has a namespace say so again, where others took it back. @param at its path */
export async function unconfine(send: Send, at: string): Promise<void> {
  if (isUnconfined((await send('GET', at)).body)) return;
  await send('PATCH', at, { headers: mergePatchHeaders, body: { metadata: { labels: unconfined } } });
}
