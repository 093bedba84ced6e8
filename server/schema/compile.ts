import type { Json } from '../base/kube-object.ts';
import type { Definition } from './definition.ts';
import { keepsEmpty } from './pointers.ts';
import { zeroScalars } from './scalars.ts';
import type { EmptyRule, Field, ListType, PatchMarkers, Scalar, StructType, Structure } from './structure.ts';

const any: Structure = { type: 'any' };
const scalar = (name: Scalar): Structure => ({ type: 'scalar', scalar: name });

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1.';
const apiextensions = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.';

/** Definitions whose JSON form is not what their schema says. */
const special: ReadonlyMap<string, Structure> = new Map([
  ['io.k8s.apimachinery.pkg.api.resource.Quantity', scalar('quantity')],
  ['io.k8s.apimachinery.pkg.util.intstr.IntOrString', scalar('intOrString')],
  ['io.k8s.apimachinery.pkg.runtime.RawExtension', { type: 'any', atomic: true }],
  [`${meta}Time`, scalar('time')],
  [`${meta}MicroTime`, scalar('microTime')],
  [`${meta}FieldsV1`, any],
  [`${apiextensions}JSON`, any],
]);

/** Only what the core group defines is rounded: what a runtime class says of its overhead is as it was sent. */
const exactAmounts: ReadonlySet<string> = new Set(['io.k8s.api.node.v1.Overhead']);

/** Quantities by name are amounts of resources. */
const amounts = (owner: string, values: Structure): Structure =>
  values.type === 'scalar' && values.scalar === 'quantity' && !exactAmounts.has(owner) ? scalar('amount') : values;

const unions: ReadonlySet<string> = new Set(
  ['JSONSchemaPropsOrArray', 'JSONSchemaPropsOrBool', 'JSONSchemaPropsOrStringArray'].map(
    (name) => `${apiextensions}${name}`,
  ),
);

const scalarTypes: Readonly<Record<string, Scalar>> = {
  string: 'string',
  boolean: 'boolean',
  integer: 'int64',
  number: 'double',
  'string/byte': 'bytes',
  'integer/int32': 'int32',
};

function patchMarkersOf(property: Definition): PatchMarkers | undefined {
  const strategies = property['x-kubernetes-patch-strategy']?.split(',');
  if (!strategies) return undefined;
  const mergeKey = property['x-kubernetes-patch-merge-key'];
  return {
    merge: strategies.includes('merge'),
    retainKeys: strategies.includes('retainKeys'),
    ...(mergeKey !== undefined && { mergeKey }),
  };
}

/** An explicit list type wins; a list that patches merge is a map by its merge key, or a set without one. */
function listKindOf(property: Definition): Pick<ListType, 'listType' | 'keys'> {
  const listType = property['x-kubernetes-list-type'];
  if (listType === 'map') return { listType, keys: property['x-kubernetes-list-map-keys'] ?? [] };
  if (listType === 'set' || listType === 'atomic') return { listType, keys: [] };
  const markers = patchMarkersOf(property);
  if (!markers?.merge) return { listType: 'atomic', keys: [] };
  return markers.mergeKey ? { listType: 'map', keys: [markers.mergeKey] } : { listType: 'set', keys: [] };
}

const isZero = (value: unknown) =>
  value === '' ||
  value === 0 ||
  value === false ||
  (typeof value === 'object' && Object.keys(value ?? {}).length === 0);

/**
 * A zero default says that the field is a plain value that is always written. A list or map that is empty does not
 * survive being stored, but a few can be owned before that. What is required without a default, and a struct without one, is a pointer, and so are some
 * optional scalars.
 */
function emptyRuleOf(owner: string, name: string, property: Definition, type: Structure, required: boolean): EmptyRule {
  if (property.default !== undefined && isZero(property.default)) return 'written';
  if (type.type === 'list' || type.type === 'map') return keepsEmpty(owner, name) ? 'kept' : 'dropped';
  if (required && type.type === 'scalar' && type.scalar === 'intOrString') return 'written';
  if (required || type.type === 'struct' || type.type === 'any') return 'kept';
  if (type.type === 'scalar' && isPointerByType(type.scalar)) return 'kept';
  return keepsEmpty(owner, name) ? 'kept' : 'dropped';
}

const isPointerByType = (type: Scalar) =>
  type === 'time' || type === 'microTime' || type === 'quantity' || type === 'intOrString' || type === 'double';

/** Builds structures from definitions; each definition once. A definition may refer to itself. */
export class StructureCompiler {
  readonly #definitions: Readonly<Record<string, Definition>>;
  readonly #compiled = new Map<string, Structure>(special);

  constructor(definitions: Readonly<Record<string, Definition>>) {
    this.#definitions = definitions;
  }

  /** Undefined for an unknown name. */
  structureOf(name: string): Structure | undefined {
    const known = this.#compiled.get(name);
    if (known) return known;
    const definition = Object.hasOwn(this.#definitions, name) ? this.#definitions[name] : undefined;
    if (!definition) return undefined;
    if (unions.has(name)) return this.#union(name);
    return this.#struct(name, definition);
  }

  #union(name: string): Structure {
    const structure: Structure = {
      type: 'any',
      get inside() {
        return inside();
      },
      orBoolean: name.endsWith('OrBool'),
    };
    const inside = () => this.#reference(`${apiextensions}JSONSchemaProps`);
    this.#compiled.set(name, structure);
    return structure;
  }

  #struct(name: string, definition: Definition): StructType {
    const fields = new Map<string, Field>();
    const written = new Map<string, Json | undefined>();
    const structure: StructType = {
      type: 'struct',
      name,
      fields,
      required: definition.required ?? [],
      written,
      atomic: definition['x-kubernetes-map-type'] === 'atomic',
      preserveUnknown: false,
      embedded: false,
    };
    this.#compiled.set(name, structure);
    for (const [field, property] of Object.entries(definition.properties ?? {})) {
      const compiled = this.#field(name, field, property, structure.required.includes(field));
      fields.set(field, compiled);
      const { type, empty } = compiled;
      // What can be anything has no zero value.
      if (empty === 'written' && type.type !== 'any')
        written.set(field, type.type === 'scalar' ? zeroScalars[type.scalar] : undefined);
    }
    return structure;
  }

  #field(owner: string, name: string, property: Definition, required: boolean): Field {
    const type = this.#typeOf(owner, property);
    const patch = patchMarkersOf(property);
    return {
      type,
      empty: emptyRuleOf(owner, name, property, type, required),
      ...(patch && { patch }),
      ...(property.default !== undefined && !isZero(property.default) && { default: property.default }),
    };
  }

  #typeOf(owner: string, property: Definition): Structure {
    const mapType = property['x-kubernetes-map-type'];
    if (property.$ref) {
      const type = this.#reference(property.$ref);
      // The field may overrule how its struct is owned.
      return type.type === 'struct' && mapType ? { ...type, atomic: mapType === 'atomic' } : type;
    }
    if (property.type === 'array') {
      return { type: 'list', items: this.#typeOf(owner, property.items ?? {}), ...listKindOf(property) };
    }
    if (property.additionalProperties) {
      return {
        type: 'map',
        values: amounts(owner, this.#typeOf(owner, property.additionalProperties)),
        atomic: mapType === 'atomic',
      };
    }
    const form = property.format ? `${property.type}/${property.format}` : property.type;
    const named = scalarTypes[form ?? ''] ?? scalarTypes[property.type ?? ''];
    return named ? scalar(named) : any;
  }

  #reference(name: string): Structure {
    const type = this.structureOf(name);
    if (!type) throw new Error(`definition ${name} is missing`);
    return type;
  }
}
