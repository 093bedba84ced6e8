import { type Resource, view } from '../registry/resource.ts';
import { encodeYaml } from '../schema/yaml.ts';
import type { Stored } from '../store/store.ts';
import { bookmarkObject, type EventEncoder, shared } from '../watch/event-encoder.ts';

/** The events of a watch as YAML documents. */
export function yamlStream(resource: Resource): EventEncoder {
  const event = (type: string, object: object) => Buffer.from(`---\n${encodeYaml({ type, object })}`);
  const { kind, apiVersion } = resource.served;
  return {
    change: shared((type, stored) => {
      const seen = view(resource, stored);
      const encode = ({ value }: Stored) => event(type, value);
      return seen instanceof Promise ? seen.then(encode) : encode(seen);
    }),
    bookmark: (revision) => event('BOOKMARK', bookmarkObject(kind, apiVersion, revision)),
    error: (status) => event('ERROR', status),
  };
}
