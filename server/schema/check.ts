import { canonicalJson, putMember, without } from '../base/json-value.ts';
import type { Json } from '../base/kube-object.ts';
import { badRequest } from '../base/status-error.ts';
import { atOnce, type Work } from '../base/turns/work.ts';
import { type Checked, type CheckOptions, nowhere } from './checked.ts';
import { maximumFaults, noOddNumbers, type OddNumbers, type UnknownField } from './decoded.ts';
import { firstNames, pathOf, type Way } from './place.ts';
import { readScalar, ScalarMistake, wrapped, wrongType } from './scalars.ts';
import type { Field, ListType, MapType, StructType, Structure } from './structure.ts';
import { fillWritten, isEmpty, zeroInMap, zeroOf } from './zero-values.ts';

type Members = { [key: string]: Json };

/** Stands for a member to drop. */
const nothing = Symbol('nothing');

/** So many items of a list are gone through at one go, where others may have their turn. */
const manyItems = 5000;

interface LongList {
  readonly value: Json[];
  readonly type: ListType;
  readonly way: Way;
}

class Walk {
  readonly unknown: UnknownField[] = [];
  emptied: Set<string> | undefined;
  readonly #odd: OddNumbers;
  /** The way from the root to the value at hand; what stands beyond the present depth is left over. */
  readonly #way: (string | number)[] = [];
  readonly #wraps: boolean;
  /** Lists of very many items, to go through when all else is done; undefined where nobody else waits for a turn. */
  readonly #later: LongList[] | undefined;

  constructor(odd: OddNumbers, wraps = false, inTurns = false) {
    this.#odd = odd;
    this.#wraps = wraps;
    if (inTurns) this.#later = [];
  }

  #mistake(error: ScalarMistake, depth: number) {
    const path = pathOf(this.#way, depth);
    return badRequest(path ? `${path}: ${error.message}` : error.message);
  }

