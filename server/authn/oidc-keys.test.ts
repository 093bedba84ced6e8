import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { JsonCaller } from '../http-client/json-call.ts';
import { rsa } from './jwt.fixture.ts';
import { IssuerKeys } from './oidc-keys.ts';
import { keySet, verifies } from './service-account/keys.ts';

const issuer = 'https://issuer.example/tenant';
const discovery = `${issuer}/.well-known/openid-configuration`;
const keys = `${issuer}/keys`;
const document = { issuer, jwks_uri: keys };
const published = { keys: [{ ...keySet([verifies(rsa)]).keys[0], kid: 'one' }] };

/** The issuer, as far as the network is concerned: a host that nobody else may be asked for. */
const network = setupServer();
beforeAll(() => network.listen({ onUnhandledFrame: 'error' }));
beforeEach(() =>
  network.resetHandlers(
    http.get(discovery, () => HttpResponse.json(document)),
    http.get(keys, () => HttpResponse.json(published)),
  ),
);
afterAll(() => network.close());

let now = 0;

function asked(limits = { timeoutMs: 500, maxBytes: 4_096 }): IssuerKeys {
  const caller = new JsonCaller(() => ({ url: new URL(issuer), insecureSkipVerify: false }), limits);
  onTestFinished(() => caller.close());
  return new IssuerKeys(issuer, (url) => caller.get(url), { now: () => now });
}

const ids = (found: IssuerKeys) => found.known(undefined).map(({ id }) => id);

describe('keys of an issuer over the network', () => {
  it('are found by its discovery document', async () => {
    const found = asked();
    await found.refresh();
    expect(ids(found)).toEqual(['one']);
  });

  it('are asked for with what the issuer is to know, and nothing else', async () => {
    let headers: Record<string, string> = {};
    network.use(
      http.get(discovery, ({ request }) => {
        headers = Object.fromEntries(request.headers);
        return HttpResponse.json(document);
      }),
    );
    await asked().refresh();
    expect(headers).toMatchObject({ accept: 'application/json' });
    expect(headers).not.toHaveProperty('authorization');
  });

  it.each([
    ['is in trouble', () => new HttpResponse('sorry', { status: 503 }), 'answered 503'],
    ['sends elsewhere', () => HttpResponse.redirect('https://elsewhere.example/'), 'answered 302'],
    ['answers a page', () => HttpResponse.html('<p>welcome</p>'), 'did not answer JSON'],
    ['answers too much', () => HttpResponse.json({ ...document, more: 'x'.repeat(5_000) }), '4096 bytes'],
    ['breaks off', () => HttpResponse.error(), 'error'],
    ['is another', () => HttpResponse.json({ ...document, issuer: 'https://other.example' }), 'of another issuer'],
    ['names keys without TLS', () => HttpResponse.json({ ...document, jwks_uri: 'http://x/keys' }), 'no key set'],
    ['answers null', () => HttpResponse.json(null), 'of another issuer'],
  ])('stay as they were when it %s', async (_, answer, message) => {
    const found = asked();
    await found.refresh();
    network.use(http.get(discovery, answer));
    now += 2_000;
    await expect(found.refresh()).rejects.toThrow(message);
    expect(ids(found)).toEqual(['one']);
  });

  it('may not take for ever', async () => {
    network.use(http.get(keys, () => new Promise<never>(() => undefined)));
    await expect(asked({ timeoutMs: 100, maxBytes: 4_096 }).refresh()).rejects.toThrow('no answer within 100 ms');
  });
});
