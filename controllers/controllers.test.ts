import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeAuthority } from './certificates/authority.ts';
import { x509 } from './certificates/x509.ts';
import { conditionOf } from './job/conditions.ts';
import { unlessNotFound } from './runtime/api-error.ts';
import { Client } from './runtime/client.ts';
import { formatTime, systemClock } from './runtime/clock.ts';
import { connect } from './runtime/connection.ts';
import type { KubeObject } from './runtime/kube-object.ts';
import { forEach } from './runtime/many.ts';
import {
  type CertificateSigningRequest,
  certificateSigningRequests,
  configMaps,
  customResourceDefinitions,
  deployments,
  endpointSlices,
  type Job,
  jobs,
  namespaces,
  nodes,
  pods,
  type Resource,
  replicaSets,
  resourceQuotas,
  secrets,
  serviceAccounts,
  services,
} from './runtime/resources.ts';
import { type RunningControllers, startControllers } from './start.ts';
import { eventually, type Lab, startLab } from './testing/lab.fixture.ts';

let lab: Lab;
let running: RunningControllers;
let folder: string;
let authority: { readonly certificate: string; readonly key: string };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-controllers-'));
  authority = await makeAuthority('cluster', Date.now() - 60_000, 86_400_000);
  const files = { clusterSigningCertFile: join(folder, 'ca.crt'), clusterSigningKeyFile: join(folder, 'ca.key') };
  writeFileSync(files.clusterSigningCertFile, authority.certificate);
  writeFileSync(files.clusterSigningKeyFile, authority.key);
  lab = await startLab({ clientCaFile: files.clusterSigningCertFile, featureGates: ['JobPodFailurePolicy=true'] });
  running = await startControllers({
    ...files,
    kubeconfig: lab.kubeconfig,
    controllers: ['*', 'tokencleaner', 'example-signer'],
    clusterSigningDuration: 7_200_000,
  });
  await eventually(() => unlessNotFound(lab.client.get(serviceAccounts, { namespace: 'default', name: 'default' })));
});
afterAll(async () => {
  await running.stop();
  await lab.stop();
});

const namespace = 'default';
const gone = async <T extends KubeObject>(resource: Resource<T>, name: string) =>
  (await unlessNotFound(lab.client.get(resource, { namespace, name }))) === undefined ? true : undefined;

const podSpec = { restartPolicy: 'Never', containers: [{ name: 'main', image: 'b' }] };

function createJob(name: string, spec: object, annotations: Record<string, string> = {}) {
  const template = { metadata: { annotations }, spec: podSpec };
  return lab.client.create(jobs, { metadata: { name }, spec: { template, ...spec } }, { namespace });
}

const jobWith = (name: string, holds: (job: Job) => boolean) =>
  eventually(async () => {
    const job = await lab.client.get(jobs, { namespace, name });
    return holds(job) ? job : undefined;
  });
const finished = (name: string) =>
  jobWith(name, (job) => Boolean(conditionOf(job, 'Complete') ?? conditionOf(job, 'Failed')));

const podsOf = async (name: string) =>
  (await lab.client.list(pods, { namespace, labelSelector: `job-name=${name}` })).items;

