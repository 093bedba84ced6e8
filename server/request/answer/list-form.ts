import { encodeJson } from '../../schema/encode.ts';
import type { ProtobufList } from '../../schema/protobuf/protobuf.ts';
import type { MediaType } from '../negotiate.ts';
import { indent } from './encode.ts';

/** Everything of a list but its items: kind, apiVersion, metadata and the like. */
export interface ListEnvelope {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: object;
  readonly [member: string]: unknown;
}

/** How a list is written item by item, so that it need never be whole in memory. */
export interface ListForm {
  /** Whether `head` must know how many bytes all items take together. */
  readonly needsLength: boolean;
  /** What stands before the first item. */
  head(itemBytes: number): string | Buffer;
  item(item: object): string | Uint8Array;
  readonly between: string;
  readonly tail: string | Buffer;
}

/** @param member the name of the list's items, which come last of its members */
export async function listForm(
  envelope: ListEnvelope,
  member: 'items' | 'rows',
  mediaType: MediaType,
  pretty: boolean,
): Promise<ListForm> {
  switch (mediaType) {
    case 'application/json':
      return pretty ? prettyForm(envelope, member) : jsonForm(envelope, member);
    case 'application/yaml': {
      const { encodeYaml } = await import('../../schema/yaml/yaml.ts');
      return yamlForm(envelope, member, encodeYaml);
    }
    case 'application/vnd.kubernetes.protobuf': {
      const { protobufList } = await import('../../schema/protobuf/protobuf.ts');
      return protobufForm(protobufList(envelope));
    }
  }
}

const emptyList = (envelope: ListEnvelope, member: string) => encodeJson({ ...envelope, [member]: [] });

function jsonForm(envelope: ListEnvelope, member: string): ListForm {
  const head = emptyList(envelope, member).slice(0, -']}'.length);
  return { needsLength: false, head: () => head, item: encodeJson, between: ',', tail: ']}\n' };
}

function prettyForm(envelope: ListEnvelope, member: string): ListForm {
  const head = indent(emptyList(envelope, member)).slice(0, -']\n}'.length);
  return {
    needsLength: false,
    head: () => head,
    item: (item) => `\n    ${indent(encodeJson(item), 2)}`,
    between: ',',
    tail: '\n  ]\n}\n',
  };
}

/** Members of a map stand in the order of their names. */
function yamlForm(envelope: ListEnvelope, member: string, encode: (value: unknown) => string): ListForm {
  const part = (isIn: (name: string) => boolean) => {
    const members = Object.entries(envelope).filter(([name]) => isIn(name));
    return members.length > 0 ? encode(Object.fromEntries(members)) : '';
  };
  const head = `${part((name) => name < member)}${member}:\n`;
  return {
    needsLength: false,
    head: () => head,
    item: (item) => encode([item]),
    between: '',
    tail: part((name) => name > member),
  };
}

const protobufForm = ({ head, item, tail }: ProtobufList): ListForm => ({
  needsLength: true,
  head,
  item,
  between: '',
  tail,
});
