import type { ProxiedAnswer, ProxiedRequest } from '../sabotage/sabotage.ts';
import type { Json } from '../verbs/client.ts';
import { hasMagic, readEnvelope, writeEnvelope } from '../verbs/protobuf.ts';

export const withoutParameter = (request: ProxiedRequest, name: string): ProxiedRequest => {
  const query = new URLSearchParams(request.query);
  query.delete(name);
  return { ...request, query, rawQuery: query.toString() };
};

/** The request with its JSON body changed; other bodies pass. */
export function withBody(request: ProxiedRequest, change: (body: Json) => Json): ProxiedRequest {
  try {
    return { ...request, body: Buffer.from(JSON.stringify(change(JSON.parse(request.body.toString('utf8'))))) };
  } catch {
    return request;
  }
}

export function withAnswer(answer: ProxiedAnswer, change: (body: Json) => Json): ProxiedAnswer {
  try {
    return { ...answer, body: Buffer.from(JSON.stringify(change(JSON.parse(answer.body.toString('utf8'))))) };
  } catch {
    return answer;
  }
}

export const countedWithItems = (list: Json): Json => {
  const { remainingItemCount: count } = list.metadata;
  return count === undefined
    ? list
    : { ...list, metadata: { ...list.metadata, remainingItemCount: count + list.items.length } };
};

export const firstOf = (name: string, value: string | readonly string[]): string | readonly string[] =>
  name.startsWith('impersonate-extra-') ? ([value].flat()[0]?.split(', ')[0] ?? '') : value;

export const boundTo = (name: string, body: Json): Json => {
  const { [name]: _, ...metadata } = body.metadata;
  return { ...body, metadata };
};

export const managersNow = ({ metadata, ...object }: Json): Json => {
  const managedFields = metadata?.managedFields?.map((entry: Json) => ({ ...entry, time: metadata.creationTimestamp }));
  return { ...object, metadata: managedFields ? { ...metadata, managedFields } : metadata };
};

/** Of entries that share their first key one is left. */
export const byFirstKey = (entries: readonly Json[]): Json[] => [
  ...new Map(entries.map((entry) => [entry.name, entry])).values(),
];

/** What is in protobuf calls itself a Secret. */
export const asSecret = (request: ProxiedRequest): ProxiedRequest =>
  hasMagic(request.body)
    ? { ...request, body: writeEnvelope({ ...readEnvelope(request.body), apiVersion: 'v1', kind: 'Secret' }) }
    : request;
