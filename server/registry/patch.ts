import { invalidValue } from '../base/field-error.ts';
import { isJsonObject, isTextOrNone } from '../base/json-value.ts';
import type { Json, KubeObject } from '../base/kube-object.ts';
import { badRequest, invalid, notFound, StatusError } from '../base/status-error.ts';
import { known, type Work } from '../base/turns/work.ts';
import { applyJsonPatch, parseJsonPatch } from '../patch/json-patch.ts';
import { applyMergePatch } from '../patch/merge-patch.ts';
import { applyStrategicMerge } from '../patch/strategic-merge.ts';
import { checkStructure } from '../schema/check.ts';
import { type Decoded, unknownFieldMessage } from '../schema/decoded.ts';
import { decodeJsonInTurns } from '../schema/json.ts';
import { oddlyWritten } from '../schema/scalars.ts';
import { applyPatch } from './apply.ts';
import type { WriteCall, Written } from './call.ts';
import type { Proposal } from './draft.ts';
import { documentOf, type PatchDocument, standInOf } from './patch-document.ts';
import { checkVersion } from './replace.ts';
import { type ServedVersion, subjectOf } from './resource.ts';
import { checkNamespace, keepNoEntries, maximumWarnings, named } from './typed.ts';
import { nameUnversioned } from './unversioned.ts';
import { write } from './write.ts';
import { wordingPatches } from './write-answer.ts';

export type PatchType =
  | 'application/json-patch+json'
  | 'application/merge-patch+json'
  | 'application/strategic-merge-patch+json'
  | 'application/apply-patch+yaml';

/** The content types of PATCH. */
export const patchTypes: readonly PatchType[] = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
];
/** Custom resources have no strategic merge. */
export const customPatchTypes = patchTypes.filter((type) => type !== 'application/strategic-merge-patch+json');

/** Changes a document by a patch that was read once; called anew for each attempt. */
type Change = (document: { [key: string]: Json }) => Work<Json>;

interface ReadPatch {
  readonly change: Change;
  /** Faults of the patch itself: keys given twice, unknown members of JSON patch operations. */
  readonly faults: readonly string[];
  /** Numbers that do not fit their field are cut to size. */
  readonly wrapsNumbers?: boolean;
  /** The same change where each number that was written with a fraction or an exponent has a fraction. */
  readonly trial?: Change;
}

/**
 * PATCH of an object or subresource. @throws 400 malformed patch, 404 missing object, 409 stale version inside the
 * patch, 413, 422 failed operation or a result that does not fit
 */
export async function patch(call: WriteCall, type: PatchType, body: Buffer): Promise<Written> {
  if (type === 'application/apply-patch+yaml') {
    yaml ??= await import('../schema/yaml/yaml.ts');
    return applyPatch(call, await yaml.decodeYaml(body));
  }
  const document = documentOf(call);
  const written = await write(call, proposed, { type, body, document, read: undefined });
  return document.showWritten(written);
}

interface Sent {
  readonly type: PatchType;
  readonly body: Buffer;
  readonly document: PatchDocument;
  read: ReadPatch | undefined;
}

function* proposed(call: WriteCall, sent: Sent, live: KubeObject | undefined): Work<Proposal> {
  const { type, body, document } = sent;
  // What is not there is missing whatever is sent.
  if (!live) throw notFound(subjectOf(call.resource), call.name);
  sent.read ??= readPatch(type, yield* known(decodeJsonInTurns(body)), document.served);
  yield;
  const made = yield* patched(call, document, sent.read, live);
  return { ...made, emptiesBytes: type === 'application/strategic-merge-patch+json' };
}

/** Bodies of apply are YAML, which most servers never see. */
let yaml: typeof import('../schema/yaml/yaml.ts') | undefined;

function readPatch(type: PatchType, decoded: Decoded, { structure, kind, apiVersion }: ServedVersion): ReadPatch {
  if (type === 'application/strategic-merge-patch+json') {
    // What the patch says of kind and version is not looked at, as long as it is text.
    const change: Change = function* (document) {
      const merged = yield* applyStrategicMerge(document, decoded.value, structure);
      for (const name of ['kind', 'apiVersion'])
        if (!isTextOrNone(merged[name])) throw badPatch(`${name} must be text`);
      return { ...merged, kind, apiVersion };
    };
    return { change, faults: decoded.duplicates, wrapsNumbers: true };
  }
  const changeBy = type === 'application/json-patch+json' ? jsonChange : mergeChange;
  const odd = decoded.oddNumbers.size > 0;
  return {
    ...changeBy(decoded, decoded.value),
    ...(odd && { trial: changeBy(decoded, withFractions(decoded)).change }),
  };
}

const mergeChange = ({ duplicates }: Decoded, patch: Json): ReadPatch => ({
  // biome-ignore lint/correctness/useYield: it is done at a stretch.
  *change(document) {
    return applyMergePatch(document, patch);
  },
  faults: duplicates,
});

function jsonChange({ duplicates }: Decoded, patch: Json): ReadPatch {
  const { operations, faults } = wordingPatches(() => parseJsonPatch(patch));
  const told = duplicates.map((text) => text.replace('duplicate field', 'json patch duplicate field'));
  return { change: (document) => applyJsonPatch(document, operations), faults: [...told, ...faults] };
}

