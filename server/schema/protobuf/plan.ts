import { perKey } from '../../base/caches/memo.ts';
import type { ProtobufField } from '../load.ts';
import { definitionOfKind, protobufMessages, protobufNameOf, structureOf } from '../load.ts';

/** How a value is spelt on the wire; messages that are not plain structs in JSON have a form of their own. */
export type Form =
  | 'string'
  | 'bool'
  | 'int32'
  | 'int64'
  | 'double'
  | 'bytes'
  | 'time'
  | 'microTime'
  | 'quantity'
  | 'intOrString'
  | 'rawObject'
  | 'rawJson'
  | 'fieldSet'
  | 'items'
  | 'schemaOrArray'
  | 'schemaOrBool'
  | 'schemaOrStrings'
  | 'message';

export interface FieldPlan {
  /** The name in JSON; empty when the members of the message stand directly in the outer object. */
  readonly name: string;
  readonly number: number;
  readonly form: Form;
  readonly repeated: boolean;
  /** The value of a map; the key is always text. */
  readonly map: boolean;
  /** Of forms that contain a message. */
  message(): MessagePlan;
}

export interface MessagePlan {
  readonly name: string;
  readonly fields: readonly FieldPlan[];
  readonly byNumber: ReadonlyMap<number, FieldPlan>;
}

const meta = 'k8s.io.apimachinery.pkg.apis.meta.v1.';
const extensions = 'k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1.';

const forms: Readonly<Record<string, Form>> = {
  string: 'string',
  bool: 'bool',
  int32: 'int32',
  int64: 'int64',
  double: 'double',
  bytes: 'bytes',
  [`${meta}Time`]: 'time',
  [`${meta}MicroTime`]: 'microTime',
  [`${meta}FieldsV1`]: 'fieldSet',
  [`${meta}Verbs`]: 'items',
  'k8s.io.apimachinery.pkg.api.resource.Quantity': 'quantity',
  'k8s.io.apimachinery.pkg.util.intstr.IntOrString': 'intOrString',
  'k8s.io.apimachinery.pkg.runtime.RawExtension': 'rawObject',
  [`${extensions}JSON`]: 'rawJson',
  [`${extensions}JSONSchemaPropsOrArray`]: 'schemaOrArray',
  [`${extensions}JSONSchemaPropsOrBool`]: 'schemaOrBool',
  [`${extensions}JSONSchemaPropsOrStringArray`]: 'schemaOrStrings',
};

const schemaMessage = `${extensions}JSONSchemaProps`;

/** The plan of a message by its full name. Made at first use. @throws Error for a name that does not exist */
export const planOf = perKey((name: string): MessagePlan => {
  const imported = protobufMessages().get(name);
  if (!imported) throw new Error(`there is no message ${name}`);
  const known = jsonNames(name);
  const fields = imported.map((field) => planField(field, known));
  return { name, fields, byNumber: new Map(fields.map((field) => [field.number, field])) };
});

function planField(field: ProtobufField, known: ReadonlySet<string> | undefined): FieldPlan {
  const [, valueType] = /^map<string,\s*(.+)>$/.exec(field.type) ?? [];
  const type = valueType ?? field.type;
  const form = forms[type] ?? (type.endsWith('.ExtraValue') ? 'items' : 'message');
  return {
    name: jsonName(field.name, known, form),
    number: field.number,
    form,
    repeated: field.repeated,
    map: valueType !== undefined,
    message: () => planOf(form.startsWith('schemaOr') ? schemaMessage : type),
  };
}

/** The members of the definition that a message stands for; undefined for messages without one. */
function jsonNames(message: string): ReadonlySet<string> | undefined {
  const structure = structureOf(
    message.replace(/^k8s\.io\./, 'io.k8s.').replace('apiextensions_apiserver', 'apiextensions-apiserver'),
  );
  return structure?.type === 'struct' ? new Set(structure.fields.keys()) : undefined;
}

/** Names on the wire differ a little from those in JSON; a message that has no name there is embedded. */
function jsonName(name: string, known: ReadonlySet<string> | undefined, form: Form): string {
  const lower = name.charAt(0).toLowerCase() + name.slice(1);
  if (!known) return known === undefined && embedded.has(name) ? '' : lower;
  const dashed = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  for (const candidate of [name, lower, dashed, `$${name}`]) if (known.has(candidate)) return candidate;
  for (const candidate of known) if (candidate.toLowerCase() === name.toLowerCase()) return candidate;
  return form === 'message' ? '' : lower;
}

/** Embedded messages of messages that no definition describes. */
const embedded: ReadonlySet<string> = new Set(['ephemeralContainerCommon', 'rule']);

/**
 * The message of a kind: built-in ones, the common ones of `meta.k8s.io`, and those in versions that are stored but not
 * served. Undefined for kinds without one.
 */
export function planOfKind(group: string, version: string, kind: string): MessagePlan | undefined {
  const definition = definitionOfKind(group, version, kind);
  const unserved = `k8s.io.api.${group ? group.split('.', 1)[0] : 'core'}.${version}.${kind}`;
  const names = definition ? [protobufNameOf(definition)] : [`${meta}${kind}`, unserved];
  const name = names.find((each) => protobufMessages().has(each));
  return name === undefined ? undefined : planOf(name);
}
