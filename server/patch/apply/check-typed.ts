import type { JsonObject } from '../../base/json-value.ts';
import type { Json } from '../../base/kube-object.ts';
import type { ListType, MapType, ScalarType, StructType, Structure } from '../../schema/structure.ts';
import { spellPath } from './path-element.ts';
import { indexList, listElement, memberStructure, UntypedValue } from './typed-value.ts';

const maximumFaults = 20;
const embeddedFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** Where an applied configuration does not fit its structure, such as `.spec.x: field not declared in schema`. */
export function checkTyped(value: Json, structure: Structure): string[] {
  const faults: string[] = [];
  check(value, structure, [], { faults, open: false });
  return faults;
}

/** What is found; `open`: something around keeps unknown fields, so those of structs below are taken too, to go later. */
interface Looking {
  readonly faults: string[];
  readonly open: boolean;
}

function check(value: Json, structure: Structure, path: string[], looking: Looking): void {
  const { faults } = looking;
  if (value === null || structure.type === 'any' || faults.length >= maximumFaults) return;
  const fault = (why: string) => faults.push(`${spellPath(path)}: ${why}`);
  if (structure.type === 'scalar') {
    // What nearly all values are.
    if (typeof value === 'string' && structure.scalar === 'string') return;
    const why = scalarFault(value, structure);
    if (why) fault(why);
  } else if (structure.type === 'list') {
    if (Array.isArray(value)) checkList(value, structure, path, looking);
    else fault(`expected list, got ${sortOf(value)}`);
  } else if (typeof value !== 'object' || Array.isArray(value)) fault(`expected map, got ${sortOf(value)}`);
  else checkMembers(value, structure, path, looking);
}

function checkMembers(value: JsonObject, structure: StructType | MapType, path: string[], looking: Looking): void {
  const struct = structure.type === 'struct' ? structure : undefined;
  // Types with a name are the same wherever they stand.
  const open = !struct?.name && (looking.open || struct?.preserveUnknown === true);
  const below = open === looking.open ? looking : { ...looking, open };
  const closed = open ? undefined : struct;
  for (const name of Object.keys(value)) {
    path.push(`f:${name}`);
    const known = !closed || closed.fields.has(name) || (closed.embedded && embeddedFields.has(name));
    if (known) check(value[name] as Json, memberStructure(structure, name), path, below);
    else looking.faults.push(`${spellPath(path)}: field not declared in schema`);
    path.pop();
  }
}

const sortOf = (value: Json) => (Array.isArray(value) ? 'list' : typeof value === 'object' ? 'map' : typeof value);

function scalarFault(value: Json, { scalar }: ScalarType): string | undefined {
  const sort = sortOf(value);
  if (scalar === 'string' || scalar === 'bytes') return sort === 'string' ? undefined : `expected string, got ${sort}`;
  if (scalar === 'boolean') return sort === 'boolean' ? undefined : `expected boolean, got ${sort}`;
  if (scalar === 'int32' || scalar === 'int64' || scalar === 'double') {
    return sort === 'number' || sort === 'bigint' ? undefined : `expected numeric (int or float), got ${sort}`;
  }
  // Quantities, times and the like may be anything here; what they are not is told when the result is read.
  return undefined;
}

function checkList(value: readonly Json[], structure: ListType, path: string[], looking: Looking): void {
  const merged = structure.listType !== 'atomic';
  const fault = (why: string) => looking.faults.push(`${spellPath(path)}: ${why}`);
  let keyed = true;
  value.forEach((element, position) => {
    let at = `i:${position}`;
    if (merged) {
      try {
        at = listElement(structure, element);
      } catch (error) {
        if (!(error instanceof UntypedValue)) throw error;
        keyed = false;
        fault(`element ${position}: ${error.message}`);
        return;
      }
    }
    path.push(at);
    check(element, structure.items, path, looking);
    path.pop();
  });
  if (!merged || !keyed) return;
  try {
    indexList(structure, value as Json[]);
  } catch (error) {
    if (!(error instanceof UntypedValue)) throw error;
    fault(error.message);
  }
}
