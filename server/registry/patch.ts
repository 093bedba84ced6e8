import { invalidValue } from '../base/field-error.ts';
import { isJsonObject } from '../base/json-value.ts';
import type { Json, KubeObject } from '../base/kube-object.ts';
import { badRequest, invalid, notFound, StatusError } from '../base/status-error.ts';
import { known, type Work } from '../base/turns/work.ts';
import { checkStructure } from '../schema/check.ts';
import { unknownFieldMessage } from '../schema/decoded.ts';
import { decodeJsonInTurns } from '../schema/json.ts';
import { applyPatch } from './apply.ts';
import type { WriteCall, Written } from './call.ts';
import type { Proposal } from './draft.ts';
import { documentOf, type PatchDocument, standInOf } from './patch-document.ts';
import { checkPlace, nameMissing } from './place.ts';
import { checkVersion, checkVersionAlone } from './preconditions.ts';
import { badPatch, type PatchType, type ReadPatch, readPatch } from './read-patch.ts';
import { type ServedVersion, subjectOf } from './resource.ts';
import { heedFaults, keepNoEntries, named } from './typed.ts';
import { nameUnversioned } from './unversioned.ts';
import { write } from './write.ts';

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

/** In this order: the document is changed, read as one of its kind, judged, and put back into the object. */
function* patched(call: WriteCall, document: PatchDocument, read: ReadPatch, live: KubeObject): Work<Proposal> {
  const before = document.start(live);
  const changed = before as unknown as { [key: string]: Json };
  if (read.trial && !document.custom) typedResult(document, yield* read.trial(changed));
  const result = yield* read.change(changed);
  yield;
  const made = yield* readResult(call, document, read, result);
  judge(call, document, made, before);
  checkExpected(call, made.next, live);
  return { next: document.merge(live, made.next), emptied: made.emptied };
}

/** What a patch made of a document. */
interface Made {
  readonly next: KubeObject;
  /** The same, with the kind and version that it says of itself. */
  readonly value: { [key: string]: Json };
  readonly emptied: ReadonlySet<string>;
  /** What it says that is not known, or says twice. */
  readonly faults: readonly string[];
}

/** @throws 422 it is nothing of its kind */
function* readResult(call: WriteCall, document: PatchDocument, read: ReadPatch, result: Json): Work<Made> {
  if (document.custom) checkType(result);
  const strange = document.custom ? [] : nameType(document.served, result);
  const { value, unknown, emptied } = typedResult(document, result, read.wrapsNumbers);
  yield;
  const next = named(value, document.served);
  keepNoEntries(next, emptied);
  const problem = call.resource.rules.unreadable?.(next);
  if (problem) throw badPatch(problem);
  const faults = [...read.faults, ...[...strange, ...unknown.map(({ path }) => path)].map(unknownFieldMessage)];
  return { next, value, emptied, faults };
}

/** What is not known, another kind or version, another place. @throws 400, 422 */
function judge(call: WriteCall, document: PatchDocument, { next, value, faults }: Made, before: KubeObject): void {
  const same = sameIdentity(document.served, value);
  // What says that it is of another kind is not read as one of this kind.
  if (same) heedFaults(call, faults, call.options.fieldValidation, badPatch);
  if (document.custom) checkPlace(call, next, nameMissing);
  if (!same) refuseIdentity(call, document.served, value, before);
  checkPlace(call, next, nameMissing);
}

/** What says no kind is of the kind it was. In place. @returns the members that are not known where it says no version */
function nameType(served: ServedVersion, result: Json): readonly string[] {
  if (!isJsonObject(result)) return [];
  if ((result['apiVersion'] ?? '') === '') return nameUnversioned(result, served);
  if ((result['kind'] ?? '') === '') result['kind'] = served.kind;
  return [];
}

/** Another uid in an object itself is a change that is not allowed; in what stands for one it is another object. */
function checkExpected(call: WriteCall, next: KubeObject, live: KubeObject): void {
  if (standInOf(call) && next.metadata.uid) checkVersion(call, next, live);
  else checkVersionAlone(call, next, live);
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
