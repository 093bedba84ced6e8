import { cloneJson } from '../../base/clone.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { notAcceptable, unsupportedMediaType } from '../../base/status-error.ts';
import { carryOut, known, longBytes, type Work } from '../../base/turns/work.ts';
import { checkPatchManager } from '../../patch/apply/field-manager.ts';
import type { Call } from '../../registry/call.ts';
import { create } from '../../registry/create.ts';
import { type WriteOptions, writeOptions } from '../../registry/options.ts';
import { patch } from '../../registry/patch.ts';
import { documentOf } from '../../registry/patch-document.ts';
import { checkNamespace, nameMissing } from '../../registry/place.ts';
import { customPatchTypes, type PatchType, patchTypes } from '../../registry/read-patch.ts';
import { replace } from '../../registry/replace.ts';
import { type Typed, typedBody } from '../../registry/typed.ts';
import type { Decoded } from '../../schema/decoded.ts';
import { answerWritten } from '../answer/answer.ts';
import type { Answer } from '../answer/respond.ts';
import type { AuditTrail } from '../audit/audit.ts';
import { bodyMediaType, decodeBody, mediaTypeOf, readBody } from '../body.ts';
import type { Exchange } from '../exchange.ts';
import { everyMediaType, type MediaType } from '../negotiate.ts';
import { Query } from '../query.ts';

type OptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions';

/** What a request without any parameter asks for. */
const standard = {
  Warn: { dryRun: false, fieldManager: '', fieldValidation: 'Warn', force: false },
  Ignore: { dryRun: false, fieldManager: '', fieldValidation: 'Ignore', force: false },
} as const;

/** For what is no write, and so has no such parameters. */
export const plainOptions: WriteOptions = standard.Warn;

/** The write parameters of the query. @throws 422 */
export function optionsOf({ info }: Exchange, { services }: Call, kind: OptionsKind, apply = false): WriteOptions {
  const { query } = info;
  const { fieldValidation } = services;
  if (query === Query.empty && !apply) return standard[fieldValidation];
  const fieldManager = query.text('fieldManager');
  return writeOptions({
    kind,
    dryRun: query.all('dryRun'),
    fieldManager,
    // Without the gate the parameter means nothing, and what is unknown goes without a word.
    fieldValidation: fieldValidation === 'Warn' ? query.text('fieldValidation') : 'Ignore',
    // Other writes do not look at it.
    force: kind === 'PatchOptions' ? query.flag('force') : undefined,
    apply,
    managerErrors: checkPatchManager(apply, fieldManager, undefined),
  });
}

interface Sent extends Typed {
  readonly sentBytes: number | undefined;
}

const customTypes: readonly MediaType[] = ['application/json', 'application/yaml'];

/** The object that a body holds, in the version of the request. @throws 400, 413, 415 */
function* sentObject(exchange: Exchange, call: Call, { fieldValidation: validation }: WriteOptions): Work<Sent> {
  const types = call.resource.custom ? customTypes : everyMediaType;
  const mediaType = bodyMediaType(exchange.header('content-type'), types);
  // The object, or the document that stands for it.
  const said = call.subresource ? documentOf(call) : call.resource;
  const body = yield* known(readBody(exchange));
  const read = decodeBody(body, mediaType, said.served);
  const decoded = read instanceof Promise ? ((yield read) as Decoded) : read;
  const inTurns = body.length > longBytes;
  if (inTurns) yield;
  const { object, emptied } = yield* typedBody(call, said, decoded, { validation, inTurns });
  if (inTurns) yield;
  if (exchange.audit) exchange.requestObject = forAudit(object, exchange.audit);
  // Aliases in YAML say something again and again.
  return { object, emptied, sentBytes: mediaType === 'application/yaml' ? undefined : body.length };
}

/** A copy for the audit trail: the object itself is changed on its way. Its name is told at every level. */
const forAudit = (sent: KubeObject, { wantsRequest }: AuditTrail): KubeObject =>
  wantsRequest ? cloneJson(sent) : { kind: sent.kind, apiVersion: sent.apiVersion, metadata: { ...sent.metadata } };

/** POST to a collection. */
export async function answerCreate(exchange: Exchange, call: Call): Promise<Answer> {
  const options = optionsOf(exchange, call, 'CreateOptions');
  const { object, emptied, sentBytes } = await carryOut(sentObject(exchange, call, options));
  checkNamespace(call, object.metadata.namespace);
  const written = await create({ ...call, options, sentBytes }, object, emptied);
  return answerWritten(exchange, call, written);
}

/** PUT of an item or subresource. */
export async function answerUpdate(exchange: Exchange, call: Call): Promise<Answer> {
  if (!call.name) throw nameMissing();
  const options = optionsOf(exchange, call, 'UpdateOptions');
  const { object, emptied, sentBytes } = await carryOut(sentObject(exchange, call, options));
  const written = await replace({ ...call, options, sentBytes }, object, emptied);
  return answerWritten(exchange, call, written);
}

/** @throws 406, 415 */
export function patchTypeOf(exchange: Exchange, { custom }: Call['resource']): PatchType {
  const type = mediaTypeOf(exchange.header('content-type')) as PatchType;
  const accepted = custom ? customPatchTypes : patchTypes;
  if (accepted.includes(type)) return type;
  if (!custom && !hasBody(exchange)) throw notAcceptable([]);
  throw unsupportedMediaType(accepted, custom ? undefined : {});
}

/** Whether a body was announced. */
const hasBody = (exchange: Exchange) =>
  Number(exchange.header('content-length') ?? 0) > 0 || exchange.header('transfer-encoding') !== undefined;

/** What a patch says, for the audit trail; undefined where it says nothing that can be read, and so will be refused. */
async function patchIn(body: Buffer, isApply: boolean, { resource }: Call): Promise<object | undefined> {
  try {
    const { value } = await decodeBody(body, isApply ? 'application/yaml' : 'application/json', resource.served);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** PATCH of an item or subresource, in any of the patch types. */
export async function answerPatch(exchange: Exchange, call: Call): Promise<Answer> {
  const type = patchTypeOf(exchange, call.resource);
  if (!call.name) throw nameMissing();
  const isApply = type === 'application/apply-patch+yaml';
  const options = optionsOf(exchange, call, 'PatchOptions', isApply);
  const body = await readBody(exchange);
  if (exchange.audit?.wantsRequest) exchange.requestDocument = await patchIn(body, isApply, call);
  // Where no part of it can become part of the object many times, as by copies, and by aliases in YAML.
  const saysAllOnce = isApply ? !body.includes('*') : type !== 'application/json-patch+json';
  const sentBytes = saysAllOnce ? body.length : undefined;
  const written = await patch({ ...call, options, sentBytes }, type, body);
  return answerWritten(exchange, call, written);
}
