import type { Json, Send } from '../verbs/client.ts';

const published =
  '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices?labelSelector=kubernetes.io/service-name%3Dkubernetes';

/** Requests, each on a connection of its own, which may end at any of the servers. */
const looks = 4;
const anew = { headers: { connection: 'close' } };

/**
 * How many servers there are behind the target's address, as they tell: by the addresses that they publish for its Service,
 * or, where that is one for all of them, by when those started that answer; at least 1.
 */
export async function serversOf(send: Send): Promise<number> {
  const answer = await send('GET', published).catch(() => undefined);
  const slices: readonly Json[] = Array.isArray(answer?.body?.items) ? answer.body.items : [];
  const most = Math.max(1, ...slices.map(({ endpoints }) => addressesIn(endpoints).size));
  return most > 1 ? most : Math.max(1, (await startsOf(send)).size);
}

/** Of one sort of addresses: a server may have one of each. */
const addressesIn = (endpoints: Json): ReadonlySet<string> =>
  new Set((Array.isArray(endpoints) ? endpoints : []).flatMap(({ addresses }) => addresses ?? []));

/** When the servers started that answered, in their own words. */
async function startsOf(send: Send): Promise<ReadonlySet<string>> {
  const look = async (): Promise<readonly string[]> => {
    const answer = await send('GET', '/metrics', anew).catch(() => undefined);
    return answer?.status === 200 ? (/^process_start_time_seconds .*$/m.exec(answer.text) ?? []) : [];
  };
  return new Set((await Promise.all(Array.from({ length: looks }, look))).flat());
}
