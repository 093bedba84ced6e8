import { cloneJson } from '../../base/clone.ts';
import { isJsonObject } from '../../base/json-value.ts';
import type { Call, WriteCall } from '../../registry/call.ts';
import { bodyKind, operationOf, runOperation } from '../../registry/operation.ts';
import { answerObject } from '../answer/answer.ts';
import { type Answer, plainText } from '../answer/respond.ts';
import { bodyMediaType, decodeBody, readBody } from '../body.ts';
import type { Exchange } from '../exchange.ts';
import { forward } from '../forward/forward.ts';
import type { RequestServices } from '../services.ts';
import { optionsOf, plainOptions } from './write.ts';

/** A request that is an operation of its own: a review, an eviction, a token, a binding, a connection to a pod. */
export async function operate(exchange: Exchange, services: RequestServices, call: Call): Promise<Answer | 'sent'> {
  const operation = operationOf(call);
  const writes = !operation.connects && !operation.onlyReads;
  const writing: WriteCall = { ...call, options: writes ? optionsOf(exchange, call, 'CreateOptions') : plainOptions };
  const { query: parameters, rest, path } = exchange.info;
  const address = {
    query: (name: string) => parameters.get(name),
    queryAll: (name: string) => parameters.all(name),
    lacksSlash: rest.length === 0 && !path.endsWith('/'),
    beyond: beyondOperation(exchange),
  };
  const asked = operation.connects
    ? { connection: operation.connects(parameters, rest.join('/')) }
    : { body: operation.onlyReads ? undefined : await decodedBody(exchange, call) };
  const result = await runOperation(writing, operation, asked, address);
  if ('forward' in result) return forward(exchange, services.backends, result.forward);
  if ('addSlash' in result) return moved(exchange, result.code);
  if ('object' in result) return answerObject(exchange, call, result.code, result.object);
  return result.code === 204 ? { code: 204, contentType: '', body: '' } : plainText(result.code, result.text);
}

/** `/api/v1/namespaces/n/pods/p/proxy` are eight parts, `/api/v1/nodes/n/proxy` six; what is behind them is not ours. */
function beyondOperation({ info, incoming }: Exchange): string {
  const parts = info.path.split('/').slice(info.inNamespace ? 8 : 6);
  const query = (incoming.url ?? '').slice(info.path.length);
  return `/${parts.join('/')}${query}`;
}

/** To the same address with a slash at the end of its path. */
function moved({ info, incoming }: Exchange, code: number): Answer {
  const [, query] = (incoming.url ?? '').split(/\?(.*)/s);
  const location = query === undefined ? `${info.path}/` : `${info.path}/?${query}`;
  return { code, contentType: '', body: '', headers: { location } };
}

async function decodedBody(exchange: Exchange, call: Call) {
  const mediaType = bodyMediaType(exchange.header('content-type'));
  const decoded = await decodeBody(await readBody(exchange), mediaType, bodyKind(call));
  if (exchange.audit?.wantsRequest && isJsonObject(decoded.value)) exchange.requestDocument = cloneJson(decoded.value);
  return decoded;
}
