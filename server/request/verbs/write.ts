import { cloneJson } from '../../base/clone.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { badRequest, notAcceptable, unsupportedMediaType } from '../../base/status-error.ts';
import { checkPatchManager } from '../../patch/apply/field-manager.ts';
import type { Call } from '../../registry/call.ts';
import { type WriteOptions, writeOptions } from '../../registry/options.ts';
import { type PatchType, patch, patchTypes } from '../../registry/patch.ts';
import { replace } from '../../registry/replace.ts';
import { checkNamespace, typedBody } from '../../registry/typed.ts';
import { create } from '../../registry/write.ts';
import { answerWritten } from '../answer.ts';
import { readBody } from '../body.ts';
import { bodyMediaType, decodeBody, mediaTypeOf } from '../decode.ts';
import type { Exchange } from '../exchange.ts';
import { everyMediaType, type MediaType } from '../negotiate.ts';
import { Query } from '../query.ts';
import type { Answer } from '../respond.ts';
import { checkName } from '../route.ts';

type OptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions';

/** What a request without any parameter asks for. */
const standard: WriteOptions = { dryRun: false, fieldManager: '', fieldValidation: 'Warn', force: false };

/** The write parameters of the query. @throws 422 */
export function optionsOf({ query }: Exchange, { services }: Call, kind: OptionsKind, apply = false): WriteOptions {
  const validates = services.features.enabled('ServerSideFieldValidation');
  if (query === Query.empty && validates && !apply) return standard;
  const fieldManager = query.text('fieldManager');
  return writeOptions({
    kind,
    dryRun: query.all('dryRun'),
    fieldManager,
    // Without the gate the parameter means nothing, and what is unknown goes without a word.
    fieldValidation: validates ? query.text('fieldValidation') : 'Ignore',
    // Other writes do not look at it.
    force: kind === 'PatchOptions' && query.has('force') ? query.flag('force') : undefined,
    apply,
    managerErrors: checkPatchManager(apply, fieldManager, undefined),
  });
}

async function decodedBody(exchange: Exchange, call: Call) {
  const mediaType = bodyMediaType(exchange.header('content-type'), bodyTypes(call));
  return decodeBody(await readBody(exchange), mediaType);
}

const bodyTypes = ({ resource }: Call): readonly MediaType[] =>
  resource.custom ? ['application/json', 'application/yaml'] : everyMediaType;

/** A copy for the audit trail, if it wants one: the object itself is changed on its way. */
const sentObject = ({ audit }: Exchange, sent: KubeObject): KubeObject | undefined => {
  if (audit?.wantsRequest) return cloneJson(sent);
  // The name of the object is told at every level.
  return audit && { kind: sent.kind, apiVersion: sent.apiVersion, metadata: { ...sent.metadata } };
};

/** POST to a collection. */
export async function answerCreate(exchange: Exchange, call: Call): Promise<Answer> {
  const options = optionsOf(exchange, call, 'CreateOptions');
  const sent = typedBody(call, await decodedBody(exchange, call), options.fieldValidation);
  exchange.requestObject = sentObject(exchange, sent);
  checkNamespace(call, sent.metadata.namespace);
  const written = await create({ ...call, options }, sent);
  return answerWritten(exchange, call, written);
}

/** PUT of an item or subresource. */
export async function answerUpdate(exchange: Exchange, call: Call): Promise<Answer> {
  demandName(call);
  const options = optionsOf(exchange, call, 'UpdateOptions');
  const decoded = await decodedBody(exchange, call);
  const sent = typedBody(call, decoded, options.fieldValidation);
  exchange.requestObject = sentObject(exchange, sent);
  const written = await replace({ ...call, options }, sent);
  return answerWritten(exchange, call, written);
}

/** @throws 400 */
function demandName({ name }: Call): void {
  if (!name) throw badRequest('name must be provided');
}

/** Whether a body was announced. */
const hasBody = (exchange: Exchange) =>
  Number(exchange.header('content-length') ?? 0) > 0 || exchange.header('transfer-encoding') !== undefined;

/** PATCH of an item or subresource, in any of the patch types. */
export async function answerPatch(exchange: Exchange, call: Call): Promise<Answer> {
  const type = mediaTypeOf(exchange.header('content-type')) as PatchType;
  const accepted = patchTypes(call.resource);
  if (!call.resource.custom && !accepted.includes(type) && !hasBody(exchange)) throw notAcceptable([]);
  if (!accepted.includes(type)) throw unsupportedMediaType(accepted, call.resource.custom ? undefined : {});
  demandName(call);
  if (!call.subresource) checkName(exchange.info);
  const options = optionsOf(exchange, call, 'PatchOptions', type === 'application/apply-patch+yaml');
  const written = await patch({ ...call, options }, type, await readBody(exchange));
  return answerWritten(exchange, call, written);
}
