import type { Call, WriteCall } from '../../registry/call.ts';
import { operationOf, runOperation } from '../../registry/operation.ts';
import { answerObject } from '../answer.ts';
import { readBody } from '../body.ts';
import { bodyMediaType, decodeBody } from '../decode.ts';
import type { Exchange } from '../exchange.ts';
import { type Answer, plainText } from '../respond.ts';
import { optionsOf } from './write.ts';

/** A request that is an operation of its own: a review, an eviction, a token, a binding, a connection to a pod. */
export async function operate(exchange: Exchange, call: Call): Promise<Answer> {
  const writing: WriteCall = { ...call, options: optionsOf(exchange, call, 'CreateOptions') };
  const query = (name: string) => exchange.info.query.get(name);
  const { query: parameters, rest } = exchange.info;
  const operation = operationOf(call);
  const asked = operation.connects
    ? { connection: operation.connects(parameters, rest.join('/')) }
    : { body: operation.onlyReads ? undefined : await decodedBody(exchange) };
  const result = await runOperation(writing, operation, asked, query);
  return 'text' in result
    ? plainText(result.code, result.text)
    : answerObject(exchange, call, result.code, result.object);
}

async function decodedBody(exchange: Exchange) {
  const mediaType = bodyMediaType(exchange.header('content-type'));
  return decodeBody(await readBody(exchange), mediaType);
}