describe('jobs', () => {
  test('a job runs to its end on nothing but the pretended node', async () => {
    await createJob('plain', {});
    const job = await finished('plain');
    expect(conditionOf(job, 'Complete')?.status).toBe('True');
    expect(job.status).toMatchObject({ succeeded: 1 });
    expect(job.status?.completionTime).toBeDefined();
  });

  test('the pods of an Indexed job have their index in name, hostname, annotation and environment', async () => {
    await createJob('indexed', { completions: 5, parallelism: 2, completionMode: 'Indexed' });
    const job = await finished('indexed');
    expect(job.status).toMatchObject({ succeeded: 5, completedIndexes: '0-4' });
    for (const { metadata, spec } of await podsOf('indexed')) {
      const index = metadata?.annotations?.['batch.kubernetes.io/job-completion-index'];
      expect(metadata?.name).toMatch(new RegExp(`^indexed-${index}-[a-z0-9]{5}$`));
      expect(spec?.hostname).toBe(`indexed-${index}`);
      expect(spec?.containers[0]?.env?.[0]?.name).toBe('JOB_COMPLETION_INDEX');
    }
  });

  test('a suspended job stops its pods without calling that a failure, and begins anew when it is resumed', async () => {
    await createJob('suspended', { parallelism: 2, completions: 2 }, { 'touchstone.example/run-for': '1h' });
    const before = await jobWith('suspended', ({ status }) => status?.active === 2);
    await lab.client.patch(jobs, { namespace, name: 'suspended' }, { spec: { suspend: true } });
    const job = await jobWith(
      'suspended',
      (each) => conditionOf(each, 'Suspended')?.status === 'True' && !each.status?.active,
    );
    expect(before.status?.startTime).toBeDefined();
    expect(job.status?.startTime).toBeUndefined();
    await eventually(async () => ((await podsOf('suspended')).length === 0 ? true : undefined));
    expect((await lab.client.get(jobs, { namespace, name: 'suspended' })).status?.failed ?? 0).toBe(0);
    await lab.client.patch(jobs, { namespace, name: 'suspended' }, { spec: { suspend: false } });
    const resumed = await jobWith('suspended', ({ status }) => status?.active === 2);
    expect(conditionOf(resumed, 'Suspended')?.status).toBe('False');
    expect(resumed.status?.startTime).toBeDefined();
  });

  test('a job created suspended has no pods and no start', async () => {
    await createJob('asleep', { suspend: true });
    const job = await jobWith('asleep', (each) => conditionOf(each, 'Suspended')?.status === 'True');
    expect(job.status?.startTime).toBeUndefined();
    expect(await podsOf('asleep')).toEqual([]);
  });

  test('a job over its deadline fails and its pods are ended', async () => {
    await createJob('late', { activeDeadlineSeconds: 1 }, { 'touchstone.example/run-for': '1h' });
    const job = await finished('late');
    expect(conditionOf(job, 'Failed')).toMatchObject({ status: 'True', reason: 'DeadlineExceeded' });
    expect(job.status?.active ?? 0).toBe(0);
  });

  test('a job fails after more failures than its limit', async () => {
    await createJob('failing', { backoffLimit: 0 }, { 'touchstone.example/exit-code': '1' });
    const job = await finished('failing');
    expect(conditionOf(job, 'Failed')?.reason).toBe('BackoffLimitExceeded');
    expect(job.status).toMatchObject({ failed: 1 });
  });

  test('a rule of the pod failure policy fails the job at once', async () => {
    const rules = [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [42] } }];
    await createJob('hopeless', { podFailurePolicy: { rules } }, { 'touchstone.example/exit-code': '42' });
    const job = await finished('hopeless');
    expect(conditionOf(job, 'Failed')?.reason).toBe('PodFailurePolicy');
    expect(job.status).toMatchObject({ failed: 1 });
  });

  test('a job with a time to live of zero goes when it is done, and its pods with it', async () => {
    await createJob('fleeting', { ttlSecondsAfterFinished: 0 });
    await eventually(() => gone(jobs, 'fleeting'));
    await eventually(async () => ((await podsOf('fleeting')).length === 0 ? true : undefined));
  });

  test('the pods of a job that is deleted and orphans them are let go', async () => {
    await createJob('parent', {}, { 'touchstone.example/run-for': '1h' });
    await jobWith('parent', ({ status }) => status?.active === 1);
    await lab.client.delete(jobs, { namespace, name: 'parent' }, { propagationPolicy: 'Orphan' });
    await eventually(() => gone(jobs, 'parent'));
    const left = await eventually(async () => {
      const [pod] = await podsOf('parent');
      return pod && !pod.metadata?.finalizers ? pod : undefined;
    });
    expect(left.metadata?.ownerReferences).toBeUndefined();
  });
});

