import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { JsonCaller } from './json-call.ts';
import { readRemoteService } from './kubeconfig.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'remote-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

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
const base64 = (text: string) => Buffer.from(text).toString('base64');

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
  let server: http.Server;
  const requests: { method: string | undefined; authorization: string | undefined; body: string }[] = [];
  let answer: (response: http.ServerResponse, path: string) => void;
  beforeEach(async () => {
    requests.length = 0;
    server = http.createServer((incoming, response) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk) => chunks.push(chunk));
      incoming.on('end', () => {
        requests.push({
          method: incoming.method,
          authorization: incoming.headers.authorization,
          body: String(Buffer.concat(chunks)),
        });
        answer(response, incoming.url ?? '');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = (path = '/') => new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
  const caller = (limits = { timeoutMs: 2000, maxBytes: 1000 }) =>
    new JsonCaller({ url: url(), insecureSkipVerify: false, authorization: 'Bearer x' }, limits);

  it('sends JSON with its credentials and reads JSON', async () => {
    answer = (response, path) => response.end(JSON.stringify({ path }));
    expect(await caller().post({ a: 'ü' })).toEqual({ path: '/' });
    expect(await caller().get(url('/keys'))).toEqual({ path: '/keys' });
    expect(requests).toEqual([
      { method: 'POST', authorization: 'Bearer x', body: '{"a":"ü"}' },
      { method: 'GET', authorization: 'Bearer x', body: '' },
    ]);
  });

  it.each([
    ['a failure', (response: http.ServerResponse) => response.writeHead(500).end('{}'), 'answered 500'],
    [
      'a redirection',
      (response: http.ServerResponse) => response.writeHead(302, { location: '/x' }).end(),
      'answered 302',
    ],
    ['no JSON', (response: http.ServerResponse) => response.end('<html>'), 'did not answer JSON'],
    ['too much', (response: http.ServerResponse) => response.end(`"${'x'.repeat(2000)}"`), 'exceeds 1000 bytes'],
    [
      'half an answer',
      (response: http.ServerResponse) => {
        response.writeHead(200, { 'content-length': 10 }).write('{');
        response.destroy();
      },
      '',
    ],
  ])('fails with %s', async (_, how, message) => {
    answer = how;
    await expect(caller().post({})).rejects.toThrow(message);
  });

  it('does not wait for ever', async () => {
    answer = () => {};
    await expect(caller({ timeoutMs: 50, maxBytes: 1000 }).post({})).rejects.toThrow();
  });
});
