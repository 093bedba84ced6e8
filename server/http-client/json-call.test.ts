import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import nock from 'nock';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { base64 } from '../../fixtures/certificates.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import { JsonCaller } from './json-call.ts';
import { readRemoteService } from './kubeconfig.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder(onTestFinished);
});

function read(cluster: object, user: object = {}, more: object = {}) {
  const file = join(folder, 'config');
  const config = {
    'current-context': 'one',
    contexts: [{ name: 'one', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster: { server: 'https://host/path', ...cluster } }],
    users: [{ name: 'u', user }],
    ...more,
  };
  writeFileSync(file, JSON.stringify(config));
  return readRemoteService(file);
}

describe('a client configuration file', () => {
  it('names the service and what to trust', () => {
    writeFileSync(join(folder, 'ca.crt'), 'CA');
    expect(read({ 'certificate-authority': 'ca.crt' })).toEqual({
      url: new URL('https://host/path'),
      insecureSkipVerify: false,
      ca: 'CA',
    });
    expect(read({ 'certificate-authority-data': base64('DATA'), 'certificate-authority': 'ca.crt' }).ca).toBe('DATA');
    expect(read({ 'insecure-skip-tls-verify': true, 'tls-server-name': 'other' })).toMatchObject({
      insecureSkipVerify: true,
      serverName: 'other',
    });
  });

  it('names the credentials', () => {
    writeFileSync(join(folder, 'token'), 'tok\n');
    expect(read({}, { token: 'plain' }).authorization).toBe('Bearer plain');
    expect(read({}, { token: 'plain', tokenFile: 'token' }).authorization).toBe('Bearer tok');
    expect(read({}, { username: 'u', password: 'p' }).authorization).toBe(`Basic ${base64('u:p')}`);
    const pair = { 'client-certificate-data': base64('CERT'), 'client-key-data': base64('KEY') };
    expect(read({}, pair)).toMatchObject({ certificate: 'CERT', key: 'KEY' });
  });

  it('may leave out the current context when it has only one', () => {
    expect(read({}, {}, { 'current-context': '' }).url.host).toBe('host');
  });

  it.each([
    ['another current context', {}, {}, { 'current-context': 'two' }],
    ['no cluster', {}, {}, { clusters: [] }],
    ['no URL', { server: 'host' }, {}, {}],
    ['a certificate without a key', {}, { 'client-certificate-data': base64('CERT') }, {}],
    ['lists that are none', {}, {}, { contexts: 'x', clusters: {} }],
  ])('is refused with %s', (_, cluster, user, more) => {
    expect(() => read(cluster, user, more)).toThrow();
  });
});

describe('a call', () => {
  const service = 'http://service.example';
  beforeEach(() => nock.disableNetConnect());
  afterEach(() => {
    nock.abortPendingRequests();
    nock.cleanAll();
    nock.enableNetConnect();
  });
  const caller = (limits = { timeoutMs: 2000, maxBytes: 1000 }) =>
    new JsonCaller(() => ({ url: new URL(service), insecureSkipVerify: false, authorization: 'Bearer x' }), limits);

  it('sends JSON with its credentials and reads JSON', async () => {
    const peer = nock(service, { reqheaders: { authorization: 'Bearer x' } });
    peer.post('/', { a: 'ü' }).reply(200, { path: '/' });
    peer.get('/keys', '').reply(200, { path: '/keys' });
    expect(await caller().post({ a: 'ü' })).toEqual({ path: '/' });
    expect(await caller().get(new URL('/keys', service))).toEqual({ path: '/keys' });
    expect(peer.pendingMocks()).toEqual([]);
  });

  it('shows what its configuration says by then', async () => {
    let token = 'old';
    const now = () => ({ url: new URL(service), insecureSkipVerify: false, authorization: `Bearer ${token}` });
    const asked = new JsonCaller(now);
    for (token of ['old', 'new']) {
      const peer = nock(service, { reqheaders: { authorization: `Bearer ${token}` } });
      peer.post('/').reply(200, {});
      await asked.post({});
      expect(peer.pendingMocks()).toEqual([]);
    }
  });

  it.each<[string, (peer: nock.Interceptor) => nock.Scope, string]>([
    ['a failure', (peer) => peer.reply(500, '{}'), 'answered 500'],
    ['a redirection', (peer) => peer.reply(302, '', { location: '/x' }), 'answered 302'],
    ['no JSON', (peer) => peer.reply(200, '<html>'), 'did not answer JSON'],
    ['too much', (peer) => peer.reply(200, `"${'x'.repeat(2000)}"`), 'exceeds 1000 bytes'],
    ['a line that is cut', (peer) => peer.replyWithError('socket hang up'), 'socket hang up'],
  ])('fails with %s', async (_, answer, message) => {
    const peer = answer(nock(service).post('/'));
    await expect(caller().post({})).rejects.toThrow(message);
    expect(peer.isDone()).toBe(true);
  });

  it('does not wait for ever', async () => {
    nock(service).post('/').delay(60_000).reply(200, '{}');
    await expect(caller({ timeoutMs: 50, maxBytes: 1000 }).post({})).rejects.toThrow();
  });
});
