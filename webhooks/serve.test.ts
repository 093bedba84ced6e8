import { writeFileSync } from 'node:fs';
import https from 'node:https';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../fixtures/temporary-folder.fixture.ts';
import { allow, deny, patch } from './admission-review.ts';
import { CertificateReload } from './certificate-files.ts';
import type { Policy } from './policy.ts';
import { selfSigned } from './self-signed.ts';
import { type KeyPair, serve, type WebhookServer } from './serve.ts';

const policy: Policy = {
  name: 'no-secrets',
  type: 'validating',
  about: '',
  rules: [],
  failurePolicy: 'Fail',
  decide({ object }) {
    if (object?.kind === 'Broken') throw new Error('a mistake in the policy');
    if (object?.kind === 'Bare') return patch([{ op: 'add', path: '/spec', value: {} }]);
    return object?.kind === 'Secret' ? deny('no') : allow();
  },
};

let keyPair: KeyPair;
let server: WebhookServer;
const reported: unknown[] = [];
beforeEach(async () => {
  reported.length = 0;
  keyPair = await selfSigned(['127.0.0.1']);
  server = await serve({
    policies: [policy],
    address: '127.0.0.1',
    port: 0,
    keyPair,
    report: (error) => reported.push(error),
  });
});
afterEach(() => server.stop());

function call(method: string, path: string, body?: string | Buffer, agent?: https.Agent) {
  return new Promise<{ status: number | undefined; text: string; type: string | undefined }>((resolve, reject) => {
    const request = https.request(
      { host: '127.0.0.1', port: server.port, ca: keyPair.cert, method, path, ...(agent && { agent }) },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode,
            text: String(Buffer.concat(chunks)),
            type: response.headers['content-type'],
          }),
        );
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

const review = (kind: string) =>
  JSON.stringify({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: { uid: 'u', operation: 'CREATE', object: { kind } },
  });

describe('the server', () => {
  it('answers reviews by policy', async () => {
    const allowed = await call('POST', '/policies/no-secrets?timeout=10s', review('Pod'));
    expect(allowed.status).toBe(200);
    expect(JSON.parse(allowed.text)).toEqual({
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      response: { uid: 'u', allowed: true },
    });
    expect(JSON.parse((await call('POST', '/policies/no-secrets', review('Secret'))).text).response).toMatchObject({
      allowed: false,
    });
  });

  it.each([
    ['POST', '/policies/other', review('Pod'), 404],
    ['GET', '/policies/no-secrets', undefined, 405],
    ['PUT', '/policies/no-secrets', review('Pod'), 405],
    ['DELETE', '/readyz', undefined, 404],
    ['HEAD', '/readyz', undefined, 200],
    ['POST', '/policies/no-secrets', 'hello', 400],
    ['POST', '/policies/no-secrets', review('Broken'), 500],
    ['GET', '/', undefined, 404],
    ['GET', '/readyz', undefined, 200],
  ])('%s %s with %s is %i', async (method, path, body, status) => {
    expect((await call(method, path, body)).status).toBe(status);
  });

  it('says what is wrong with a body that is no review, and of a policy that fails only that it did', async () => {
    expect((await call('POST', '/policies/no-secrets', 'hello')).text).toBe('the body is no JSON');
    expect(reported).toEqual([]);
    expect((await call('POST', '/policies/no-secrets', review('Broken'))).text).toBe('the policy failed');
    expect(reported).toEqual([new Error('a mistake in the policy')]);
  });

  it('refuses bodies that no review has', async () => {
    const answer = await call('POST', '/policies/no-secrets', Buffer.alloc(9 << 20, 0x20)).catch(() => ({
      status: 413,
    }));
    expect(answer.status).toBe(413);
    expect((await call('GET', '/readyz')).status).toBe(200);
  });

  it('counts what it decided, and tells of policies that fail', async () => {
    const kinds = ['Pod', 'Secret', 'Broken', 'Bare'];
    for (const kind of kinds) await call('POST', '/policies/no-secrets', review(kind));
    const { text, type } = await call('GET', '/metrics');
    expect(type).toMatch(/^text\/plain; version=/);
    for (const outcome of ['allowed', 'denied', 'patched']) {
      expect(text).toContain(`admission_reviews_total{policy="no-secrets",operation="CREATE",outcome="${outcome}"} 1`);
    }
    expect(text).toContain('outcome="failed"} 1');
    expect(reported).toHaveLength(1);
  });

  it('while it stops answers what is under way, and that it is not ready', async () => {
    const socket = connect({ host: '127.0.0.1', port: server.port, ca: keyPair.cert });
    const body = review('Pod');
    const half = body.length / 2;
    socket.write(
      `POST /policies/no-secrets HTTP/1.1\r\nHost: h\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, half)}`,
    );
    const { promise: begun, resolve } = Promise.withResolvers<void>();
    socket.once('session', resolve);
    await begun;
    await call('GET', '/readyz');
    const stopped = server.stop();
    socket.write(`${body.slice(half)}GET /readyz HTTP/1.1\r\nHost: h\r\n\r\n`);
    const answers = String(Buffer.concat(await socket.toArray()));
    await stopped;
    expect(answers).toMatch(/^HTTP\/1\.1 200 OK.*"allowed":true.*HTTP\/1\.1 503 .*connection: close.*stopping$/is);
  });

  it('stops in good order: idle connections end, and nobody is taken on', async () => {
    const agent = new https.Agent({ keepAlive: true });
    await call('GET', '/readyz', undefined, agent);
    await server.stop();
    await expect(call('GET', '/readyz')).rejects.toThrow();
    agent.destroy();
  });
});

describe('certificates', () => {
  const served = () =>
    new Promise<string>((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port: server.port, rejectUnauthorized: false }, () => {
        resolve(socket.getPeerX509Certificate()?.toString().trim() ?? '');
        socket.destroy();
      });
      socket.on('error', reject);
    });

  it('are taken over when their files change, once both fit', async () => {
    const folder = temporaryFolder(onTestFinished);
    const files = { certFile: join(folder, 'tls.crt'), keyFile: join(folder, 'tls.key') };
    const next = await selfSigned(['127.0.0.1']);
    const taken: KeyPair[] = [];
    const take = (pair: KeyPair) => {
      taken.push(pair);
      server.setKeyPair(pair);
    };
    const reload = new CertificateReload(files, keyPair, take, (error) => reported.push(error));
    writeFileSync(files.certFile, next.cert);
    writeFileSync(files.keyFile, keyPair.key);
    reload.look();
    expect(reported).toHaveLength(1);
    expect(await served()).toBe(keyPair.cert.trim());
    writeFileSync(files.keyFile, next.key);
    reload.look();
    expect(await served()).toBe(next.cert.trim());
    reload.look();
    expect(taken).toEqual([next]);
  });
});
