import type { JsonObject } from '../base/json-value.ts';
import type { Json } from '../base/kube-object.ts';
import { additionalOf, itemsOf, type JsonSchema } from '../schema/json-schema.ts';
import { conversions } from './conversions.ts';
import { escapedName } from './escape.ts';
import { durationText } from './loose-duration.ts';
import { Failure, type Value, withTraits } from './value.ts';

/** Turns JSON into values by its schema, each object and list once for each schema that it is seen by. */
export class Converter {
  readonly #known = new WeakMap<object, Map<JsonSchema | undefined, Value>>();

  valueOf(json: Json, schema: JsonSchema | undefined): Value {
    if (typeof json !== 'object' || json === null) return scalarOf(json, schema);
    const known = this.#known.get(json) ?? new Map<JsonSchema | undefined, Value>();
    const before = known.get(schema);
    if (before !== undefined) return before;
    const value = Array.isArray(json) ? this.#list(json, schema) : this.#map(json, schema);
    this.#known.set(json, known.set(schema, value));
    return value;
  }

  #list(json: readonly Json[], schema: JsonSchema | undefined): Value {
    const items = schema && itemsOf(schema);
    const kind = schema?.['x-kubernetes-list-type'];
    const keys = (schema?.['x-kubernetes-list-map-keys'] ?? []).map((key) => escapedName(key) ?? key);
    const list = json.map((item) => this.valueOf(item, items));
    return withTraits(list, kind === 'set' || kind === 'map' ? { kind, keys } : undefined);
  }

  #map(json: JsonObject, schema: JsonSchema | undefined): Value {
    const map = new Map<Value, Value>();
    const properties = schema?.properties ?? {};
    const additional = schema && additionalOf(schema);
    for (const [key, member] of Object.entries(json)) {
      if (!schema || additional) map.set(key, this.valueOf(member, additional));
      else {
        const known = Object.hasOwn(properties, key);
        if (member === null) map.set(hidden(key), known ? equalToNothing : null);
        else map.set(nameIn(properties, key), this.valueOf(member, known ? properties[key] : undefined));
      }
    }
    return map;
  }
}

/** What a rule cannot see still counts when objects are compared, so it stays under a name that no rule can write. */
const nameIn = (properties: Readonly<Record<string, JsonSchema>>, key: string) =>
  (Object.hasOwn(properties, key) || envelope.includes(key) ? escapedName(key) : undefined) ?? hidden(key);

const hidden = (key: string) => `\n${key}`;

/** For rules a property that is null is not there, yet no object equals one that has it. */
const equalToNothing = Number.NaN;

const envelope = ['apiVersion', 'kind', 'metadata', 'name', 'generateName'];

const timeFormats: Readonly<Record<string, 'timestamp' | 'duration'>> = {
  date: 'timestamp',
  'date-time': 'timestamp',
  duration: 'duration',
};

function scalarOf(json: string | number | bigint | boolean | null, schema: JsonSchema | undefined): Value {
  if (typeof json === 'number') {
    const whole = Number.isSafeInteger(json) && schema?.type !== 'number';
    return whole ? BigInt(json) : json;
  }
  if (typeof json === 'bigint') return schema?.type === 'number' ? Number(json) : json;
  if (typeof json !== 'string' || schema?.type !== 'string' || !schema.format) return json;
  if (schema.format === 'byte') return Buffer.from(json, 'base64');
  const convert = timeFormats[schema.format];
  if (!convert) return json;
  const made = conversions[convert]([textOfTime(json, schema.format)]);
  return made instanceof Failure ? json : made;
}

function textOfTime(text: string, format: string): string {
  if (format === 'date') return `${text}T00:00:00Z`;
  return format === 'duration' ? (durationText(text) ?? text) : text;
}
