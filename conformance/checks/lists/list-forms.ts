import { Reader } from 'protobufjs/minimal.js';
import { parse } from 'yaml';
import type { Capability } from '../../capability.ts';
import type { Answer, Json } from '../../verbs/client.ts';
import { protobufType, readEnvelope } from '../../verbs/protobuf.ts';

/** What every form of a list tells of it. */
export interface ToldList {
  readonly names: readonly string[];
  /** Of the objects themselves. */
  readonly versions: readonly string[];
  /** All that is told of the objects beside what they are; missing where it is not read. */
  readonly metadata?: readonly Json[];
  readonly resourceVersion: string;
  /** Empty where the list is complete. */
  readonly token: string;
  /** Undefined where it is not told. */
  readonly remaining: number | undefined;
}

/** One way to have a list. */
export interface ListForm {
  readonly name: string;
  readonly needs: readonly Capability[];
  /** The documents do not ask for it: a server may answer 406. */
  readonly optional: boolean;
  readonly query: Json;
  readonly headers: Readonly<Record<string, string>>;
  /** Throws when the answer is no such list. */
  readonly read: (answer: Answer) => ToldList;
}

const told = ({ metadata }: Json, members: readonly Json[]): ToldList => ({
  names: members.map((one) => one.metadata.name),
  versions: members.map((one) => one.metadata.resourceVersion),
  metadata: members.map((one) => one.metadata),
  resourceVersion: metadata.resourceVersion,
  token: metadata.continue ?? '',
  remaining: metadata.remainingItemCount,
});

/** Without a type of its own a list of nothing may be null. */
const asItems = (body: Json): ToldList => told(body, body.items ?? []);
const inMeta = (kind: string): string => `application/json;as=${kind};g=meta.k8s.io;v=v1`;

const form = (name: string, accept: string, read: ListForm['read'], more: Partial<ListForm> = {}): ListForm => ({
  name,
  needs: [],
  optional: false,
  query: {},
  headers: accept ? { accept } : {},
  read,
  ...more,
});

/** The parts of a message by the numbers of their fields: texts and messages as bytes, numbers as they are. */
function partsOf(bytes: Uint8Array): ReadonlyMap<number, readonly (Uint8Array | number)[]> {
  const reader = Reader.create(bytes);
  const parts = new Map<number, (Uint8Array | number)[]>();
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if ((tag & 7) !== 2 && (tag & 7) !== 0) {
      reader.skipType(tag & 7);
      continue;
    }
    const part = (tag & 7) === 2 ? reader.bytes() : Number(reader.int64());
    parts.set(tag >>> 3, [...(parts.get(tag >>> 3) ?? []), part]);
  }
  return parts;
}

const inside = (bytes: Uint8Array | number | undefined): ReturnType<typeof partsOf> =>
  partsOf(bytes instanceof Uint8Array ? bytes : new Uint8Array());
const text = (part: Uint8Array | number | undefined): string =>
  part instanceof Uint8Array ? Buffer.from(part).toString('utf8') : '';

/** In every built-in list, metadata are field 1 and the items field 2; in every object, metadata are field 1: the name 1, the version 6. */
function readProtobuf({ bytes }: Answer): ToldList {
  const list = partsOf(readEnvelope(bytes).raw);
  const metadata = inside(list.get(1)?.[0]);
  const remaining = metadata.get(4)?.[0];
  const items = (list.get(2) ?? []).map((item) => inside(inside(item).get(1)?.[0]));
  return {
    names: items.map((item) => text(item.get(1)?.[0])),
    versions: items.map((item) => text(item.get(6)?.[0])),
    resourceVersion: text(metadata.get(2)?.[0]),
    token: text(metadata.get(3)?.[0]),
    remaining: typeof remaining === 'number' ? remaining : undefined,
  };
}

/** The forms in which lists can be had; the first is the plain one. */
export const listForms: readonly ListForm[] = [
  form('JSON', '', ({ body }) => asItems(body)),
  form('indented JSON', '', ({ body }) => asItems(body), { query: { pretty: 'true' } }),
  form('Table', inMeta('Table'), ({ body }) =>
    told(
      body,
      (body.rows ?? []).map(({ object }: Json) => object),
    ),
  ),
  form('protobuf', protobufType, readProtobuf, { needs: ['protobuf'] }),
  form('metadata alone', inMeta('PartialObjectMetadataList'), ({ body }) => asItems(body), { optional: true }),
  form('YAML', 'application/yaml', (answer) => asItems(parse(answer.text)), { optional: true }),
];
