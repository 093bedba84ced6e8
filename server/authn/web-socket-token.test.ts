import { describe, expect, it } from 'vitest';
import { credentials } from './credentials.fixture.ts';
import { knownUser, noExtra } from './known-user.ts';
import type { TokenAuthenticator } from './token-authenticator.ts';
import { spokenProtocols, webSocketToken } from './web-socket-token.ts';

const bob = knownUser({ name: 'bob', uid: '', groups: [], extra: noExtra });
const accepts = (token: string): TokenAuthenticator => ({
  name: token,
  authenticateToken: (text, audiences) => (text === token ? { user: bob, audiences } : undefined),
});
const way = webSocketToken([accepts('töken')], ['api']);

const prefix = 'base64url.bearer.authorization.k8s.io.';
const named = (token: string | Buffer) => prefix + Buffer.from(token).toString('base64url');
const good = named('töken');

type Headers = readonly (readonly [string, string])[];
const handshake = (...protocols: string[]): Headers => [
  ['Connection', 'keep-alive, Upgrade'],
  ['Upgrade', 'WebSocket'],
  ...protocols.map((each) => ['Sec-WebSocket-Protocol', each] as const),
];
const who = async (headers: Headers) => (await way.authenticate(credentials(headers)))?.name;

describe('a token among the protocols of a WebSocket', () => {
  it.each([
    ['counts beside another protocol', handshake(`${good}, chat`), 'bob'],
    ['counts in a header of its own', handshake('chat', good), 'bob'],
    ['is none without a WebSocket', handshake(`${good},chat`).slice(2), undefined],
    ['is none where it is empty', handshake(`${prefix},chat`), undefined],
    ['is none in other protocols', handshake('chat'), undefined],
  ])('%s', async (_what, headers, name) => {
    expect(await who(headers)).toBe(name);
  });

  it.each([
    ['nobody knows', handshake(`${named('other')},chat`)],
    ['stands alone', handshake(good)],
    ['is there twice', handshake(`${good},${good},chat`)],
    ['is padded', handshake(`${prefix}YQ==,chat`)],
    ['is cut', handshake(`${prefix}YWJjZ,chat`)],
    ['is no text', handshake(`${named(Buffer.from([0xff]))},chat`)],
  ])('is refused when it %s', async (_what, headers) => {
    await expect(who(headers)).rejects.toThrow();
  });

  it('is none of those that are spoken', () => {
    expect(spokenProtocols([` chat,${good}`, '', 'talk'])).toEqual(['chat', 'talk']);
  });
});
