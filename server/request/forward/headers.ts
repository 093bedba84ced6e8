import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
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
  'http2-settings',
  'host',
]);

type Named = readonly [name: string, value: string | readonly string[] | undefined];

/** The headers that go beyond the connection: neither those of every one nor those that this one names as its own. */
function beyondConnection(headers: IncomingHttpHeaders): Named[] {
  const named = headers.connection?.toLowerCase().split(/[\s,]+/) ?? [];
  return Object.entries(headers).filter(([name]) => !ofConnection.has(name) && !named.includes(name));
}

/** Of a WebSocket; a token may be among what it says. */
const protocolHeader = 'sec-websocket-protocol';

/**
 * Who the client is, is between it and this server; and who it is said to be, is this server's to say: to some behind it
 * an underscore is a hyphen.
 */
const isCredential = (name: string) =>
  name === 'authorization' || name === protocolHeader || /^(?:impersonate|x[-_]remote)[-_]/.test(name);

/** The client's headers as they are passed on. */
export function passedOn({ incoming, info }: Exchange): OutgoingHttpHeaders {
  const given = beyondConnection(incoming.headers).filter(([name]) => !name.startsWith(':') && !isCredential(name));
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
export function passedBack({ headers, statusCode }: IncomingMessage, prefix: string): OutgoingHttpHeaders {
  // What has no body has no length of one, which HTTP/2 would wait for.
  const given = beyondConnection(headers).filter(([name]) => statusCode !== 204 || name !== 'content-length');
  const { location } = headers;
  const isOwn = location?.startsWith('/') && !location.startsWith('//');
  return { ...Object.fromEntries(given), ...(isOwn && { location: prefix + location }) };
}

/** Of a request that becomes another kind of connection. */
export const upgrading = ({ incoming }: Exchange): OutgoingHttpHeaders => ({
  connection: 'Upgrade',
  upgrade: incoming.headers.upgrade ?? '',
});
