import { invalidValue } from '../base/field-error.ts';
import { type Json, type KubeObject, parseApiVersion } from '../base/kube-object.ts';
import { badRequest, invalid, StatusError } from '../base/status-error.ts';
import type { Work } from '../base/turns/work.ts';
import { fieldsOf, textOf } from '../base/untyped.ts';
import { checking } from '../schema/check.ts';
import type { Checked, CheckOptions } from '../schema/checked.ts';
import { type Decoded, type UnknownField, unknownFieldMessage } from '../schema/decoded.ts';
import type { Call } from './call.ts';
import type { FieldValidation } from './options.ts';
import type { PatchDocument } from './patch-document.ts';
import type { Resource, ServedVersion } from './resource.ts';

/** An object as its body says it is. */
export interface Typed {
  /** Belongs to the call. */
  readonly object: KubeObject;
  /** Where it had empty lists and maps (see `Checked`). */
  readonly emptied: ReadonlySet<string>;
}

/**
 * A request body as an object of the served version: kind and apiVersion must fit (those of a built-in kind may be
 * missing), types are checked, unknown and duplicate fields are dropped, warned of or refused. @throws 400
 */
export function* typedBody(
  call: Call,
  { served, custom }: Resource | PatchDocument,
  decoded: Decoded,
  { validation, inTurns }: { readonly validation: FieldValidation; readonly inTurns: boolean },
): Work<Typed> {
  const mode = custom ? 'prune' : 'typed';
  checkIdentity(served, decoded.value, Boolean(custom));
  const { oddNumbers } = decoded;
  const options = { mode, oddNumbers, inTurns } as const;
  const { value, unknown, emptied } = yield* read(served, decoded.value, options);
  if (unknown.length > 0 || decoded.duplicates.length > 0) {
    const faults = custom ? sortedFaults(decoded, unknown) : decoded.faults(unknown);
    judgeFaults(call, faults, validation, served.kind);
  }
  const object = named(value, served);
  const problem = call.subresource ? undefined : call.resource.rules.unreadable?.(object);
  if (problem) throw cannotBeRead(served, problem);
  if (emptied.size > 0) keepNoEntries(object, emptied);
  return { object, emptied };
}

/** As `checking`. Who sends many objects learns from a refusal which kind was not understood. */
function* read(served: ServedVersion, value: Json, options: CheckOptions): Work<Checked> {
  try {
    return yield* checking(value, served.structure, options);
  } catch (error) {
    const unreadable = error instanceof StatusError && error.status.reason === 'BadRequest' && value instanceof Object;
    throw unreadable ? cannotBeRead(served, error.message) : error;
  }
}

/** An empty list is dropped like any other, but of entries it says that there shall be none. In place. */
export function keepNoEntries({ metadata }: KubeObject, emptied: ReadonlySet<string>): void {
  if (emptied.has('metadata.managedFields')) metadata.managedFields = [];
}

const cannotBeRead = ({ kind, version }: { readonly kind: string; readonly version: string }, why: string) =>
  badRequest(`${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: ${why}`);

/** More faults than these are not told. */
const maximumWarnings = 100;

/** Custom resources report duplicates first, then unknown fields by path. */
const sortedFaults = ({ duplicates }: Decoded, unknown: readonly UnknownField[]) => [
  ...duplicates,
  ...unknown
    .map(({ path }) => path)
    .sort()
    .map(unknownFieldMessage),
];

/** @throws 400 when Strict and there are faults */
export function judgeFaults(call: Call, faults: readonly string[], validation: FieldValidation, kind: string): void {
  const { version } = call.resource.served;
  heedFaults(call, faults, validation, (why) => cannotBeRead({ kind, version }, why));
}

/** Faults are refused, told of or passed over. @throws what `refusal` makes of them, when Strict */
export function heedFaults(
  call: Pick<Call, 'warn'>,
  faults: readonly string[],
  validation: FieldValidation,
  refusal: (why: string) => Error,
): void {
  if (faults.length === 0 || validation === 'Ignore') return;
  if (validation === 'Strict') throw refusal(`strict decoding error: ${faults.join(', ')}`);
  for (const fault of faults.slice(0, maximumWarnings)) call.warn(fault);
}

/** What names the type of a body is read in any case of letters, the last of them; everything else in its own. */
export function typeNamedIn(value: { readonly [key: string]: Json }): { kind?: Json; apiVersion?: Json } {
  const named: { kind?: Json; apiVersion?: Json } = {};
  for (const key of Object.keys(value)) {
    const field = key.length === 4 ? 'kind' : key.length === 10 ? 'apiVersion' : undefined;
    if (field && key.toLowerCase() === field.toLowerCase()) named[field] = value[key] as Json;
  }
  return named;
}

interface ExpectedType {
  readonly kind: string;
  readonly apiVersion: string;
}

const unrecognized = ({ kind }: ExpectedType, why: string) =>
  badRequest(`the object provided is unrecognized (must be of type ${kind}): ${why}`);

/** The kind and version that a body names must be those of its path. @throws 400 */
export function checkIdentity(expected: ExpectedType, value: Json, custom = false): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    if (value === null && !custom) return;
    throw unrecognized(expected, 'the body must be an object');
  }
  const { kind, apiVersion } = custom ? value : typeNamedIn(value);
  if (kind === expected.kind && apiVersion === expected.apiVersion) return;
  for (const [field, text] of Object.entries({ kind, apiVersion })) {
    if (text !== undefined && text !== null && typeof text !== 'string')
      throw unrecognized(expected, `${field} must be a string`);
  }
  if (custom && !kind) throw unrecognized(expected, "Object 'Kind' is missing");
  if (custom && kind !== expected.kind && apiVersion === expected.apiVersion) throw otherKind(expected, value);
  // Only a built-in kind can be told without its version.
  const otherVersion = apiVersion !== expected.apiVersion && (custom || apiVersion);
  if ((kind && kind !== expected.kind) || otherVersion) {
    throw badRequest(
      `the API version in the data (${apiVersion || (custom ? '' : expected.apiVersion)}, Kind=${kind || expected.kind}) does not match the expected API version (${expected.apiVersion}, Kind=${expected.kind})`,
    );
  }
}

/** A custom object of another kind of the version is one of its own kind that is wrong. */
function otherKind(expected: ExpectedType, { kind, metadata }: { readonly [key: string]: Json }): StatusError {
  const { group } = parseApiVersion(expected.apiVersion);
  return invalid({ group, resource: String(kind) }, textOf(fieldsOf(metadata)['name']), [
    invalidValue('kind', kind, `must be ${expected.kind}`),
  ]);
}

/** With kind, apiVersion and metadata in their places. */
export function named(
  value: { [key: string]: Json },
  { kind, apiVersion }: { readonly kind: string; readonly apiVersion: string },
): KubeObject {
  const metadata = (value['metadata'] ?? {}) as KubeObject['metadata'];
  const object: KubeObject = { kind, apiVersion, metadata, ...value };
  // What was sent there keeps these places, but nothing else of them.
  object.kind = kind;
  object.apiVersion = apiVersion;
  object.metadata = metadata;
  return object;
}
