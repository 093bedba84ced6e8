import type { Answer, Json } from './client.ts';
import type { Collection } from './collection.ts';

export const condition = (type: string, over: Json = {}): Json => ({
  type,
  status: 'True',
  reason: 'Judged',
  message: 'judged',
  ...over,
});

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
