import type { Answer, Json } from './client.ts';
import type { Collection } from './collection.ts';

export const condition = (type: string, over: Json = {}): Json => ({
  type,
  status: 'True',
  reason: 'Judged',
  message: 'judged',
  ...over,
});

/** What the server fills in with the present time where it is left out: the same write would be another one later. */
export const givenTimes = { lastUpdateTime: '2024-05-06T07:08:09Z', lastTransitionTime: '2024-05-06T07:08:09Z' };

/** Writes the conditions of a request by one of its subresources. */
export const writeConditions = (
  requests: Collection,
  name: string,
  conditions: readonly Json[],
  sub: 'approval' | 'status',
): Promise<Answer> => requests.patch(name, { status: { conditions } }, { sub });

/** A new request that has been approved. */
export async function approvedRequest(requests: Collection, over: Json = {}): Promise<Json> {
  const { metadata } = await requests.create(over);
  return requests.merge(metadata.name, { status: { conditions: [condition('Approved')] } }, 'approval');
}

/** Writes the certificate of a request, given as PEM. */
export const issue = (requests: Collection, name: string, pem: string): Promise<Answer> =>
  requests.patch(name, { status: { certificate: Buffer.from(pem).toString('base64') } }, { sub: 'status' });
