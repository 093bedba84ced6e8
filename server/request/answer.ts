import { BufferPool } from '../base/buffer-pool.ts';
import type { KubeObject } from '../base/kube-object.ts';
import { notAcceptable, type Status } from '../base/status-error.ts';
import type { Call, Written } from '../registry/call.ts';
import type { ListPage } from '../registry/list.ts';
import { includeObjectOf, makeTable, partial, tableOf, tableSource } from '../registry/table.ts';
import type { Stored } from '../store/store.ts';
import { encodeObject, listJson, listMetadata, listObject } from './encode.ts';
import type { Exchange } from './exchange.ts';
import { everyMediaType } from './negotiate.ts';
import { wantsPretty } from './pretty.ts';
import type { Answer } from './respond.ts';

async function encoded(exchange: Exchange, code: number, value: unknown): Promise<Answer> {
  const { mediaType } = exchange.representation;
  if (exchange.audit?.wantsResponse) exchange.responseObject = value as object;
  return { code, contentType: mediaType, body: await encodeObject(value, mediaType, wantsPretty(exchange)) };
}

/** One stored object; in plain JSON these are the stored bytes. */
export function answerStored(exchange: Exchange, call: Call, code: number, stored: Stored): Promise<Answer> | Answer {
  const { mediaType, transform } = exchange.representation;
  if (mediaType === 'application/json' && !transform && !wantsPretty(exchange)) {
    if (exchange.audit?.wantsResponse) exchange.responseObject = stored.value;
    return { code, contentType: mediaType, body: stored.line };
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
  const metadata = { resourceVersion: object.metadata.resourceVersion };
  return tableFor(exchange, call, [object], metadata).then((table) => encoded(exchange, code, table));
}

/** Lists are long and many: their bytes are joined in buffers that are used again once they are sent. */
const listBuffers = new BufferPool();

function joined({ resource }: Call, contentType: string, page: ListPage): Answer {
  let buffer: Buffer | undefined;
  const body = listJson(resource, page, (size) => {
    buffer = listBuffers.take(size);
    return buffer;
  });
  const sent = () => {
    if (buffer) listBuffers.give(buffer);
    buffer = undefined;
  };
  return { code: 200, contentType, body, sent };
}

/** A list in the negotiated form; in plain JSON it is joined from the stored bytes. */
export function answerList(exchange: Exchange, call: Call, page: ListPage): Promise<Answer> | Answer {
  const { mediaType, transform } = exchange.representation;
  if (!transform) {
    if (mediaType !== 'application/json' || wantsPretty(exchange)) {
      return encoded(exchange, 200, listObject(call.resource, page));
    }
    return joined(call, mediaType, page);
  }
  const objects = page.items.map(({ value }) => value);
  if (transform.as === 'Table') {
    const table = tableFor(exchange, call, objects, listMetadata(false, page));
    return table.then((made) => encoded(exchange, 200, made));
  }
  return encoded(exchange, 200, {
    kind: 'PartialObjectMetadataList',
    apiVersion: `meta.k8s.io/${transform.version}`,
    metadata: listMetadata(false, page),
    items: objects.length > 0 ? objects.map((object) => partial(object, transform.version)) : null,
  });
}

/** Deletes answer a whole Status whatever form was asked for. */
export const answerStatus = (exchange: Exchange, code: number, status: Status): Promise<Answer> =>
  encoded(exchange, code, status);

async function tableFor(exchange: Exchange, call: Call, objects: readonly KubeObject[], metadata: object) {
  const sources = await Promise.all(objects.map((object) => tableSource(call.resource, object)));
  return makeTable(tableOf(call.resource, call.subresource), sources, {
    version: exchange.representation.transform?.version ?? 'v1',
    include: includeObjectOf(exchange.query.get('includeObject')),
    metadata,
    now: call.services.clock.now(),
    columns: true,
  });
}