  noteUnknown(holder: object, key: string, depth: number): void {
    if (this.unknown.length >= maximumFaults) return;
    this.#way[depth] = key;
    this.unknown.push({ path: pathOf(this.#way, depth + 1), holder, key });
  }

  #noteEmptied(depth: number): void {
    this.emptied ??= new Set();
    this.emptied.add(firstNames(this.#way, depth + 1));
  }

  /** The value in its typed form. Null is for the caller to judge. */
  typed(value: Json, type: Structure, holder: object, key: string | number, depth: number): Json {
    switch (type.type) {
      case 'scalar': {
        const { scalar } = type;
        // The two that nearly all values are.
        if (scalar === 'string' && typeof value === 'string') return value;
        if (scalar === 'boolean' && typeof value === 'boolean') return value;
        const odd = typeof value === 'number' && this.#odd.get(holder)?.has(String(key)) === true;
        try {
          const whole = this.#wraps && typeof value !== 'string' ? wrapped(value, scalar) : value;
          return readScalar(whole, scalar, odd);
        } catch (error) {
          throw error instanceof ScalarMistake ? this.#mistake(error, depth) : error;
        }
      }
      case 'struct':
        if (typeof value !== 'object' || value === null || Array.isArray(value)) {
          throw this.#mistake(wrongType(value, type.name.slice(type.name.lastIndexOf('.') + 1) || 'object'), depth);
        }
        return this.struct(value, type, depth);
      case 'list':
        if (!Array.isArray(value)) throw this.#mistake(wrongType(value, 'list'), depth);
        return this.list(value, type, depth);
      case 'map':
        if (typeof value !== 'object' || value === null || Array.isArray(value)) {
          throw this.#mistake(wrongType(value, 'map'), depth);
        }
        return this.map(value, type, depth);
      case 'any':
        if (type.orBoolean && (Array.isArray(value) || (typeof value !== 'object' && typeof value !== 'boolean'))) {
          throw this.#mistake(wrongType(value, 'object or boolean'), depth);
        }
        return type.inside ? insideOnly(value, type.inside) : value;
    }
  }

  struct(value: Members, type: StructType, depth: number): Members {
    let dropped: Set<string> | undefined;
    for (const key in value) {
      const field = type.fields.get(key);
      if (field === undefined) {
        this.noteUnknown(value, key, depth);
        dropped = (dropped ?? new Set()).add(key);
        continue;
      }
      const before = value[key] as Json;
      const after = before === null ? nothing : this.#field(before, field, value, key, depth);
      if (after === nothing) dropped = (dropped ?? new Set()).add(key);
      else if (after !== before) value[key] = after;
    }
    const kept = dropped ? without(value, dropped) : value;
    if (type.written)
      for (const name of type.written.keys()) if (kept[name] === undefined) return fillWritten(kept, type);
    return kept;
  }

  #field(value: Json, field: Field, holder: Members, key: string, depth: number): Json | typeof nothing {
    this.#way[depth] = key;
    const read = this.typed(value, field.type, holder, key, depth + 1);
    // Null is the zero time, which is written.
    if (field.empty !== 'dropped' || read === null || !isEmpty(read)) return read;
    if (typeof read === 'object') this.#noteEmptied(depth);
    return nothing;
  }

  list(value: Json[], type: ListType, depth: number, from = 0, to = value.length): Json[] {
    const { items } = type;
    if (this.#later && to - from > manyItems) {
      this.#later.push({ value, type, way: this.#way.slice(0, depth) });
      return value;
    }
    for (let index = from; index < to; index++) {
      const before = value[index] as Json;
      this.#way[depth] = index;
      const after = before === null ? zeroOf(items) : this.typed(before, items, value, index, depth + 1);
      if (after !== before) value[index] = after;
    }
    return value;
  }

  *rest(): Work<void> {
    for (const { value, type, way } of this.#later ?? [])
      for (let from = 0; from < value.length; from += manyItems) {
        yield;
        this.#way.splice(0, way.length, ...way);
        this.list(value, type, way.length, from, Math.min(from + manyItems, value.length));
      }
  }

  map(value: Members, type: MapType, depth: number): Members {
    const { values } = type;
    for (const key in value) {
      const before = value[key] as Json;
      this.#way[depth] = key;
      const after = before === null ? zeroInMap(values) : this.typed(before, values, value, key, depth + 1);
      if (after !== before) putMember(value, key, after);
    }
    return value;
  }

  /** Only drops what is unknown; values of another type than the structure says are passed over. */
  prune(value: Json, type: Structure, depth: number): Json {
    if (typeof value !== 'object' || value === null) return value;
    if (type.type === 'any' && !type.unknownInside) return value;
    if (Array.isArray(value)) return this.#pruneList(value, type.type === 'list' ? type.items : nothingKnown, depth);
    if (type.type === 'struct') return this.pruneStruct(value, type, depth);
    if (type.type === 'map') return this.#pruneMap(value, type.values, depth);
    return this.#pruneMembers(value, () => undefined, depth);
  }

  #pruneList(value: Json[], items: Structure, depth: number): Json[] {
    if (items.type === 'any' && !items.unknownInside) return value;
    for (let index = 0; index < value.length; index++) {
      this.#way[depth] = index;
      const before = value[index] as Json;
      const after = this.prune(before, items, depth + 1);
      if (after !== before) value[index] = after;
    }
    return value;
  }

  #pruneMap(value: Members, values: Structure, depth: number): Members {
    if (values.type === 'any' && !values.unknownInside) return value;
    for (const key in value) {
      this.#way[depth] = key;
      const before = value[key] as Json;
      const after = this.prune(before, values, depth + 1);
      if (after !== before) putMember(value, key, after);
    }
    return value;
  }

  pruneStruct(value: Members, type: StructType, depth: number): Members {
    const { fields, preserveUnknown } = type;
    return this.#pruneMembers(value, (key) => fields.get(key)?.type, depth, preserveUnknown);
  }

  #pruneMember(value: Json, type: Structure, holder: Members, key: string, depth: number): Json {
    // The envelope is of the same type in every object, so it is checked as that of a built-in kind.
    const isLeftOut = value === null && depth === 1;
    if (type.type === 'scalar' && type.refused && !isLeftOut && typeof value !== 'string')
      throw this.#mistake(new ScalarMistake(`Invalid value: ${canonicalJson(value)}: must be a string`), depth);
    if (type.type !== 'struct' || type.name !== objectMeta) return this.prune(value, type, depth);
    if (value === null) return isLeftOut || type.described ? null : {};
    const metadata = this.typed(value, type, holder, key, depth) as Members;
    // What has not been created shows no time here.
    if (metadata['creationTimestamp'] === null) delete metadata['creationTimestamp'];
    return metadata;
  }

  #pruneMembers(
    value: Members,
    structureOfField: (key: string) => Structure | undefined,
    depth: number,
    preserveUnknown = false,
  ): Members {
    let dropped: Set<string> | undefined;
    for (const key in value) {
      const field = structureOfField(key);
      if (field) {
        this.#way[depth] = key;
        const before = value[key] as Json;
        const after = this.#pruneMember(before, field, value, key, depth + 1);
        if (after !== before) putMember(value, key, after);
      } else if (!preserveUnknown) {
        this.noteUnknown(value, key, depth);
        dropped = (dropped ?? new Set()).add(key);
      }
    }
    return dropped ? without(value, dropped) : value;
  }
}

const nothingKnown: Structure = { type: 'any', unknownInside: true };

const objectMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

/** A value that is one thing or another (a schema or a list of schemas): its unknown fields go without a word. */
function insideOnly(value: Json, inside: Structure): Json {
  if (Array.isArray(value)) return value.map((each) => insideOnly(each, inside));
  if (typeof value !== 'object' || value === null) return value;
  return new Walk(noOddNumbers).typed(value, inside, {}, '', 0);
}

/**
 * One walk over a decoded object: finds and drops unknown fields and, for built-in kinds, checks the JSON type of
 * every value and brings it into the form in which a typed server holds it: null is absent (in a map or list: the
 * zero value), empty optional fields are dropped, fields that are always there are filled in, times are in UTC,
 * quantities canonical. A null root is an empty object.
 * @throws StatusError 400 for the first value of a wrong type
 */
export const checkStructure = (value: Json, type: StructType, options?: CheckOptions): Checked =>
  atOnce(checking(value, type, options));

/** As `checkStructure`; where others may have their turn, very long lists come last. */
export function* checking(value: Json, type: StructType, options: CheckOptions = {}): Work<Checked> {
  if (value === null) return { value: fillWritten({}, type), unknown: [], emptied: nowhere };
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw badRequest('the object provided is unrecognized: the body must be an object');
  }
  const { oddNumbers = noOddNumbers, wrapsNumbers, inTurns } = options;
  const walk = new Walk(oddNumbers, wrapsNumbers, inTurns);
  const checked = options.mode === 'prune' ? walk.pruneStruct(value, type, 0) : walk.struct(value, type, 0);
  if (inTurns) yield* walk.rest();
  return { value: checked, unknown: walk.unknown, emptied: walk.emptied ?? nowhere };
}
