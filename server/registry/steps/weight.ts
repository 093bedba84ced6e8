import type { KubeObject } from '../../base/kube-object.ts';
import { statusAnswer } from '../../base/status-error.ts';
import { known, longBytes, type Work } from '../../base/turns/work.ts';
import { encodeJson } from '../../schema/encode.ts';
import type { ListType, Structure } from '../../schema/structure.ts';
import type { Draft } from '../draft.ts';
import { keyOf, type Resource } from '../resource.ts';

/** What goes to the store in one piece: more bytes are refused by etcd, and yet more by its client. */
const most = { stored: 1.5 * 1024 * 1024, sent: 2 * 1024 * 1024 };
/** Of so many bytes only defaults can have made an object, for no body is as large. */
export const mostGrown = 8 * 1024 * 1024;

/** Looks how large the object is that is written. */
export function weigh(draft: Draft): void {
  const { sentBytes = Number.POSITIVE_INFINITY } = draft.call;
  if (sentBytes <= longBytes && draft.storedBytes <= longBytes) return;
  // Who has many names has much to do, however little stands behind them.
  const { structure } = draft.call.resource.served;
  if (leastBytes(draft.next, longBytes, structure) > longBytes) draft.weight = 'heavy';
}

/** Looks again once a custom object has its defaults, which make much of little. @throws 500 as `limitSize` */
export function weighFilled(draft: Draft): void {
  if (!draft.call.resource.custom) return;
  const bytes = leastBytes(draft.next, mostGrown);
  if (bytes > mostGrown) throw tooLarge(bytes);
  if (bytes > longBytes && draft.weight === 'light') draft.weight = 'heavy';
}

/** Whether a heavy object and what is booked of who set its fields can only be too large. */
export const isVast = ({ shown, call }: Draft): boolean =>
  leastBytes(shown, most.sent, call.resource.served.structure) > most.sent;

/** @throws 500 as a server whose etcd refuses the request */
export function* limitSize({ weight, change, call }: Draft): Work<void> {
  if (call.options.dryRun || !change || !('write' in change)) return;
  const { write } = change;
  if (weight === 'light' && leastBytes(write, longBytes) <= longBytes) return;
  const isBeyond = weight === 'vast' || leastBytes(write, most.sent) > most.sent;
  const bytes = isBeyond ? most.sent + 1 : yield* requestBytes(call, write);
  if (bytes > most.stored) throw tooLarge(bytes);
}

/** 500, as a server whose etcd or whose client of etcd refuses so many bytes. */
export const tooLarge = (bytes: number) =>
  bytes > most.sent
    ? statusAnswer(
        500,
        `rpc error: code = ResourceExhausted desc = trying to send message larger than max (${bytes} vs. ${most.sent})`,
      )
    : statusAnswer(500, 'etcdserver: request is too large');

/** What surrounds key and value in a transaction; it names the key three times. */
const transactionBytes = 64;

/** How large the request is that writes the object to etcd, as v1.25 does it: built-in kinds are kept in protobuf. */
function* requestBytes({ resource, namespace, name }: Draft['call'], object: KubeObject): Work<number> {
  const key = `/registry/${keyOf(resource, namespace, object.metadata.name ?? name)}`;
  return (yield* encodedBytes(resource, object)) + 3 * key.length + transactionBytes;
}

function* encodedBytes({ custom }: Resource, object: KubeObject): Work<number> {
  yield;
  const json = Buffer.byteLength(encodeJson(object));
  // Protobuf takes less.
  if (custom || json <= most.stored / 2) return json;
  const { encodeProtobuf } = yield* known(import('../../schema/protobuf/protobuf.ts'));
  yield;
  return encodeProtobuf(object).length;
}

/** What one field takes at least among those that a manager owns: `"f:name":{},`. */
const bookedBytes = '"f:":{},'.length;

/** `"v:\"text\"":{},` or `"k:{\"key\":1}":{},`. */
function bookedItem(item: unknown, { keys }: ListType): number {
  if (typeof item === 'string') return bookedBytes + item.length + 4;
  let bytes = bookedBytes + 2;
  for (const key of keys) {
    const value = (item as Readonly<Record<string, unknown>> | null)?.[key];
    bytes += key.length + 5 + (typeof value === 'string' ? value.length + 4 : 1);
  }
  return bytes;
}

/**
 * How many bytes a value takes at least, in whatever form, and, where its structure is given, those in which it is booked
 * that somebody set it. Not counted beyond `enough`.
 */
function leastBytes(value: unknown, enough: number, structure?: Structure): number {
  if (typeof value === 'string') return value.length + 1;
  if (typeof value !== 'object' || value === null) return 1;
  let bytes = 2;
  if (Array.isArray(value)) {
    const list = structure?.type === 'list' && structure.listType !== 'atomic' ? structure : undefined;
    for (const item of value) {
      bytes += leastBytes(item, enough - bytes, list?.items) + (list ? bookedItem(item, list) : 0);
      if (bytes > enough) break;
    }
    return bytes;
  }
  const fieldOf = structure && !isAtomic(structure) ? fieldsOf(structure) : undefined;
  const isMap = structure?.type === 'map';
  for (const name in value) {
    const field = fieldOf?.(name);
    if (isMap) bytes += name.length;
    if (field) bytes += name.length + bookedBytes;
    bytes += leastBytes((value as Record<string, unknown>)[name], enough - bytes, field);
    if (bytes > enough) break;
  }
  return bytes;
}

const isAtomic = (structure: Structure) => 'atomic' in structure && structure.atomic === true;

/** The structures of the members that are booked one by one. */
function fieldsOf(structure: Structure): ((name: string) => Structure | undefined) | undefined {
  if (structure.type === 'struct') return (name) => structure.fields.get(name)?.type;
  if (structure.type === 'map') return () => structure.values;
  return undefined;
}
