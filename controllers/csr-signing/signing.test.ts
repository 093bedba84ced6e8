import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import { type Authority, makeAuthority } from '../certificates/authority.ts';
import { x509 } from '../certificates/x509.ts';
import { Client } from '../runtime/client.ts';
import { systemClock } from '../runtime/clock.ts';
import { connect } from '../runtime/connection/connection.ts';
import { type CertificateSigningRequest, certificateSigningRequests, configMaps, pods } from '../runtime/resources.ts';
import { type Cluster, namespace, startCluster } from '../testing/cluster.fixture.ts';
import { eventually } from '../testing/lab.fixture.ts';

let cluster: Cluster;
const folder = temporaryFolder();
let authority: Authority;
beforeAll(async () => {
  authority = await makeAuthority('cluster', Date.now() - 60_000, 86_400_000);
  const files = { clusterSigningCertFile: join(folder, 'ca.crt'), clusterSigningKeyFile: join(folder, 'ca.key') };
  writeFileSync(files.clusterSigningCertFile, authority.certificate);
  writeFileSync(files.clusterSigningKeyFile, authority.key);
  const options = {
    ...files,
    controllers: ['*', 'example-signer'],
    clusterSigningDuration: 7_200_000,
    nodeCertificatesDir: join(folder, 'node'),
  };
  cluster = await startCluster(options, {
    authorizationMode: ['Node', 'RBAC'],
    clientCaFile: files.clusterSigningCertFile,
  });
});
afterAll(() => cluster.stop());

