import type { Json } from '../base/kube-object.ts';
import { zeroScalars } from './scalars.ts';
import type { StructType, Structure } from './structure.ts';

/**
 * With the fields of `type` that are always there, such as an empty status. In place; not below fields that are there
 * already. `checkStructure` does it at every level; this is for objects that lost a part after that.
 */
export function fillWritten(value: { [key: string]: Json }, type: StructType): { [key: string]: Json } {
  if (!type.written) return value;
  for (const name of type.written) {
    if (value[name] !== undefined) continue;
    const zero = zeroOf(type.fields.get(name)?.type);
    if (zero !== null) value[name] = zero;
  }
  return value;
}

/** The zero value of a type; null where it has no written form. */
export function zeroOf(type: Structure | undefined): Json {
  switch (type?.type) {
    case 'scalar':
      return zeroScalars[type.scalar] ?? null;
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
