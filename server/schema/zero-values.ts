import type { Json } from '../base/kube-object.ts';
import { zeroScalars } from './scalars.ts';
import type { StructType, Structure } from './structure.ts';

type Members = { [key: string]: Json };

/**
 * With the fields of `type` that are always there, such as an empty status. In place; not below fields that are there
 * already. `checkStructure` does it at every level; others need it for objects that lost a part after that.
 */
export function fillWritten(value: Members, type: StructType): Members {
  if (!type.written) return value;
  for (const [name, zero] of type.written)
    if (value[name] === undefined) value[name] = zero === undefined ? zeroOf(type.fields.get(name)?.type) : zero;
  return value;
}

/** The zero value of a type; null where it has no written form. */
export function zeroOf(type: Structure | undefined): Json {
  switch (type?.type) {
    case 'scalar':
      return zeroScalars[type.scalar];
    case 'struct':
      return fillWritten({}, type);
    case 'list':
      return [];
    case 'map':
      return {};
    default:
      return null;
  }
}

/** A list that is none stays so in a map. */
export const zeroInMap = (type: Structure): Json => (type.type === 'list' ? null : zeroOf(type));

/** Whether a typed server does not write it where it may be left out. */
export function isEmpty(value: Json): boolean {
  if (typeof value !== 'object') return value === '' || value === 0 || value === false;
  if (Array.isArray(value)) return value.length === 0;
  for (const _ in value) return false;
  return true;
}