/** No integer has a fraction, while a number of any other sort may have one. What is compared stays. */
function withFractions({ value, oddNumbers }: Decoded): Json {
  const fraction = (item: Json) => (Number.isInteger(item) ? oddlyWritten : item);
  const copy = (part: Json): Json => {
    if (typeof part !== 'object' || part === null) return part;
    const odd = oddNumbers.get(part);
    if (Array.isArray(part))
      return part.map((item, position) => (odd?.has(String(position)) ? fraction(item) : copy(item)));
    if (part['op'] === 'test') return part;
    return Object.fromEntries(
      Object.entries(part).map(([key, item]) => [key, odd?.has(key) ? fraction(item) : copy(item)]),
    );
  };
  return copy(value);
}

function* patched(call: WriteCall, document: PatchDocument, read: ReadPatch, live: KubeObject): Work<Proposal> {
  const before = document.start(live);
  const changed = before as unknown as { [key: string]: Json };
  if (read.trial && !document.custom) typedResult(document, yield* read.trial(changed));
  const result = yield* read.change(changed);
  yield;
  if (document.custom) checkType(result);
  const strange = document.custom ? [] : nameType(document.served, result);
  const { value, unknown, emptied } = typedResult(document, result, read.wrapsNumbers);
  yield;
  const next = named(value, document.served);
  keepNoEntries(next, emptied);
  const problem = call.resource.rules.unreadable?.(next);
  if (problem) throw badPatch(problem);
  const faults = [...read.faults, ...[...strange, ...unknown.map(({ path }) => path)].map(unknownFieldMessage)];
  const same = sameIdentity(document.served, value);
  // What says that it is of another kind is not read as one of this kind.
  if (same) judge(call, faults);
  if (document.custom) checkPlace(call, next);
  if (!same) refuseIdentity(call, document.served, value, before);
  checkPlace(call, next);
  checkExpected(call, next, live);
  return { next: document.merge(live, next), emptied };
}

/** What says no kind is of the kind it was. In place. @returns the members that are not known where it says no version */
function nameType(served: ServedVersion, result: Json): readonly string[] {
  if (!isJsonObject(result)) return [];
  if ((result['apiVersion'] ?? '') === '') return nameUnversioned(result, served);
  if ((result['kind'] ?? '') === '') result['kind'] = served.kind;
  return [];
}

const nameMissing = () => badRequest('name must be provided');

/** Another uid in an object itself is a change that is not allowed; in what stands for one it is another object. */
function checkExpected(call: WriteCall, next: KubeObject, live: KubeObject): void {
  const { uid, ...metadata } = next.metadata;
  checkVersion(call, standInOf(call) && uid ? next : { ...next, metadata }, live);
}

/** What says no kind, or an apiVersion that cannot be one, is no custom object at all. @throws 422 */
function checkType(result: Json): void {
  const { apiVersion, kind } = (result ?? {}) as Partial<KubeObject>;
  if (typeof apiVersion === 'string' && apiVersion.split('/').length > 2)
    throw badPatch(`${JSON.stringify(apiVersion)} is no group and version`);
  if (!kind) throw badPatch('it says no kind');
}

/** The result must fit the structure. @throws 422 with a cause about the patch */
function typedResult({ served: { structure }, custom }: PatchDocument, result: Json, wrapsNumbers = false) {
  try {
    return checkStructure(result, structure, { mode: custom ? 'prune' : 'typed', wrapsNumbers });
  } catch (error) {
    if (error instanceof StatusError) throw badPatch(error.message);
    throw error;
  }
}

const badPatch = (why: string) => invalid({ group: '', resource: '' }, '', [invalidValue('patch', '', why)]);

const sameIdentity = ({ kind, apiVersion }: ServedVersion, value: { [key: string]: Json }) =>
  value['kind'] === kind && value['apiVersion'] === apiVersion;

function refuseIdentity(
  call: WriteCall,
  { kind }: ServedVersion,
  value: { [key: string]: Json },
  before: KubeObject,
): never {
  const changed = value['kind'] !== kind ? 'kind' : 'apiVersion';
  if (value[changed] === undefined) throw badRequest(`Object ${JSON.stringify(changed)} is missing`);
  const why = `the ${changed} may not be changed from ${JSON.stringify(before[changed])}`;
  if (!call.resource.custom) throw badPatch(why);
  throw invalid({ group: call.resource.group, resource: String(value['kind']) }, call.name, [
    invalidValue(changed, value[changed], why),
  ]);
}

function judge(call: WriteCall, faults: readonly string[]): void {
  if (faults.length === 0 || call.options.fieldValidation === 'Ignore') return;
  if (call.options.fieldValidation === 'Strict') throw badPatch(`strict decoding error: ${faults.join(', ')}`);
  for (const fault of faults.slice(0, maximumWarnings)) call.warn(fault);
}

/** A patch may not move the object. @throws 400 */
function checkPlace(call: WriteCall, { metadata }: KubeObject): void {
  const { name, namespace } = metadata;
  if (!name) throw nameMissing();
  if (name !== call.name) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${call.name})`);
  }
  checkNamespace(call, namespace);
}
