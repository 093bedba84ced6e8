import { badRequest } from '../../base/status-error.ts';
import type { Call } from '../../registry/call.ts';
import { list } from '../../registry/list.ts';
import { listRequest } from '../../registry/list-options.ts';
import { standInOf } from '../../registry/patch-document.ts';
import { get } from '../../registry/read.ts';
import { subjectOf } from '../../registry/resource.ts';
import { answerObject, answerStored } from '../answer/answer.ts';
import { answerList as encodeList } from '../answer/list-answer.ts';
import type { Answer } from '../answer/respond.ts';
import type { Exchange } from '../exchange.ts';
import type { Query } from '../query.ts';

/** GET of an item or of a subresource that shows the whole object. */
export async function answerGet(exchange: Exchange, call: Call): Promise<Answer> {
  if (exchange.query.flag('export'))
    throw badRequest('the export parameter, deprecated since v1.14, is no longer supported');
  const standIn = standInOf(call);
  const subject = subjectOf(call.resource);
  const missing = standIn?.missing?.(subject) ?? subject;
  // What stands for an object is always of its newest version.
  const stored = await get(call, standIn ? undefined : exchange.query.text('resourceVersion'), missing);
  if (standIn) return answerObject(exchange, call, 200, standIn.read(stored.value));
  return answerStored(exchange, call, 200, stored);
}

/** GET of a collection. */
export async function answerList(exchange: Exchange, call: Call): Promise<Answer> {
  exchange.query.integer('timeoutSeconds');
  const page = await list(call, listRequest(call.resource, listParameters(exchange.query)));
  return encodeList(exchange, call, page);
}

export const listParameters = (query: Query) => ({
  limit: query.integer('limit'),
  continue: query.text('continue'),
  labelSelector: query.text('labelSelector'),
  fieldSelector: query.text('fieldSelector'),
  resourceVersion: query.text('resourceVersion'),
  resourceVersionMatch: query.text('resourceVersionMatch'),
});