describe('certificates', () => {
  async function request(
    name: string,
    signerName: string,
    more: {
      readonly subject: string;
      readonly usages: readonly string[];
      readonly expirationSeconds?: number;
      readonly dns?: string;
      readonly id?: string;
      readonly ca?: boolean;
    },
  ) {
    const lib = await x509();
    const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
    const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
    const { dns, id } = more;
    const alternative = [
      ...(dns ? [{ type: 'dns' as const, value: dns }] : []),
      ...(id ? [{ type: 'id' as const, value: id }] : []),
    ];
    const extensions = [
      ...(alternative.length > 0 ? [new lib.SubjectAlternativeNameExtension(alternative)] : []),
      ...(more.ca ? [new lib.BasicConstraintsExtension(true)] : []),
    ];
    const csr = await lib.Pkcs10CertificateRequestGenerator.create({
      name: more.subject,
      keys,
      signingAlgorithm: algorithm,
      extensions,
    });
    const spec = {
      request: Buffer.from(csr.toString('pem')).toString('base64'),
      signerName,
      usages: more.usages,
      ...(more.expirationSeconds && { expirationSeconds: more.expirationSeconds }),
    };
    await cluster.client.create(certificateSigningRequests, { metadata: { name }, spec }, {});
    const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
    return `-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----\n`;
  }

  async function approve(name: string) {
    const csr = await cluster.client.get(certificateSigningRequests, { name });
    const conditions = [{ type: 'Approved', status: 'True', reason: 'Test', message: 'yes' }];
    await cluster.client.replace(
      certificateSigningRequests,
      { ...csr, status: { ...csr.status, conditions } },
      'approval',
    );
  }

  const outcome = (name: string) =>
    eventually(async () => {
      const csr = await cluster.client.get(certificateSigningRequests, { name });
      return csr.status?.certificate || failure(csr) ? csr : undefined;
    });
  const failure = ({ status }: CertificateSigningRequest) => status?.conditions?.find(({ type }) => type === 'Failed');
  const certificateOf = (csr: CertificateSigningRequest) =>
    Buffer.from(csr.status?.certificate ?? '', 'base64').toString();

  const client = ['digital signature', 'key encipherment', 'client auth'];

  test('a client certificate lives as long as was asked for, to the second, verifies with openssl and logs in', async () => {
    const key = await request('alice', 'kubernetes.io/kube-apiserver-client', {
      subject: 'CN=alice,O=friends',
      usages: client,
      expirationSeconds: 1_234,
    });
    await approve('alice');
    const pem = certificateOf(await outcome('alice'));
    const certificate = new X509Certificate(pem);
    expect((Date.parse(certificate.validTo) - Date.parse(certificate.validFrom)) / 1000).toBe(1_234);
    expect(certificate.ca).toBe(false);
    writeFileSync(join(folder, 'alice.crt'), pem);
    execFileSync('openssl', [
      'verify',
      '-CAfile',
      join(folder, 'ca.crt'),
      '-purpose',
      'sslclient',
      join(folder, 'alice.crt'),
    ]);
    const access = JSON.parse(cluster.kubeconfig);
    const user = {
      'client-certificate-data': Buffer.from(pem).toString('base64'),
      'client-key-data': Buffer.from(key).toString('base64'),
    };
    const connection = await connect({
      text: JSON.stringify({ ...access, users: [{ name: access.users[0].name, user }] }),
    });
    const alice = new Client({
      connection,
      clock: systemClock,
      signal: new AbortController().signal,
      userAgent: 'alice',
    });
    await expect(alice.list(pods, { namespace })).rejects.toThrow('"alice"');
    connection.close();
  });

  test('a longer lifetime than the most is cut, and none asked for is the most', async () => {
    for (const [name, expirationSeconds] of [
      ['long', 86_400],
      ['any', undefined],
    ] as const) {
      await request(name, 'kubernetes.io/kube-apiserver-client', {
        subject: 'CN=bob',
        usages: client,
        ...(expirationSeconds && { expirationSeconds }),
      });
      await approve(name);
      const certificate = new X509Certificate(certificateOf(await outcome(name)));
      expect((Date.parse(certificate.validTo) - Date.parse(certificate.validFrom)) / 1000).toBe(7_200);
    }
  });

  test('a node agent is approved and signed without a person', async () => {
    await request('node', 'kubernetes.io/kube-apiserver-client-kubelet', {
      subject: 'O=system:nodes,CN=system:node:n1',
      usages: client,
    });
    const csr = await outcome('node');
    expect(csr.status?.conditions?.map(({ type, reason }) => [type, reason])).toEqual([['Approved', 'AutoApproved']]);
    expect(new X509Certificate(certificateOf(csr)).subject).toContain('CN=system:node:n1');
  });

  test('a second common name, which a server may take for the name, keeps a request from being approved', async () => {
    const subject = 'O=system:nodes,CN=system:node:n2,CN=system:kube-controller-manager';
    for (const [name, names] of [
      ['two-names', subject],
      ['one-name', 'O=system:nodes,CN=system:node:n2'],
    ] as const)
      await request(name, 'kubernetes.io/kube-apiserver-client-kubelet', { subject: names, usages: client });
    await outcome('one-name');
    expect((await cluster.client.get(certificateSigningRequests, { name: 'two-names' })).status).toEqual({});
  });

  test.each([
    [
      'usages-server',
      'kubernetes.io/kube-apiserver-client',
      { subject: 'CN=a', usages: ['client auth', 'server auth'] },
    ],
    ['no-client-auth', 'kubernetes.io/kube-apiserver-client', { subject: 'CN=a', usages: ['digital signature'] }],
    ['authority', 'kubernetes.io/kube-apiserver-client', { subject: 'CN=a', usages: client, ca: true }],
    [
      'wrong-organization',
      'kubernetes.io/kube-apiserver-client-kubelet',
      { subject: 'CN=system:node:a,O=others', usages: client },
    ],
    [
      'names',
      'kubernetes.io/kube-apiserver-client-kubelet',
      { subject: 'CN=system:node:a,O=system:nodes', usages: client, dns: 'a.example' },
    ],
    [
      'no-names',
      'kubernetes.io/kubelet-serving',
      { subject: 'CN=system:node:a,O=system:nodes', usages: ['digital signature', 'server auth'] },
    ],
    [
      'name-behind-a-name',
      'kubernetes.io/kube-apiserver-client-kubelet',
      { subject: 'CN=system:node:a,CN=system:kube-controller-manager,O=system:nodes', usages: client },
    ],
    [
      'names-of-another-kind',
      'kubernetes.io/kubelet-serving',
      {
        subject: 'CN=system:node:a,O=system:nodes',
        usages: ['digital signature', 'server auth'],
        dns: 'a.example',
        id: '1.2.3.4',
      },
    ],
    ['workload-name', 'example.com/workload', { subject: 'CN=a', usages: ['digital signature', 'client auth'] }],
    [
      'workload-ca',
      'example.com/workload',
      { subject: 'CN=a.b.svc', usages: ['digital signature', 'client auth'], ca: true },
    ],
  ] as const)('what a signer does not sign ends as Failed: %s', async (name, signer, more) => {
    await request(name, signer, more);
    await approve(name);
    const csr = await outcome(name);
    expect(failure(csr)).toMatchObject({ status: 'True', reason: 'SignerValidationFailure' });
    expect(csr.status?.certificate).toBeUndefined();
  });

  test('a serving certificate carries the names that were asked for', async () => {
    const more = {
      subject: 'CN=system:node:a,O=system:nodes',
      usages: ['digital signature', 'server auth'],
      dns: 'a.example',
    };
    await request('serving', 'kubernetes.io/kubelet-serving', more);
    await approve('serving');
    expect(new X509Certificate(certificateOf(await outcome('serving'))).subjectAltName).toBe('DNS:a.example');
  });

  test('a node agent asks for its certificates: the first is approved at once, the second by a person', async () => {
    const agent = join(folder, 'node', 'touchstone-node');
    await eventually(async () => (existsSync(`${agent}-client.pem`) ? true : undefined));
    const csr = await eventually(async () => {
      const { items } = await cluster.client.list(certificateSigningRequests, {
        fieldSelector: 'spec.signerName=kubernetes.io/kubelet-serving',
      });
      return items.find(({ metadata }) => metadata?.name?.startsWith('touchstone-node-serving-'));
    });
    expect(csr.spec?.username).toBe('system:node:touchstone-node');
    await approve(csr.metadata?.name ?? '');
    await eventually(async () => (existsSync(`${agent}-serving.pem`) ? true : undefined));
    expect(new X509Certificate(readFileSync(`${agent}-serving.pem`)).subjectAltName).toContain('DNS:touchstone-node');
  });

  test('a signer of one’s own signs with its own authority and tells whom to trust', async () => {
    const more = { subject: 'CN=shop.prod.svc', usages: ['digital signature', 'server auth'], dns: 'shop.prod.svc' };
    await request('workload', 'example.com/workload', more);
    await approve('workload');
    const certificate = new X509Certificate(certificateOf(await outcome('workload')));
    const trust = await cluster.client.get(configMaps, { namespace: 'kube-public', name: 'example-signer' });
    expect(certificate.verify(new X509Certificate(trust.data?.['ca.crt'] ?? '').publicKey)).toBe(true);
    expect(certificate.verify(new X509Certificate(authority.certificate).publicKey)).toBe(false);
  });

  test('a denied request is not signed', async () => {
    await request('denied', 'kubernetes.io/kube-apiserver-client', { subject: 'CN=a', usages: client });
    const csr = await cluster.client.get(certificateSigningRequests, { name: 'denied' });
    const conditions = [{ type: 'Denied', status: 'True', reason: 'Test', message: 'no' }];
    await cluster.client.replace(certificateSigningRequests, { ...csr, status: { conditions } }, 'approval');
    await request('after-denied', 'kubernetes.io/kube-apiserver-client', { subject: 'CN=a', usages: client });
    await approve('after-denied');
    await outcome('after-denied');
    expect(
      (await cluster.client.get(certificateSigningRequests, { name: 'denied' })).status?.certificate,
    ).toBeUndefined();
  });
});
