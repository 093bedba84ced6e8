import type { KubeObject } from '../../base/kube-object.ts';
import { notAcceptable, type Status } from '../../base/status-error.ts';
import type { Call, Written } from '../../registry/call.ts';
import { includeObjectOf, makeTable, partial, tableOf, tableSource } from '../../registry/table.ts';
import type { Stored } from '../../store/store.ts';
import type { Exchange } from '../exchange.ts';
import { everyMediaType } from '../negotiate.ts';
import { encodeObject } from './encode.ts';
import type { Answer } from './respond.ts';

async function encoded(exchange: Exchange, code: number, value: unknown): Promise<Answer> {
  const { mediaType } = exchange.representation;
  if (exchange.audit?.wantsResponse) exchange.responseObject = value as object;
  return { code, contentType: mediaType, body: await encodeObject(value, mediaType, exchange.isPretty) };
}

/** One stored object; in plain JSON these are the stored bytes. */
export function answerStored(exchange: Exchange, call: Call, code: number, stored: Stored): Promise<Answer> | Answer {
  const { mediaType, transform } = exchange.representation;
  if (mediaType === 'application/json' && !transform && !exchange.isPretty) {
    if (exchange.audit?.wantsResponse) exchange.responseObject = stored.value;
    const text = exchange.incoming.httpVersionMajor === 1 ? stored.text : undefined;
    const head = { code, contentType: mediaType };
    return text === undefined ? { ...head, body: stored.line } : { ...head, text };
  }
  return answerObject(exchange, call, code, stored.value);
}

/** What a write made; what is stored now is not encoded again. */
export const answerWritten = (
  exchange: Exchange,
  call: Call,
  { code, object, stored }: Written,
): Promise<Answer> | Answer =>
  stored ? answerStored(exchange, call, code, stored) : answerObject(exchange, call, code, object);

/** One object in the negotiated form. */
export function answerObject(exchange: Exchange, call: Call, code: number, object: KubeObject): Promise<Answer> {
  const { transform } = exchange.representation;
  if (!transform) return encoded(exchange, code, object);
  if (transform.as === 'PartialObjectMetadataList') throw notAcceptable(everyMediaType);
  if (transform.as === 'PartialObjectMetadata') return encoded(exchange, code, partial(object, transform.version));
  return tableFor(exchange, call, object).then((table) => encoded(exchange, code, table));
}

/** Deletes answer a whole Status whatever form was asked for. */
export const answerStatus = (exchange: Exchange, code: number, status: Status): Promise<Answer> =>
  encoded(exchange, code, status);

async function tableFor(exchange: Exchange, call: Call, object: KubeObject) {
  return makeTable(tableOf(call.resource, call.subresource), await tableSource(call.resource, object), {
    version: exchange.representation.transform?.version ?? 'v1',
    include: includeObjectOf(exchange.query.get('includeObject')),
    metadata: { resourceVersion: object.metadata.resourceVersion },
    now: call.services.clock.now(),
    columns: true,
  });
}
