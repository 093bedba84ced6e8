import type { Json, Send } from '../verbs/client.ts';

const published =
  '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices?labelSelector=kubernetes.io/service-name%3Dkubernetes';

/** How many servers say that they serve the target's API, by the addresses that they publish for its Service; at least 1. */
export async function serversOf(send: Send): Promise<number> {
  const answer = await send('GET', published).catch(() => undefined);
  const slices: readonly Json[] = Array.isArray(answer?.body?.items) ? answer.body.items : [];
  const most = slices.map(({ endpoints }) => addressesIn(endpoints).size);
  return Math.max(1, ...most);
}

/** Of one sort of addresses: a server may have one of each. */
const addressesIn = (endpoints: Json): ReadonlySet<string> =>
  new Set((Array.isArray(endpoints) ? endpoints : []).flatMap(({ addresses }) => addresses ?? []));
