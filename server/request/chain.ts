import {
  badRequest,
  insufficientStorage,
  internalError,
  isNotAcceptable,
  requestTimeout,
  StatusError,
  tooManyRequests,
} from '../base/status-error.ts';
import { OverloadedError, StorageError, UnavailableError, UnreadableError } from '../store/store.ts';
import { authenticate, authorize, impersonating, wellFormed } from './access.ts';
import { encodeObject } from './answer/encode.ts';
import { type Answer, respond } from './answer/respond.ts';
import { dispatch } from './dispatch.ts';
import { type Entrance, Exchange } from './exchange.ts';
import { takeTurn } from './flow-control/take-turn.ts';
import type { RequestListener } from './http/request-listener.ts';
import { typeOfErrors } from './negotiate.ts';
import type { RecentRequests } from './recent-requests.ts';
import type { RequestServices } from './services.ts';
import type { Stage } from './stage.ts';

/** The order of things. Identification comes before them, when the exchange is made. */
const stages: readonly Stage[] = [wellFormed, authenticate, impersonating, takeTurn, authorize, dispatch];

/** What answers all that arrives at an entrance. @param recent remembers requests; missing: nobody does */
export const answering =
  (services: RequestServices, entrance: Entrance, recent?: RecentRequests): RequestListener =>
  (incoming, outgoing, upgrade) => {
    const exchange = new Exchange(incoming, outgoing, services.clock.now(), upgrade);
    exchange.entrance = entrance;
    recent?.begin(exchange, services.clock);
    void handle(exchange, services);
  };

/** Runs a request through the stages and sends what comes out. Never throws. */
async function handle(exchange: Exchange, services: RequestServices): Promise<void> {
  const { open, metrics, auditor } = services;
  open.add(exchange);
  exchange.ending.whenOver(() => {
    open.delete(exchange);
    metrics.finished(exchange);
    if (auditor) completeAudit(exchange);
  });
  try {
    for (const stage of stages) {
      const answered = stage(exchange, services);
      const answer = answered instanceof Promise ? await answered : answered;
      if (!answer) continue;
      if (answer === 'sent') return;
      const sending = respond(exchange, answer);
      if (sending) await sending;
      exchange.isAnswered = true;
      return;
    }
    throw badRequest('no stage answered the request');
  } catch (error) {
    await sendError(exchange, error, services);
  } finally {
    exchange.leaveGate();
  }
}

async function sendError(exchange: Exchange, error: unknown, services: RequestServices): Promise<void> {
  try {
    await respond(exchange, await errorAnswer(exchange, error, services));
  } catch (failure) {
    services.log.error('an error could not be answered', failure);
    exchange.outgoing.destroy();
  }
}

function completeAudit({
  audit,
  outgoing,
  user,
  impersonator,
  annotations,
  requestObject,
  requestDocument,
  responseObject,
  failure,
}: Exchange): void {
  audit?.end({
    ...(impersonator && { impersonatedUser: user }),
    annotations,
    code: outgoing.statusCode,
    ...(failure && { status: failure }),
    ...(requestObject && { requestObject }),
    ...(requestDocument && { requestDocument }),
    ...(responseObject && { responseObject }),
  });
}

/** What the store says of itself, as clients are told it. */
function storageFailure(error: unknown): StatusError | undefined {
  if (error instanceof StorageError) return insufficientStorage(error.message);
  if (error instanceof OverloadedError) return tooManyRequests(error.message, 1);
  if (error instanceof UnavailableError) return requestTimeout(error.message);
  if (error instanceof UnreadableError) return internalError(error.message);
  return undefined;
}

/** Any error as a Status in a form that the client reads. What nobody knows is a defect of ours: 500. */
async function errorAnswer(exchange: Exchange, error: unknown, services: RequestServices): Promise<Answer> {
  const known = error instanceof StatusError ? error : storageFailure(error);
  if (!known) services.log.error(`${exchange.info.method} ${exchange.info.path.slice(0, 1000)}`, error);
  const { status, headers } = known ?? internalError('the request could not be carried out');
  exchange.failure = status;
  const type = typeOfErrors(exchange.header('accept'));
  const pretty = isNotAcceptable(error) || exchange.isPretty;
  const body = await encodeObject(status, type, pretty);
  return { code: status.code, contentType: type, body, headers };
}
