import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { spokenProtocols } from '../../authn/web-socket-token.ts';
import type { Exchange } from '../exchange.ts';

/** About one connection, not about the request (RFC 9110, 7.6.1). */
const ofConnection: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
]);

/** Of a WebSocket; a token may be among what it says. */
const protocolHeader = 'sec-websocket-protocol';

/** Who the client is, is between it and this server. */
const isCredential = (name: string) =>
  name === 'authorization' || name === protocolHeader || name.startsWith('impersonate-');

/** The client's headers as they are passed on. */
export function passedOn({ incoming, info }: Exchange): OutgoingHttpHeaders {
  const given = Object.entries(incoming.headers).filter(
    ([name]) => !name.startsWith(':') && !ofConnection.has(name) && !isCredential(name),
  );
  const protocols = spokenProtocols([incoming.headers[protocolHeader] ?? '']);
  return {
    ...Object.fromEntries(given),
    ...(protocols.length > 0 && { [protocolHeader]: protocols.join(', ') }),
    'x-forwarded-for': incoming.socket?.remoteAddress ?? '',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': String(incoming.headers[':authority'] ?? incoming.headers.host ?? ''),
    'x-forwarded-uri': info.path,
  };
}

/** The headers of an answer as they are passed back. @param prefix where the client sees the root of who answered */
export function passedBack(headers: IncomingHttpHeaders, prefix: string): OutgoingHttpHeaders {
  const given = Object.entries(headers).filter(([name]) => !ofConnection.has(name));
  const { location } = headers;
  const isOwn = location?.startsWith('/') && !location.startsWith('//');
  return { ...Object.fromEntries(given), ...(isOwn && { location: prefix + location }) };
}

/** Of a request that becomes another kind of connection. */
export const upgrading = ({ incoming }: Exchange): OutgoingHttpHeaders => ({
  connection: 'Upgrade',
  upgrade: incoming.headers.upgrade ?? '',
});