describe('garbage collection', () => {
  const create = async (name: string, owners: readonly KubeObject[] = [], where = namespace) => {
    const ownerReferences = owners.map(({ metadata }) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name: metadata?.name ?? '',
      uid: metadata?.uid ?? '',
      blockOwnerDeletion: true,
    }));
    return lab.client.create(configMaps, { metadata: { name, ownerReferences } }, { namespace: where });
  };

  test.each(['Background', 'Foreground'] as const)(
    '%s: dependents of dependents go as well',
    async (propagationPolicy) => {
      const suffix = propagationPolicy.toLowerCase();
      const grandparent = await create(`grandparent-${suffix}`);
      const parent = await create(`parent-${suffix}`, [grandparent]);
      await create(`child-${suffix}`, [parent]);
      await lab.client.delete(configMaps, { namespace, name: `grandparent-${suffix}` }, { propagationPolicy });
      await eventually(() => gone(configMaps, `child-${suffix}`));
      await eventually(() => gone(configMaps, `grandparent-${suffix}`));
    },
  );

  test('Orphan: dependents stay and lose the reference', async () => {
    const parent = await create('leaver');
    await create('orphan', [parent]);
    await lab.client.delete(configMaps, { namespace, name: 'leaver' }, { propagationPolicy: 'Orphan' });
    await eventually(() => gone(configMaps, 'leaver'));
    expect((await lab.client.get(configMaps, { namespace, name: 'orphan' })).metadata?.ownerReferences).toBeUndefined();
  });

  test('who has another owner left stays', async () => {
    const [one, two] = [await create('one'), await create('two')];
    await create('shared', [one, two]);
    await lab.client.delete(configMaps, { namespace, name: 'one' });
    const shared = await eventually(async () => {
      const object = await lab.client.get(configMaps, { namespace, name: 'shared' });
      return object.metadata?.ownerReferences?.length === 1 ? object : undefined;
    });
    expect(shared.metadata?.ownerReferences?.[0]?.name).toBe('two');
  });

  test('a circle of owners is deleted in the foreground', async () => {
    const first = await create('circle-1');
    const second = await create('circle-2', [first]);
    const reference = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name: 'circle-2',
      uid: second.metadata?.uid,
      blockOwnerDeletion: true,
    };
    await lab.client.patch(configMaps, { namespace, name: 'circle-1' }, { metadata: { ownerReferences: [reference] } });
    await lab.client.delete(configMaps, { namespace, name: 'circle-1' }, { propagationPolicy: 'Foreground' });
    await eventually(() => gone(configMaps, 'circle-2'));
    await eventually(() => gone(configMaps, 'circle-1'));
  });

  test('an owner in another namespace is no owner', async () => {
    const foreign = await create('foreign', [], 'kube-public');
    await create('claimant', [foreign]);
    await eventually(() => gone(configMaps, 'claimant'));
    expect((await lab.client.get(configMaps, { namespace: 'kube-public', name: 'foreign' })).metadata?.name).toBe(
      'foreign',
    );
  });

  test('custom resources are collected like others', async () => {
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    const names = { plural: 'kites', singular: 'kite', kind: 'Kite', listKind: 'KiteList' };
    const versions = [{ name: 'v1', served: true, storage: true, schema }];
    await lab.client.create(
      customResourceDefinitions,
      { metadata: { name: 'kites.example.com' }, spec: { group: 'example.com', names, scope: 'Namespaced', versions } },
      {},
    );
    const kites: Resource = { group: 'example.com', version: 'v1', plural: 'kites', kind: 'Kite', namespaced: true };
    const parent = await create('kite-flyer');
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'kite-flyer', uid: parent.metadata?.uid }];
    const kite = { apiVersion: 'example.com/v1', kind: 'Kite', metadata: { name: 'red', ownerReferences } };
    await eventually(() => lab.client.create(kites, kite, { namespace }).catch(() => undefined));
    await lab.client.delete(configMaps, { namespace, name: 'kite-flyer' });
    await eventually(() => gone(kites, 'red'));
  });
});

