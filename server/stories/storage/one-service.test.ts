import 'reflect-metadata';
import { KeyObject, webcrypto } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { Pkcs10CertificateRequestGenerator } from '@peculiar/x509';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../fixtures/temporary-folder.fixture.ts';
import { pemOf } from '../../authn/jwt.fixture.ts';
import { EtcdProcess, withoutEtcd } from '../../store/etcd/etcd-process.fixture.ts';
import { startTestServer, type TestServer } from '../test-server.fixture.ts';

const folder = temporaryFolder();

describe.skipIf(withoutEtcd)('servers over one etcd, each with a folder of its own', () => {
  let etcd: EtcdProcess;
  let servers: TestServer[] = [];
  beforeAll(async () => {
    etcd = await EtcdProcess.start();
    const start = (name: string) =>
      startTestServer({
        etcdServers: [etcd.url],
        certDir: join(folder, name),
        authorizationMode: ['RBAC'],
        controllers: ['node-agent', 'csrapproving', 'csrsigning'],
      });
    servers = [await start('first'), await start('second')];
  });
  afterAll(async () => {
    for (const server of servers) await server.stop();
    await etcd?.stop();
  });

  it('all reach the node that runs beside one of them', async () => {
    for (const { get } of servers) {
      const healthz = async () => (await get('/api/v1/nodes/touchstone-node/proxy/healthz')).status;
      await expect.poll(healthz).toBe(200);
    }
  });

  it('all know who shows a certificate that one of them signed', async () => {
    const [{ post, put, get }] = servers as [TestServer];
    const signingAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
    const keys = (await webcrypto.subtle.generateKey(signingAlgorithm, true, [
      'sign',
      'verify',
    ])) as webcrypto.CryptoKeyPair;
    const made = await Pkcs10CertificateRequestGenerator.create({ name: 'CN=jane', keys, signingAlgorithm });
    const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
    const request = Buffer.from(made.toString('pem')).toString('base64');
    const spec = { request, signerName: 'kubernetes.io/kube-apiserver-client', usages: ['client auth'] };
    const { body } = await post(path, { metadata: { name: 'jane' }, spec });
    body.status = { conditions: [{ type: 'Approved', status: 'True', reason: 'Test', message: '' }] };
    expect((await put(`${path}/jane/approval`, body)).status).toBe(200);
    const issued = async () => (await get(`${path}/jane`)).body.status?.certificate;
    await expect.poll(issued).toBeDefined();
    const cert = Buffer.from(await issued(), 'base64');
    const key = pemOf(KeyObject.from(keys.privateKey));
    for (const { url, certificateAuthority: ca } of servers) {
      const { hostname, port } = new URL(url);
      const socket = connect({ host: hostname, port: Number(port), ca, cert, key });
      await once(socket, 'secureConnect');
      socket.write('GET /api/v1/nodes HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      expect(await text(socket)).toContain('User \\"jane\\" cannot list');
    }
  });
});
