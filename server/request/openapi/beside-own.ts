import { deepEqual } from '../../base/deep-equal.ts';
import type { Part } from '../aggregation/open-api.ts';

const prefix = '#/definitions/';

type Described = Pick<Part, 'paths' | 'definitions'>;

/**
 * Parts of other documents, to stand beside a document's own definitions: what another server means by a name that has another
 * meaning here goes by a name of its own, `Name_v2`; what is the same here is left out.
 */
export function besideOwn(own: Iterable<readonly [string, object]>, parts: readonly Part[]): readonly Described[] {
  if (parts.length === 0) return [];
  const taken = new Map(own);
  return parts.map((part) => {
    const names = namesBeside(part.definitions, taken);
    const described = renamed(part, names);
    for (const [name, definition] of Object.entries(described.definitions)) taken.set(name, definition);
    return described;
  });
}

/** The names under which definitions stand beside others; undefined: one of that name says the same. */
function namesBeside(definitions: Part['definitions'], taken: ReadonlyMap<string, object>) {
  const names = new Map<string, string | undefined>();
  for (const [name, definition] of Object.entries(definitions)) {
    const before = taken.get(name);
    names.set(name, before && deepEqual(before, definition) ? undefined : freeName(name, taken));
  }
  return names;
}

function freeName(name: string, taken: ReadonlyMap<string, object>): string {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name}_v${number}`;
  return free;
}

function renamed({ paths, definitions }: Part, names: ReadonlyMap<string, string | undefined>): Described {
  const refer = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(refer);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, key === '$ref' ? named(each) : refer(each)]),
    );
  };
  // A property of this name is an object, and no reference.
  const named = (reference: unknown): unknown => {
    if (typeof reference !== 'string') return refer(reference);
    const name = reference.slice(prefix.length);
    return prefix + (names.get(name) ?? name);
  };
  const own = Object.entries(definitions).flatMap(([name, definition]) => {
    const free = names.get(name);
    return free === undefined ? [] : [[free, refer(definition) as object] as const];
  });
  return { paths: refer(paths) as Part['paths'], definitions: Object.fromEntries(own) };
}
