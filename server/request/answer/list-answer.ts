import type { KubeObject } from '../../base/kube-object.ts';
import { notAcceptable } from '../../base/status-error.ts';
import { defaultTable } from '../../kinds/default-table.ts';
import type { KindTable } from '../../kinds/kind-table.ts';
import type { Call } from '../../registry/call.ts';
import type { ListPage } from '../../registry/list.ts';
import type { Resource } from '../../registry/resource.ts';
import {
  includeObjectOf,
  partial,
  rowOf,
  type TableOptions,
  tableFrame,
  tableOf,
  tableSource,
} from '../../registry/table.ts';
import { joinedLength } from '../../store/joined-items.ts';
import type { Stored } from '../../store/store.ts';
import type { Exchange } from '../exchange.ts';
import { everyMediaType } from '../negotiate.ts';
import { encodeObject } from './encode.ts';
import { type ListEnvelope, listForm } from './list-form.ts';
import { encodedPieces, joinedPieces, type Shown } from './list-pieces.ts';
import type { PiecedAnswer } from './respond.ts';

/** List metadata in the order clients are used to. */
const listMetadata = (custom: boolean, { revision, token, remaining }: ListPage) => ({
  resourceVersion: String(revision),
  // Custom resources are written as they are held, an empty token included.
  ...((token || custom) && { continue: token ?? '' }),
  ...(token && remaining !== undefined && { remainingItemCount: remaining }),
});

/** A list in the negotiated form; in plain JSON it is joined from the stored bytes. @throws 406 */
export async function answerList(exchange: Exchange, call: Call, page: ListPage): Promise<PiecedAnswer> {
  const { mediaType, transform } = exchange.representation;
  const { resource } = call;
  if (transform?.as === 'Table') return answerTable(exchange, call, page);
  // Metadata of one object is none of a list.
  if (transform?.as === 'PartialObjectMetadata') throw notAcceptable(everyMediaType);
  if (transform) {
    const kind = 'PartialObjectMetadataList';
    const envelope = { kind, apiVersion: `meta.k8s.io/${transform.version}`, metadata: listMetadata(false, page) };
    return encoded(exchange, page.items, { envelope, shown: ({ value }) => partial(value, transform.version) });
  }
  const envelope = envelopeOf(resource, page);
  const shown: Shown = resource.custom ? ({ value }) => value : ({ value }) => bareItem(value);
  if (mediaType === 'application/json' && !exchange.isPretty) {
    await showToAudit(exchange, page.items, { envelope, shown });
    const head = `${JSON.stringify(envelope).slice(0, -1)},"items":[`;
    const frame = { head, tail: ']}\n', bare: !resource.custom };
    const length = () => Buffer.byteLength(head) + joinedLength(page.items, frame.bare) + frame.tail.length;
    return { code: 200, contentType: mediaType, pieces: joinedPieces(page.items, frame), length };
  }
  return encoded(exchange, page.items, { envelope, shown });
}

const envelopeOf = (resource: Resource, page: ListPage): ListEnvelope => ({
  kind: resource.listKind,
  apiVersion: resource.served.apiVersion,
  metadata: listMetadata(resource.custom !== undefined, page),
});

/** Items of built-in kinds carry neither kind nor apiVersion. */
function bareItem(value: KubeObject): object {
  const { kind: _kind, apiVersion: _apiVersion, ...bare } = value;
  return bare;
}

interface Content {
  readonly envelope: ListEnvelope;
  /** Default: `items`. */
  readonly member?: 'rows';
  /** Of a table: its kind has no columns of its own. */
  readonly isUsual?: boolean;
  readonly shown: Shown;
}

/** A list is whole in memory only where the audit log wants it. */
async function showToAudit(exchange: Exchange, items: readonly Stored[], { envelope, member, shown }: Content) {
  if (!exchange.audit?.wantsResponse) return;
  exchange.responseObject = { ...envelope, [member ?? 'items']: await Promise.all(items.map(shown)) };
}

async function encoded(exchange: Exchange, items: readonly Stored[], content: Content): Promise<PiecedAnswer> {
  await showToAudit(exchange, items, content);
  const { envelope, member, shown } = content;
  const { mediaType, transform } = exchange.representation;
  const pretty = exchange.isPretty;
  const answer = { code: 200, contentType: mediaType };
  if (items.length === 0) {
    // Without a type of its own a list of nothing is null.
    const isNull = member ? content.isUsual : transform;
    const nothing = { ...envelope, [member ?? 'items']: isNull ? null : [] };
    return { ...answer, pieces: [{ bytes: await encodeObject(nothing, mediaType, pretty) }] };
  }
  const form = await listForm(envelope, member ?? 'items', mediaType, pretty);
  return { ...answer, pieces: encodedPieces(items, shown, form) };
}

async function answerTable(exchange: Exchange, call: Call, page: ListPage): Promise<PiecedAnswer> {
  const { resource } = call;
  const table = tableOf(resource, call.subresource);
  const options: TableOptions = {
    version: exchange.representation.transform?.version ?? 'v1',
    include: includeObjectOf(exchange.query.get('includeObject')),
    metadata: listMetadata(false, page),
    now: call.services.clock.now(),
    columns: true,
  };
  return encoded(exchange, await inOrder(table, resource, page.items), {
    envelope: tableFrame(table, options),
    member: 'rows',
    isUsual: table === defaultTable,
    shown: async ({ value }) => rowOf(table, await tableSource(resource, value), options),
  });
}

/** As the kind's table wants its rows. */
async function inOrder({ order }: KindTable, resource: Resource, items: readonly Stored[]): Promise<readonly Stored[]> {
  if (!order || items.length < 2) return items;
  const sources = await Promise.all(
    items.map(async (stored) => ({ stored, ...(await tableSource(resource, stored.value)) })),
  );
  return sources.sort((one, other) => order(one.read, other.read)).map(({ stored }) => stored);
}
