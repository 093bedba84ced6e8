import { serviceUnavailable } from '../../base/status-error.ts';
import { reachService } from '../../kinds/core/service/reach.ts';
import type { Exchange } from '../exchange.ts';
import { forward } from '../forward/forward.ts';
import { type Answer, mereText } from '../respond.ts';
import type { RequestServices } from '../services.ts';
import type { AggregatedApi } from './aggregated-apis.ts';
import { remoteUser } from './remote-user.ts';

const unavailable = (): Answer => mereText(503, 'service unavailable\n');

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
  return forward(exchange, backends, {
    service: { at, tls: api.tls },
    path: exchange.incoming.url ?? '/',
    headers: { ...remoteUser(exchange.user), host: api.host },
    unreachable: (why) => serviceUnavailable(`error trying to reach service: ${why}`),
  });
}
