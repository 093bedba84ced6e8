import type { KubeObject } from '../../base/kube-object.ts';
import { type Resource, view } from '../../registry/resource.ts';
import { partial } from '../../registry/table.ts';
import { encodeProtobuf, protobufEvent } from '../../schema/protobuf/protobuf.ts';
import type { Stored } from '../../store/store.ts';
import { bookmarkObject, type EventEncoder, shared } from '../../watch/event-encoder.ts';
import type { Representation } from '../negotiate.ts';

/** The events of a watch in protobuf, whole objects or their metadata. */
export function protobufStream(resource: Resource, { transform }: Representation): EventEncoder {
  const shown = (object: KubeObject) => (transform ? partial(object, transform.version) : object);
  const event = (type: string, object: object) => protobufEvent(type, encodeProtobuf(object));
  const { kind, apiVersion } = resource.served;
  return {
    change: shared((type, stored) => {
      const seen = view(resource, stored);
      const encode = ({ value }: Stored) => event(type, shown(value));
      return seen instanceof Promise ? seen.then(encode) : encode(seen);
    }),
    bookmark: (revision) =>
      event('BOOKMARK', shown(bookmarkObject(kind, apiVersion, revision) as unknown as KubeObject)),
    error: (status) => event('ERROR', status),
  };
}