describe('namespaces', () => {
  test('a namespace of 2,000 objects is gone within ten seconds of its deletion', async () => {
    await lab.client.create(namespaces, { metadata: { name: 'crowded' } }, {});
    await eventually(() => unlessNotFound(lab.client.get(serviceAccounts, { namespace: 'crowded', name: 'default' })));
    const spec = { containers: [{ name: 'main', image: 'b' }] };
    await forEach(
      Array.from({ length: 2_000 }, (_, index) => index),
      (index) =>
        index % 10 === 0
          ? lab.client.create(pods, { metadata: { name: `pod-${index}` }, spec }, { namespace: 'crowded' })
          : lab.client.create(configMaps, { metadata: { name: `map-${index}` } }, { namespace: 'crowded' }),
    );
    await lab.client.delete(namespaces, { name: 'crowded' });
    await eventually(async () =>
      (await unlessNotFound(lab.client.get(namespaces, { name: 'crowded' }))) ? undefined : true,
    );
  }, 30_000);

  test('a namespace that something holds says what, and goes when it is let go', async () => {
    await lab.client.create(namespaces, { metadata: { name: 'held' } }, {});
    const metadata = { name: 'holder', finalizers: ['example.com/hold'] };
    await lab.client.create(configMaps, { metadata }, { namespace: 'held' });
    await lab.client.delete(namespaces, { name: 'held' });
    const condition = await eventually(async () => {
      const { status } = await lab.client.get(namespaces, { name: 'held' });
      return status?.conditions?.find(
        ({ type, status: is }) => type === 'NamespaceFinalizersRemaining' && is === 'True',
      );
    });
    expect(condition.message).toContain('example.com/hold in 1 resource instances');
    await lab.client.patch(configMaps, { namespace: 'held', name: 'holder' }, { metadata: { finalizers: null } });
    await eventually(async () =>
      (await unlessNotFound(lab.client.get(namespaces, { name: 'held' }))) ? undefined : true,
    );
  });

  test('a new namespace gets its default account and the certificate to verify the server with', async () => {
    await lab.client.create(namespaces, { metadata: { name: 'fresh' } }, {});
    await eventually(() => unlessNotFound(lab.client.get(serviceAccounts, { namespace: 'fresh', name: 'default' })));
    const map = await eventually(() =>
      unlessNotFound(lab.client.get(configMaps, { namespace: 'fresh', name: 'kube-root-ca.crt' })),
    );
    expect(map.data?.['ca.crt']).toBe(lab.server.certificateAuthority);
  });
});

