import { isUtf8 } from 'node:buffer';
import { judgeToken } from './authentication.ts';
import type { Authenticator, Credentials } from './authenticator.ts';
import type { TokenAuthenticator } from './token-authenticator.ts';

const prefix = 'base64url.bearer.authorization.k8s.io.';
const isToken = (protocol: string) => protocol.startsWith(prefix);

const offered = (values: readonly string[]): readonly string[] =>
  values
    .flatMap((value) => value.split(','))
    .map((protocol) => protocol.trim())
    .filter((protocol) => protocol !== '');

/** The protocols of a WebSocket that can be spoken: a token among them is between the client and this server. */
export const spokenProtocols = (values: readonly string[]): readonly string[] =>
  offered(values).filter((protocol) => !isToken(protocol));

const asksForWebSocket = (credentials: Credentials): boolean =>
  credentials.header('upgrade').some((value) => /^websocket$/i.test(value)) &&
  credentials.header('connection').some((value) => /(?:^|,)\s*upgrade\s*(?:,|$)/i.test(value));

function tokenIn(protocol: string): string {
  const text = protocol.slice(prefix.length);
  const bytes = Buffer.from(text, 'base64url');
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1 || !isUtf8(bytes))
    throw new Error('the token among the protocols of the WebSocket is badly encoded');
  return bytes.toString();
}

/**
 * Bearer tokens of pages in browsers, which cannot set headers for a WebSocket: one of the protocols that they offer is
 * the token. There must be another one beside it, since the server has to choose one.
 */
export const webSocketToken = (
  authenticators: readonly TokenAuthenticator[],
  audiences: readonly string[],
): Authenticator => ({
  name: 'token among the protocols of a WebSocket',
  authenticate(credentials) {
    const protocols = offered(credentials.header('sec-websocket-protocol'));
    const [first, second] = protocols.filter(isToken);
    if (first === undefined || !asksForWebSocket(credentials)) return undefined;
    if (second !== undefined) throw new Error('there is more than one token among the protocols of the WebSocket');
    const token = tokenIn(first);
    if (token === '') return undefined;
    if (protocols.length === 1) throw new Error('there is no protocol beside the token of the WebSocket');
    const judged = judgeToken(authenticators, token, audiences);
    return judged instanceof Promise ? judged.then(({ user }) => user) : judged.user;
  },
});
