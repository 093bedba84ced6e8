import type { Json } from '../../base/kube-object.ts';
import { badRequest, type Status } from '../../base/status-error.ts';
import type { Call } from '../../registry/call.ts';
import { type Deleted, remove } from '../../registry/delete.ts';
import { removeCollection } from '../../registry/delete-collection.ts';
import { listRequest } from '../../registry/list-options.ts';
import { type DeleteOptions, deleteOptions } from '../../registry/options.ts';
import { typeNamedIn } from '../../registry/typed.ts';
import { checkStructure } from '../../schema/check.ts';
import { encodeJson } from '../../schema/encode.ts';
import { structureOfKind } from '../../schema/load.ts';
import type { StructType } from '../../schema/structure.ts';
import { answerObject, answerStatus } from '../answer/answer.ts';
import { answerList } from '../answer/list-answer.ts';
import type { Answer } from '../answer/respond.ts';
import { bodyMediaType, decodeBody, readBody } from '../body.ts';
import type { Exchange } from '../exchange.ts';
import { listParameters } from './read.ts';

/** DELETE of an item. */
export async function answerDelete(exchange: Exchange, call: Call): Promise<Answer> {
  const options = await readOptions(exchange, call);
  const deleted = await remove(call, options);
  if (deleted.gone && !call.resource.rules.deleteAnswersObject) {
    return answerStatus(exchange, 200, goneStatus(call, deleted));
  }
  // The old way to say Background told clients by 202 that something was left to do.
  const code = !deleted.gone && options.orphanDependents === false ? 202 : 200;
  return answerObject(exchange, call, code, deleted.object);
}

const goneStatus = ({ resource, name }: Call, { object }: Deleted): Status => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Success',
  details: {
    name,
    ...(resource.group && { group: resource.group }),
    kind: resource.plural,
    ...(object.metadata.uid && { uid: object.metadata.uid }),
  },
});

/** DELETE of a collection: answers the list of what was selected, as it was. */
export async function answerDeleteCollection(exchange: Exchange, call: Call): Promise<Answer> {
  exchange.query.integer('timeoutSeconds');
  const request = listRequest(call.resource, listParameters(exchange.query));
  const options = await readOptions(exchange, call);
  return answerList(exchange, call, await removeCollection(call, request, options));
}

/** A body, even an empty object, hides the parameters of the query. @throws 400, 413, 415, 422 */
async function readOptions(exchange: Exchange, call: Call): Promise<DeleteOptions> {
  const body = await readBody(exchange);
  const options = body.length > 0 ? await optionsInBody(exchange, body) : optionsInQuery(exchange);
  const { warning } = call.resource.rules.orphansDependents ?? {};
  if (warning && !options.propagationPolicy && options.orphanDependents === undefined) call.warn(warning);
  return options;
}

function optionsInQuery({ query }: Exchange): DeleteOptions {
  const grace = query.integer('gracePeriodSeconds');
  const policy = query.get('propagationPolicy');
  const version = query.text('resourceVersion');
  const orphanDependents = query.flag('orphanDependents');
  return deleteOptions({
    dryRun: query.all('dryRun').filter((value) => value !== ''),
    ...(grace !== undefined && { gracePeriodSeconds: grace }),
    ...(policy !== undefined && { propagationPolicy: policy }),
    ...(orphanDependents !== undefined && { orphanDependents }),
    ...(version && { preconditions: { resourceVersion: version } }),
  });
}

const deleteBody = { kind: 'DeleteOptions', apiVersion: 'v1' };

async function optionsInBody(exchange: Exchange, body: Buffer): Promise<DeleteOptions> {
  const decoded = await decodeBody(body, bodyMediaType(exchange.header('content-type')), deleteBody);
  checkKind(decoded.value);
  if (exchange.audit?.wantsRequest) exchange.requestDocument = { ...deleteBody, ...(decoded.value as object | null) };
  const structure = structureOfKind('', 'v1', 'DeleteOptions') as StructType;
  const { value } = checkStructure(decoded.value, structure, { oddNumbers: decoded.oddNumbers });
  // Types were checked against the structure just now.
  return deleteOptions(value as unknown as Parameters<typeof deleteOptions>[0]);
}

/** Any group and version will do, as long as it is DeleteOptions. */
function checkKind(value: Json): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    if (value === null) return;
    throw badRequest('the body of a delete must be DeleteOptions');
  }
  const { kind } = typeNamedIn(value);
  if (kind !== undefined && kind !== null && kind !== 'DeleteOptions') {
    throw badRequest(`the body of a delete must be DeleteOptions, not ${encodeJson(kind)}`);
  }
}
