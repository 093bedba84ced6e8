import type { Call } from '../../registry/call.ts';
import { list } from '../../registry/list.ts';
import { listRequest } from '../../registry/list-options.ts';
import { get } from '../../registry/read.ts';
import { scaleOf } from '../../registry/scale.ts';
import { answerObject, answerStored, answerList as encodeList } from '../answer.ts';
import type { Exchange } from '../exchange.ts';
import type { Query } from '../query.ts';
import type { Answer } from '../respond.ts';

/** GET of an item or of a subresource that shows the whole object. */
export async function answerGet(exchange: Exchange, call: Call): Promise<Answer> {
  const stored = await get(call, exchange.query.text('resourceVersion'), nameOfSubject(call));
  if (call.subresource === 'scale') return answerObject(exchange, call, 200, scaleOf(call.resource, stored.value));
  return answerStored(exchange, call, 200, stored);
}

/** A scale that is not there is missing itself, in the words of clients that scale built-in kinds. */
const nameOfSubject = ({ resource, subresource }: Call) =>
  subresource === 'scale' && !resource.custom ? `${resource.plural}/scale` : resource.plural;

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