describe('certificates', () => {
  async function request(
    name: string,
    signerName: string,
    more: {
      readonly subject: string;
      readonly usages: readonly string[];
      readonly expirationSeconds?: number;
      readonly dns?: string;
      readonly ca?: boolean;
    },
  ) {
    const lib = await x509();
    const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
    const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
    const extensions = [
      ...(more.dns ? [new lib.SubjectAlternativeNameExtension([{ type: 'dns', value: more.dns }])] : []),
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
    await lab.client.create(certificateSigningRequests, { metadata: { name }, spec }, {});
    const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
    return `-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----\n`;
  }

  async function approve(name: string) {
    const csr = await lab.client.get(certificateSigningRequests, { name });
    const conditions = [{ type: 'Approved', status: 'True', reason: 'Test', message: 'yes' }];
    await lab.client.replace(certificateSigningRequests, { ...csr, status: { ...csr.status, conditions } }, 'approval');
  }

  const outcome = (name: string) =>
    eventually(async () => {
      const csr = await lab.client.get(certificateSigningRequests, { name });
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
    const access = JSON.parse(lab.kubeconfig);
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

  test('a signer of one’s own signs with its own authority and tells whom to trust', async () => {
    const more = { subject: 'CN=shop.prod.svc', usages: ['digital signature', 'server auth'], dns: 'shop.prod.svc' };
    await request('workload', 'example.com/workload', more);
    await approve('workload');
    const certificate = new X509Certificate(certificateOf(await outcome('workload')));
    const trust = await lab.client.get(configMaps, { namespace: 'kube-public', name: 'example-signer' });
    expect(certificate.verify(new X509Certificate(trust.data?.['ca.crt'] ?? '').publicKey)).toBe(true);
    expect(certificate.verify(new X509Certificate(authority.certificate).publicKey)).toBe(false);
  });

  test('a denied request is not signed', async () => {
    await request('denied', 'kubernetes.io/kube-apiserver-client', { subject: 'CN=a', usages: client });
    const csr = await lab.client.get(certificateSigningRequests, { name: 'denied' });
    const conditions = [{ type: 'Denied', status: 'True', reason: 'Test', message: 'no' }];
    await lab.client.replace(certificateSigningRequests, { ...csr, status: { conditions } }, 'approval');
    await request('after-denied', 'kubernetes.io/kube-apiserver-client', { subject: 'CN=a', usages: client });
    await approve('after-denied');
    await outcome('after-denied');
    expect((await lab.client.get(certificateSigningRequests, { name: 'denied' })).status?.certificate).toBeUndefined();
  });
});

describe('the others', () => {
  test('a deployment rolls to a new template and its service follows', async () => {
    const labels = { app: 'web' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'web:1' }] } };
    await lab.client.create(
      deployments,
      { metadata: { name: 'web' }, spec: { replicas: 3, selector: { matchLabels: labels }, template } },
      { namespace },
    );
    await lab.client.create(
      services,
      { metadata: { name: 'web' }, spec: { selector: labels, ports: [{ port: 80 }] } },
      { namespace },
    );
    const rolled = (image: string) =>
      eventually(async () => {
        const { status, metadata, spec } = await lab.client.get(deployments, { namespace, name: 'web' });
        const done = status?.updatedReplicas === 3 && status.availableReplicas === 3 && status.replicas === 3;
        return done &&
          status.observedGeneration === metadata?.generation &&
          spec?.template.spec?.containers[0]?.image === image
          ? status
          : undefined;
      });
    await rolled('web:1');
    await lab.client.patch(
      deployments,
      { namespace, name: 'web' },
      { spec: { template: { spec: { containers: [{ name: 'main', image: 'web:2' }] } } } },
    );
    await rolled('web:2');
    const { items: sets } = await lab.client.list(replicaSets, { namespace });
    expect(sets.map(({ spec }) => spec?.replicas).sort()).toEqual([0, 3]);
    await eventually(async () => {
      const { items } = await lab.client.list(endpointSlices, {
        namespace,
        labelSelector: 'kubernetes.io/service-name=web',
      });
      const all = items.flatMap(({ endpoints = [] }) => endpoints);
      return all.length === 3 && all.every(({ conditions }) => conditions?.ready) ? all : undefined;
    });
  });

  test('a bootstrap token is deleted when it runs out', async () => {
    const data = (values: Record<string, string>) =>
      Object.fromEntries(Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')]));
    const place = { namespace: 'kube-system' };
    const token = (id: string, expiration: string) => ({
      metadata: { name: `bootstrap-token-${id}` },
      type: 'bootstrap.kubernetes.io/token',
      data: data({ 'token-id': id, 'token-secret': '0123456789abcdef', expiration }),
    });
    await lab.client.create(secrets, token('old001', formatTime(Date.now() - 60_000)), place).catch(() => {});
    await lab.client.create(secrets, token('new001', formatTime(Date.now() + 600_000)), place);
    await eventually(async () =>
      (await unlessNotFound(lab.client.get(secrets, { ...place, name: 'bootstrap-token-old001' }))) ? undefined : true,
    );
    expect((await lab.client.get(secrets, { ...place, name: 'bootstrap-token-new001' })).metadata?.name).toBeDefined();
  });

  test('a quota tells what is used', async () => {
    await lab.client.create(namespaces, { metadata: { name: 'rationed' } }, {});
    await lab.client.create(
      resourceQuotas,
      { metadata: { name: 'q' }, spec: { hard: { configmaps: '5', pods: '2' } } },
      { namespace: 'rationed' },
    );
    const used = (count: string) =>
      eventually(async () => {
        const { status } = await lab.client.get(resourceQuotas, { namespace: 'rationed', name: 'q' });
        return status?.used?.['configmaps'] === count ? status : undefined;
      });
    expect((await used('1')).hard).toEqual({ configmaps: '5', pods: '2' });
    await lab.client.create(configMaps, { metadata: { name: 'mine' } }, { namespace: 'rationed' });
    await used('2');
    await lab.client.delete(configMaps, { namespace: 'rationed', name: 'mine' });
    await used('1');
  });

  test('the node is ready, without taints, and renews its lease', async () => {
    const node = await lab.client.get(nodes, { name: 'touchstone-node' });
    expect(node.status?.conditions?.find(({ type }) => type === 'Ready')?.status).toBe('True');
    await eventually(async () =>
      (await lab.client.get(nodes, { name: 'touchstone-node' })).spec?.taints ? undefined : true,
    );
  });

  test('a deleted pod has its grace', async () => {
    const metadata = { name: 'graceful', annotations: { 'touchstone.example/stop-for': '300ms' } };
    await lab.client.create(pods, { metadata, spec: { containers: [{ name: 'main', image: 'b' }] } }, { namespace });
    await eventually(async () =>
      (await lab.client.get(pods, { namespace, name: 'graceful' })).status?.phase === 'Running' ? true : undefined,
    );
    const began = Date.now();
    await lab.client.delete(pods, { namespace, name: 'graceful' });
    await eventually(() => gone(pods, 'graceful'));
    expect(Date.now() - began).toBeGreaterThanOrEqual(300);
  });
});
