import type { CelType } from './type.ts';
import { named } from './type.ts';

/** The messages of one scalar that an expression may write, such as `google.protobuf.Int32Value{value: 1}`. */
const wrapped: ReadonlyMap<string, CelType> = new Map(
  Object.entries({
    Bool: 'bool',
    Bytes: 'bytes',
    Double: 'double',
    Float: 'double',
    Int32: 'int',
    Int64: 'int',
    String: 'string',
    UInt32: 'uint',
    UInt64: 'uint',
  } as const).map(([name, is]) => [`google.protobuf.${name}Value`, named(is)]),
);

/** The type of the `value` of such a message; it stands for that value. Undefined: no such message. */
export const wrappedType = (message: string): CelType | undefined => wrapped.get(message);

/** Names with dots that stand for a type. */
export const typeNamesWithDots: ReadonlySet<string> = new Set([
  'google.protobuf.Timestamp',
  'google.protobuf.Duration',
  ...wrapped.keys(),
]);
