import { cloneJson } from '../../base/clone.ts';
import { deepEqual } from '../../base/deep-equal.ts';
import { isJsonObject, type JsonObject } from '../../base/json-value.ts';
import type { Json } from '../../base/kube-object.ts';
import type { ListType, Structure } from '../../schema/structure.ts';
import { type FieldSet, noFields } from './field-set.ts';
import { alwaysWritten, checkLists, indexList, listElement, memberStructure } from './typed-value.ts';

/**
 * Whether a value has the fields of the one that this look was taken of: the same names in the same order. Names that
 * nobody ever owns count for nothing, so that a stored object may look like what was sent.
 */
type Look = (value: Json) => boolean;

/** The look of what has no fields but itself, which nobody needs to be asked about. */
const anything = 'anything';
type PartLook = Look | typeof anything;

/** What follows from the fields of an object, which most objects of its kind have as well. */
interface Remembered<T> {
  readonly structure: Structure;
  readonly isAlike: Look;
  readonly result: T;
}

/** Looks that are remembered for one sort of writes. */
const mostLooks = 4;
/** Once there are so many, a look is only taken now and then: where no two objects are alike, that would be in vain. */
const takenOneIn = 16;
/** Names and elements of one look. */
const mostNames = 300;

/** Remembers what was made of the fields of objects, for objects that look like those before. */
export class Looks<T> {
  readonly #kept = new WeakMap<FieldSet, { readonly looks: Remembered<T>[]; misses: number }>();

  find(object: JsonObject, structure: Structure, ignored: FieldSet): T | undefined {
    const known = this.#kept.get(ignored);
    if (known)
      for (const look of known.looks) if (look.structure === structure && look.isAlike(object)) return look.result;
    return undefined;
  }

  /** For what was not found. */
  remember(object: JsonObject, structure: Structure, ignored: FieldSet, result: T): void {
    const known = this.#kept.get(ignored) ?? { looks: [], misses: 0 };
    if (known.misses === 0) this.#kept.set(ignored, known);
    if (known.misses++ >= mostLooks && known.misses % takenOneIn > 0) return;
    const isAlike = new Looker().topLook(object, structure, ignored);
    if (!isAlike) return;
    if (known.looks.length === mostLooks) known.looks.shift();
    known.looks.push({ structure, isAlike, result });
  }
}

const equalTo =
  (value: Json): Look =>
  (other) =>
    deepEqual(other, value);

/** Of the members that are left out whole. */
const namesIn = ({ below }: FieldSet): ReadonlySet<string> =>
  new Set([...below].filter(([, { owned }]) => owned).map(([element]) => element.slice('f:'.length)));

/** Takes a look; undefined where more than names decides what the fields are, or there are too many. */
class Looker {
  #names = 0;

  /** What is always there must hold what it holds now, whatever becomes of the object; metadata is looked into in the same way. */
  topLook(part: JsonObject, type: Structure, ignored: FieldSet, inside = 'metadata'): Look | undefined {
    const written = alwaysWritten(type);
    return this.#members(part, ignored, (name, value, below) => {
      if (name === inside && isJsonObject(value)) return this.topLook(value, memberStructure(type, name), below, '');
      if (written.has(name)) return equalTo(cloneJson(value));
      return this.#look(value, memberStructure(type, name), below);
    });
  }

  #members(
    map: JsonObject,
    ignored: FieldSet,
    lookAt: (name: string, value: Json, below: FieldSet) => PartLook | undefined,
  ): Look | undefined {
    const nobodys = namesIn(ignored);
    const names = Object.keys(map).filter((name) => !nobodys.has(name));
    const looks: PartLook[] = [];
    this.#names += names.length;
    for (const name of names) {
      const value = map[name];
      const look = value !== undefined && lookAt(name, value, ignored.below.get(`f:${name}`) ?? noFields);
      if (!look || this.#names > mostNames) return undefined;
      looks.push(look);
    }
    return (other) => {
      if (typeof other !== 'object' || other === null || Array.isArray(other)) return false;
      let at = 0;
      for (const name in other) {
        if (nobodys.has(name)) continue;
        const value = other[name];
        if (names[at] !== name || value === undefined) return false;
        const look = looks[at++];
        if (look !== anything && look?.(value) !== true) return false;
      }
      return at === names.length;
    };
  }

  #look(value: Json, type: Structure, ignored: FieldSet): PartLook | undefined {
    if (type.type === 'scalar') return anything;
    if (type.type === 'list' && type.listType !== 'atomic') return this.#elements(value, type, ignored);
    if (type.type === 'list' || type.atomic) {
      return (other) => {
        checkLists(other, type);
        return true;
      };
    }
    if (!isJsonObject(value)) return undefined;
    return this.#members(value, ignored, (name, member, below) =>
      this.#look(member, memberStructure(type, name), below),
    );
  }

  #elements(list: Json, type: ListType, ignored: FieldSet): Look | undefined {
    if (!Array.isArray(list)) return undefined;
    this.#names += list.length;
    if (this.#names > mostNames) return undefined;
    const elements = [...indexList(type, list).keys()];
    const looks: PartLook[] = [];
    for (const [at, element] of elements.entries()) {
      const below = ignored.below.get(element) ?? noFields;
      const look = below.owned ? anything : this.#look(list[at] as Json, type.items, below);
      if (!look || this.#names > mostNames) return undefined;
      looks.push(look);
    }
    return (other) =>
      Array.isArray(other) &&
      other.length === elements.length &&
      other.every((item, at) => {
        const look = looks[at];
        return listElement(type, item) === elements[at] && (look === anything || look?.(item) === true);
      });
  }
}
