import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';

/** What is between two ends of one connection only, and what the sender's own word for is not taken. */
const notHandedOn = new Set([
  'connection',
  'expect',
  'forwarded',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-real-ip',
]);

/** The headers for the backend, names and values in turns: those of the client, and who that was. */
export function forwardedHeaders({ url = '', rawHeaders, headers, socket }: IncomingMessage): string[] {
  // The host of a whole URL is the one that was routed by, whatever the header says.
  const whole = url.startsWith('/') ? undefined : URL.parse(url)?.host;
  const host = whole ?? headers.host;
  const named = connectionNames(headers.connection);
  const kept: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = [rawHeaders[index], rawHeaders[index + 1]];
    const lower = name.toLowerCase();
    if (whole !== undefined && lower === 'host') continue;
    if (!notHandedOn.has(lower) && !named?.has(lower)) kept.push(name, value);
  }
  const isSecure = (socket as TLSSocket).encrypted === true;
  kept.push('x-forwarded-for', socket.remoteAddress ?? '', 'x-forwarded-proto', isSecure ? 'https' : 'http');
  kept.push('x-forwarded-port', String(socket.localPort ?? 0));
  if (whole !== undefined) kept.push('host', whole);
  if (host !== undefined) kept.push('x-forwarded-host', host);
  return kept;
}

const ofConnection = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** The headers of a backend's answer for the client. */
export function answeredHeaders(raw: readonly (Buffer | string)[]): string[] {
  const kept: string[] = [];
  for (let index = 0; index < raw.length; index += 2) {
    const name = textOf(raw[index]);
    if (!ofConnection.has(name.toLowerCase())) kept.push(name, textOf(raw[index + 1]));
  }
  return kept;
}

const textOf = (value: Buffer | string | undefined): string =>
  typeof value === 'string' ? value : (value?.toString('latin1') ?? '');

/** The headers that `Connection` names beside the usual words; undefined when there are none. */
function connectionNames(connection: string | undefined): ReadonlySet<string> | undefined {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return undefined;
  return new Set(
    connection
      .toLowerCase()
      .split(',')
      .map((name) => name.trim()),
  );
}
