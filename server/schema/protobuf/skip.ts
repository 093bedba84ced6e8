import type protobuf from 'protobufjs/minimal.js';

/** The bytes are not what a message asks for. */
export class ProtobufMistake extends Error {}

const [groupBegins, groupEnds] = [3, 4];

/**
 * Passes over a field that nobody knows, of a group over all that is in it.
 * @param tag what begins the field: its number and wire type, read already
 * @throws ProtobufMistake for field number 0 and a group that does not begin, RangeError for one that does not end
 */
export function skipField(reader: protobuf.Reader, tag: number): void {
  if (tag >>> 3 === 0) throw new ProtobufMistake('there is no field of number 0');
  let depth = 0;
  for (let wire = tag & 7; ; wire = reader.uint32() & 7) {
    if (wire === groupBegins) depth++;
    else if (wire !== groupEnds) reader.skipType(wire);
    else if (depth === 0) throw new ProtobufMistake('a group ends that has not begun');
    else depth--;
    if (depth === 0) return;
  }
}
