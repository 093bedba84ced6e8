import { additionalOf, itemsOf, type JsonSchema } from '../schema/json-schema.ts';
import { escapedName } from './escape.ts';

/** How large a value can get: characters of a text, items of a list, entries of a map. */
export interface Extent {
  readonly size: number;
  /** Of each item or entry. */
  readonly items?: Extent;
  readonly fields?: ReadonlyMap<string, Extent>;
}

/** Bytes of the largest request. */
const largestRequest = 3 * 1024 * 1024;

export const single: Extent = { size: 1 };
/** What nothing is known about. */
export const unbounded: Extent = { size: largestRequest };

const fixedTexts: Readonly<Record<string, number>> = { date: 10, 'date-time': 30, duration: 30, byte: largestRequest };

/** The extent of the values that a schema describes; what has no limit of its own is limited by the request. */
export function extentOf(schema: JsonSchema): Extent {
  switch (schema.type) {
    case 'string':
      return { size: textSize(schema) };
    case 'array': {
      const items = itemsOf(schema);
      const most = items ? largestRequest / (smallest(items) + 1) : largestRequest;
      return { size: schema.maxItems ?? most, items: items ? extentOf(items) : unbounded };
    }
    case 'object':
      return objectExtent(schema);
    case 'integer':
    case 'number':
    case 'boolean':
      return single;
    default:
      return unbounded;
  }
}

function textSize({ maxLength, enum: members, format }: JsonSchema): number {
  if (maxLength !== undefined) return maxLength;
  if (members?.length) return Math.max(...members.map((each) => (typeof each === 'string' ? each.length : 0)));
  return (format && fixedTexts[format]) || largestRequest;
}

function objectExtent(schema: JsonSchema): Extent {
  const additional = additionalOf(schema);
  if (additional) {
    const most = largestRequest / (smallest(additional) + 6);
    return { size: schema.maxProperties ?? most, items: extentOf(additional) };
  }
  const fields = new Map<string, Extent>();
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const escaped = escapedName(name);
    if (escaped) fields.set(escaped, extentOf(property));
  }
  return { size: fields.size, fields };
}

/** The fewest bytes that such a value takes in a request. */
function smallest(schema: JsonSchema): number {
  if (schema.type === 'boolean') return 4;
  if (schema.type === 'integer' || schema.type === 'number') return 1;
  if (schema.type !== 'object') return 2;
  const required = (schema.required ?? []).flatMap((name) => {
    const property = schema.properties && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    return property && property.default === undefined ? [name.length + 4 + smallest(property)] : [];
  });
  return 2 + required.reduce((sum, size) => sum + size, 0);
}
