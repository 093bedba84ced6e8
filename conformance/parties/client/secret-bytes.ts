import { Writer } from 'protobufjs/minimal.js';
import { writeEnvelope } from '../../verbs/protobuf.ts';
import { type Copy, namespace } from './world.ts';

const bytesOf = (fill: (writer: Writer) => unknown): Uint8Array => {
  const writer = Writer.create();
  fill(writer);
  return writer.finish();
};

/** The tag of a field that has a length. */
const tag = (field: number): number => (field << 3) | 2;

/**
 * A SecretList as protobuf, its envelope included. Fields: of the list 1 its metadata (2 the version) and 2 the items;
 * of a Secret 1 its metadata (1 name, 3 namespace, 5 uid, 6 version) and 2 its data.
 */
export function secretListBytes(version: string, copy: Copy): Buffer {
  const raw = bytesOf((list) => {
    list.uint32(tag(1)).bytes(bytesOf((metadata) => metadata.uint32(tag(2)).string(version)));
    for (const [name, data] of Object.entries(copy)) list.uint32(tag(2)).bytes(secretBytes(name, version, data));
  });
  return writeEnvelope({
    apiVersion: 'v1',
    kind: 'SecretList',
    raw: Buffer.from(raw),
    contentEncoding: '',
    contentType: '',
  });
}

const secretBytes = (name: string, version: string, data: Copy[string]): Uint8Array =>
  bytesOf((secret) => {
    secret.uint32(tag(1)).bytes(
      bytesOf((metadata) => {
        metadata.uint32(tag(1)).string(name).uint32(tag(3)).string(namespace);
        metadata.uint32(tag(5)).string(`uid-of-${name}`).uint32(tag(6)).string(version);
      }),
    );
    for (const [key, value] of Object.entries(data))
      secret
        .uint32(tag(2))
        .bytes(bytesOf((entry) => entry.uint32(tag(1)).string(key).uint32(tag(2)).bytes(Buffer.from(value, 'base64'))));
  });
