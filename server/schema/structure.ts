import type { Json } from '../base/kube-object.ts';

/**
 * The structure of a kind as the server uses it: built once at start from the imported definitions (built-in kinds)
 * or from a CustomResourceDefinition, then shared by decoding, field validation, strategic merge, server-side apply,
 * protobuf and OpenAPI. Types may refer to themselves (JSONSchemaProps does), so walk values, not types.
 */
export type Structure = StructType | MapType | ListType | ScalarType | AnyType;

export interface StructType {
  readonly type: 'struct';
  /** Name of the definition, for example `io.k8s.api.core.v1.PodSpec`; empty for inline structs of custom types. */
  readonly name: string;
  readonly fields: ReadonlyMap<string, Field>;
  readonly required: readonly string[];
  /**
   * The fields that are always there (`empty: 'written'`), each with its zero value, or undefined where that is made anew
   * for each object; only built-in kinds have them.
   */
  readonly written?: ReadonlyMap<string, Json | undefined>;
  /** Server-side apply owns it as one value. */
  readonly atomic: boolean;
  /** Fields that are not listed are kept (`x-kubernetes-preserve-unknown-fields`). */
  readonly preserveUnknown: boolean;
  /** Has apiVersion, kind and metadata of its own (`x-kubernetes-embedded-resource`). */
  readonly embedded: boolean;
  /** Metadata of which a schema says something: null is what it says, and not empty. */
  readonly described?: boolean;
}

export interface Field {
  readonly type: Structure;
  /** How a strategic merge patch treats the field; absent: replace lists, merge maps and structs. */
  readonly patch?: PatchMarkers;
  /** The documented default of a key field, such as `TCP`; never a zero value. */
  readonly default?: Json;
  /** What becomes of the field when it is empty; absent: it stays as it was sent. */
  readonly empty?: EmptyRule;
}

/**
 * How a field of a built-in kind is written when it is empty (`""`, 0, false, `[]`, `{}` of a map):
 * - `dropped`: it is left out (what was never sent and what was sent empty are the same);
 * - `kept`: sent empty and not sent differ, each stays as it is;
 * - `written`: it is always there; when absent, its zero value is filled in.
 */
export type EmptyRule = 'dropped' | 'kept' | 'written';

export interface PatchMarkers {
  /** Lists merge by `mergeKey`, or as a set of primitives when there is none. */
  readonly merge: boolean;
  readonly retainKeys: boolean;
  readonly mergeKey?: string;
}

export interface MapType {
  readonly type: 'map';
  readonly values: Structure;
  readonly atomic: boolean;
}

export interface ListType {
  readonly type: 'list';
  readonly items: Structure;
  /** How server-side apply merges it; `keys` only for `map`. */
  readonly listType: 'atomic' | 'set' | 'map';
  readonly keys: readonly string[];
}

export type Scalar =
  | 'string'
  | 'boolean'
  | 'int32'
  | 'int64'
  | 'double'
  /** base64 text in JSON */
  | 'bytes'
  | 'time'
  | 'microTime'
  /** a number or text such as `100Mi`; always text once decoded */
  | 'quantity'
  /** a quantity in a list of amounts by resource: nothing finer than a thousandth */
  | 'amount'
  | 'intOrString';

export interface ScalarType {
  readonly type: 'scalar';
  readonly scalar: Scalar;
  /** Must be one of these; only custom types have them. */
  readonly nullable?: boolean;
  /** Custom types: a text whose wrong type is found when the object is read, before anything is validated. */
  readonly refused?: boolean;
}

/** Free-form JSON (RawExtension, FieldsV1, JSON, preserved fields): anything is kept as sent. */
export interface AnyType {
  readonly type: 'any';
  /** An object here, or each object of a list here, is read by this structure; what it lacks is dropped silently. */
  readonly inside?: Structure;
  /** Only an object or a truth value may stand here. */
  readonly orBoolean?: boolean;
  /** Custom types: any value may stand here, but the members of an object inside are not known, so they go. */
  readonly unknownInside?: boolean;
  /** Server-side apply owns it as one value. */
  readonly atomic?: boolean;
}
