import { perObject } from '../../base/caches/memo.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { notAcceptable } from '../../base/status-error.ts';
import type { Call } from '../../registry/call.ts';
import { type Resource, view } from '../../registry/resource.ts';
import {
  type IncludeObject,
  includeObjectOf,
  makeTable,
  partial,
  type TableSource,
  tableOf,
  tableSource,
} from '../../registry/table.ts';
import type { Stored } from '../../store/store.ts';
import { bookmarkObject, type EventEncoder, jsonEncoder, jsonLine, shared } from '../../watch/event-encoder.ts';
import type { Exchange } from '../exchange.ts';
import { type Representation, streamTypes } from '../negotiate.ts';

export interface StreamForm {
  readonly encoder: EventEncoder;
  readonly contentType: string;
}

const formsOf = perObject((_resource: Resource) => new Map<string, StreamForm>());

/**
 * How the events of a watch are sent. Watches of one resource in one representation share an encoder, so that each
 * event is encoded once for all of them.
 */
export async function streamForm(exchange: Exchange, call: Call): Promise<StreamForm> {
  const { representation } = exchange;
  const include =
    representation.transform?.as === 'Table' ? includeObjectOf(exchange.query.get('includeObject')) : 'Metadata';
  const { mediaType, transform } = representation;
  const id = `${mediaType} ${transform?.as ?? ''} ${transform?.version ?? ''} ${include}`;
  const known = formsOf(call.resource);
  const form = known.get(id) ?? (await makeForm(call, representation, include));
  known.set(id, form);
  return form;
}

/** @throws 406 for a type in which there are no streams */
async function makeForm(call: Call, representation: Representation, include: IncludeObject): Promise<StreamForm> {
  const { mediaType } = representation;
  if (mediaType === 'application/vnd.kubernetes.protobuf') {
    const { protobufStream } = await import('./protobuf-stream.ts');
    return { encoder: protobufStream(call.resource, representation), contentType: `${mediaType};stream=watch` };
  }
  if (mediaType === 'application/yaml') throw notAcceptable(streamTypes);
  return { encoder: jsonForm(call, representation, include), contentType: 'application/json' };
}

function jsonForm({ resource, services }: Call, { transform }: Representation, include: IncludeObject): EventEncoder {
  const { served } = resource;
  const seen = (stored: Stored) => view(resource, stored);
  if (!transform) return jsonEncoder(served, served.conversion ? seen : undefined);
  const metadataOnly = (object: KubeObject) => partial(object, transform.version);
  if (transform.as !== 'Table') return transforming(seen, metadataOnly, metadataOnly, resource);
  const table = (source: TableSource, columns: boolean, included = include) =>
    makeTable(tableOf(resource), source, {
      version: transform.version,
      include: included,
      metadata: { resourceVersion: source.shown.metadata.resourceVersion },
      now: services.clock.now(),
      columns,
    });
  const row = (columns: boolean) => async (object: KubeObject) => table(await tableSource(resource, object), columns);
  // A bookmark has the row of an object that says nothing.
  const bookmark = (object: KubeObject) => table({ shown: object, read: unsaid(object) }, true, 'Metadata');
  const rest = transforming(seen, row(false), bookmark, resource);
  return { ...rest, firstChange: transforming(seen, row(true), bookmark, resource).change };
}

/** An object whose name is empty as well, for columns that show it. */
const unsaid = ({ kind, apiVersion }: KubeObject): KubeObject => ({ kind, apiVersion, metadata: { name: '' } });

function transforming(
  seen: (stored: Stored) => Stored | Promise<Stored>,
  transform: (object: KubeObject) => object | Promise<object>,
  bookmark: (object: KubeObject) => object,
  { served }: Resource,
): EventEncoder {
  return {
    change: shared((type, stored) => {
      const line = async () => jsonLine(type, await transform((await seen(stored)).value));
      return line();
    }),
    bookmark: (revision) =>
      jsonLine('BOOKMARK', bookmark(bookmarkObject(served.kind, served.apiVersion, revision) as unknown as KubeObject)),
    error: (status) => jsonLine('ERROR', status),
  };
}
