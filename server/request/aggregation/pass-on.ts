import { reachService } from '../../kinds/core/service/reach.ts';
import type { Destination } from '../../kinds/destination.ts';
import { type Answer, mereText, plainText } from '../answer/respond.ts';
import type { Exchange } from '../exchange.ts';
import { forward } from '../forward/forward.ts';
import type { RequestServices } from '../services.ts';
import type { AggregatedApi } from './aggregated-apis.ts';
import { remoteUser } from './remote-user.ts';

const unavailable = (): Answer => mereText(503, 'service unavailable\n');

/** Milliseconds in which a server is to say what it serves: clients ask every server for that before anything else. */
const discoveryWithin = 5000;

/** What is answered instead of the other server. */
class AnsweredHere extends Error {
  readonly answer: Answer;
  constructor(answer: Answer) {
    super('answered in the place of another server');
    this.answer = answer;
  }
}

const unreachable = (why: string) => new AnsweredHere(mereText(503, `error trying to reach service: ${why}\n`));

/** Who serves a group must not be able to send the clients of this server, and what they show of themselves, to others. */
const redirected = () => new AnsweredHere(plainText(502, 'the server of this group must not send clients elsewhere'));

/** Has the server that serves a group answer a request to it, which was let in here. */
export async function passOn(
  exchange: Exchange,
  { lookup, backends }: Pick<RequestServices, 'lookup' | 'backends'>,
  api: AggregatedApi,
): Promise<Answer | 'sent'> {
  if (!api.isAvailable) return unavailable();
  const { namespace, name, port } = api.service;
  const at = await reachService(lookup, backends.through)(namespace, name, port).catch(() => undefined);
  if (!at) return unavailable();
  const destination: Destination = {
    service: { at, tls: api.tls },
    path: exchange.incoming.url ?? '/',
    headers: { ...remoteUser(exchange.user), host: api.host, 'audit-id': exchange.auditId },
    unreachable,
    redirected,
    ...(isDiscovery(exchange.info.path) && { within: discoveryWithin }),
  };
  return forward(exchange, backends, destination).catch((error: unknown) => {
    if (error instanceof AnsweredHere) return error.answer;
    throw error;
  });
}

/** Whether a path leads to what a version of a group has: `/apis/GROUP/VERSION`. */
const isDiscovery = (path: string): boolean => path.split('/').filter(Boolean).length === 3;
