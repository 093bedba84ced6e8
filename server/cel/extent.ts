import { additionalOf, itemsOf, type JsonSchema } from '../schema/json-schema.ts';
import { escapedName } from './escape.ts';

/** How large the values that a schema describes can get. */
export interface Extent {
  /** Bytes of a text, items of a list, entries of a map; 0 for what has no size. */
  readonly size: number;
  /** The fewest bytes that such a value takes in a request. */
  readonly least: number;
  /** Of each item of a list or value of a map. */
  readonly items?: Extent;
  /** Of the properties of an object, under the names that rules see. */
  readonly fields?: ReadonlyMap<string, Extent>;
}

/** Bytes of the largest request. Whatever has no limit of its own is limited by it. */
const largestRequest = 3 * 1024 * 1024;
/** Without the two characters around a text, list or object. */
const largestContent = largestRequest - 2;

const number: Extent = { size: 0, least: 1 };
const boolean: Extent = { size: 0, least: 4 };
const text: Extent = { size: largestContent, least: 2 };

/** How many values of a kind that takes so many bytes at least, and a comma each, one request can hold. */
export const mostPerRequest = ({ least }: Extent): number => Math.floor(largestRequest / (least + 1));

/**
 * The extent of the values that a schema describes; undefined: rules cannot see them. `resource`: they are whole
 * objects, so they have their envelope.
 */
export function extentOf(schema: JsonSchema, resource = false): Extent | undefined {
  if (schema['x-kubernetes-int-or-string']) return { size: largestContent, least: 1 };
  switch (schema.type) {
    case 'string':
      return textExtent(schema);
    case 'array':
      return listExtent(schema);
    case 'object':
      return additionalOf(schema) ? mapExtent(schema) : objectExtent(schema, resource);
    case 'integer':
    case 'number':
      return number;
    case 'boolean':
      return boolean;
    default:
      return undefined;
  }
}

const within = (schema: JsonSchema | undefined) =>
  schema && extentOf(schema, schema['x-kubernetes-embedded-resource'] === true);

/** Sizes in JSON, with the quotes; the longest moment is written to the nanosecond. */
const times: Readonly<Record<string, Extent>> = {
  duration: { size: 32, least: 3 },
  date: { size: 12, least: 12 },
  'date-time': { size: 32, least: 12 },
};

function textExtent({ format = '', maxLength }: JsonSchema): Extent {
  const time = times[format];
  if (time) return time;
  if (maxLength === undefined) return text;
  // Lengths are told in characters, and one takes four bytes at most.
  return { size: Math.max(0, maxLength) * (format === 'byte' ? 1 : 4), least: 2 };
}

function listExtent(schema: JsonSchema): Extent | undefined {
  const items = within(itemsOf(schema));
  if (!items) return undefined;
  const size = schema.maxItems ?? Math.floor(largestContent / (items.least + 1));
  return { size: Math.max(0, size), least: 2, items };
}

/** A member takes two quotes, a colon, a comma and at least something for its key. */
const bytesPerMember = 6;

function mapExtent(schema: JsonSchema): Extent | undefined {
  const items = within(additionalOf(schema));
  if (!items) return undefined;
  const size = schema.maxProperties ?? Math.floor(largestContent / (items.least + bytesPerMember));
  return { size: Math.max(0, size), least: 2, items };
}

const envelope: ReadonlyMap<string, Extent> = new Map([
  ['apiVersion', text],
  ['kind', text],
  [
    'metadata',
    {
      size: 0,
      least: 2,
      fields: new Map([
        ['name', text],
        ['generateName', text],
      ]),
    },
  ],
]);

function objectExtent(schema: JsonSchema, resource: boolean): Extent {
  const fields = new Map<string, Extent>();
  let least = 2;
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const extent = within(property);
    if (!extent) continue;
    const escaped = escapedName(name);
    if (escaped) fields.set(escaped, extent);
    // What has a default need not be sent.
    if (schema.required?.includes(name) && property.default === undefined) least += name.length + 4 + extent.least;
  }
  if (resource) for (const [name, extent] of envelope) fields.set(name, extent);
  return { size: 0, least, fields };
}
