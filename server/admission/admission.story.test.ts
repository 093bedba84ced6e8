import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import { configMap, isFailure, startTestServer, type TestServer } from '../stories/test-server.fixture.ts';

const namespaces = '/api/v1/namespaces';
const merge = 'application/merge-patch+json';
const pod = (name: string, spec: object = {}) => ({
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'i:1' }], ...spec },
});

async function namespace(server: TestServer, name: string): Promise<string> {
  await server.post(namespaces, { metadata: { name } });
  await server.post(`${namespaces}/${name}/serviceaccounts`, { metadata: { name: 'default' } });
  return `${namespaces}/${name}`;
}

async function quota(
  server: TestServer,
  base: string,
  hard: Record<string, string>,
): Promise<() => Promise<Record<string, string>>> {
  const url = `${base}/resourcequotas`;
  await server.post(url, { metadata: { name: 'q' }, spec: { hard } });
  const used = Object.fromEntries(Object.keys(hard).map((name) => [name, '0']));
  await server.patch(`${url}/q/status`, { status: { hard, used } }, merge);
  return async () => (await server.get(`${url}/q`)).body.status.used;
}

describe('a server as it is', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  it('admits exactly 100 of 200 creates at the same time against a quota of 100', async () => {
    const base = await namespace(server, 'race');
    const used = await quota(server, base, { configmaps: '100', 'count/configmaps': '150' });
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) => server.post(`${base}/configmaps`, configMap(`c-${index}`))),
    );
    const admitted = answers.filter(({ status }) => status === 201);
    expect(admitted).toHaveLength(100);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.every(({ body }) => isFailure(body, 403) && body.message.includes('exceeded quota: q'))).toBe(true);
    expect((await server.get(`${base}/configmaps`)).body.items).toHaveLength(100);
    expect(await used()).toEqual({ configmaps: '100', 'count/configmaps': '100' });
  });

  it('gives quota back that a create took which then failed', async () => {
    const base = await namespace(server, 'again');
    const used = await quota(server, base, { secrets: '2' });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => server.post(`${base}/secrets`, { metadata: { name: 'same' } })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(await used()).toEqual({ secrets: '1' });
    expect((await server.post(`${base}/secrets`, { metadata: { name: 'other' } })).status).toBe(201);
    expect(await used()).toEqual({ secrets: '2' });
  });

  it('counts an update once, however often it is tried', async () => {
    const base = await namespace(server, 'retries');
    const used = await quota(server, base, { 'services.nodeports': '5' });
    const service = { metadata: { name: 's' }, spec: { ports: [{ port: 80 }], selector: { a: 'b' } } };
    await server.post(`${base}/services`, service);
    const changes = Array.from({ length: 8 }, (_, index) => ({
      metadata: { labels: { [`l${index}`]: 'x' } },
      spec: { type: 'NodePort' },
    }));
    const answers = await Promise.all(changes.map((change) => server.patch(`${base}/services/s`, change, merge)));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(await used()).toEqual({ 'services.nodeports': '1' });
  });

  it('tells of the missing namespace before the invalid object, for every kind of write that creates', async () => {
    const missing = `${namespaces}/nowhere`;
    for (const answer of [
      await server.post(`${missing}/configmaps`, { metadata: { name: 'In Valid' } }),
      await server.post(`${missing}/pods/p/eviction`, {
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata: { name: 'p' },
      }),
      await server.post(`${missing}/serviceaccounts/a/token`, {}),
    ]) {
      expect(answer.status).toBe(404);
      expect(answer.body.details).toEqual({ kind: 'namespaces', name: 'nowhere' });
    }
  });

  it('puts together a pod from account, range, class and tolerations', async () => {
    const base = await namespace(server, 'whole');
    await server.post(`${base}/limitranges`, {
      metadata: { name: 'r' },
      spec: { limits: [{ type: 'Container', default: { cpu: '1' } }] },
    });
    const { body, status } = await server.post(`${base}/pods`, pod('p'));
    expect(status).toBe(201);
    expect(body.spec).toMatchObject({
      serviceAccountName: 'default',
      priority: 0,
      preemptionPolicy: 'PreemptLowerPriority',
    });
    expect(body.spec.containers[0].resources).toEqual({ limits: { cpu: '1' }, requests: { cpu: '1' } });
    expect(body.spec.containers[0].volumeMounts).toHaveLength(1);
    expect(body.spec.tolerations).toHaveLength(2);
    expect(body.status.qosClass).toBe('Burstable');
  });

  it('enforces the Pod Security Standards as the labels of a namespace say, from the next request on', async () => {
    const base = await namespace(server, 'secure');
    expect((await server.post(`${base}/pods`, pod('before', { hostPID: true }))).status).toBe(201);
    const label = {
      metadata: {
        labels: { 'pod-security.kubernetes.io/enforce': 'baseline', 'pod-security.kubernetes.io/warn': 'restricted' },
      },
    };
    const labelled = await server.patch(base, label, merge);
    expect(labelled.headers.warning).toBe(
      '299 - "existing pods in namespace \\"secure\\" violate the new PodSecurity enforce level \\"baseline:latest\\"", 299 - "before: host namespaces"',
    );
    expect((await server.post(`${base}/pods`, pod('after', { hostPID: true }))).body.message).toContain(
      'violates PodSecurity "baseline:latest"',
    );
    const plain = await server.post(`${base}/pods`, pod('plain'));
    expect(plain.status).toBe(201);
    expect(plain.headers.warning).toContain('would violate PodSecurity');
  });
});

describe('a server that was told', () => {
  const folder = temporaryFolder();
  const bad = join(folder, 'bad.yaml');
  writeFileSync(bad, 'a: [b\n');

  it('runs the plugins it was given, in any order, and leaves out the others', async () => {
    const server = await startTestServer({
      enableAdmissionPlugins: ['AlwaysPullImages', 'SecurityContextDeny', 'AlwaysAdmit'],
      disableAdmissionPlugins: ['ResourceQuota', 'ServiceAccount', 'NamespaceLifecycle', 'PodSecurity'],
    });
    try {
      const base = `${namespaces}/nowhere`;
      await quota(server, base, { pods: '0' });
      const { body, status } = await server.post(`${base}/pods`, pod('p'));
      expect(status).toBe(201);
      expect(body.spec.serviceAccountName).toBeUndefined();
      expect(body.spec.containers[0].imagePullPolicy).toBe('Always');
      const denied = await server.post(`${base}/pods`, pod('q', { securityContext: { runAsUser: 1 } }));
      expect(denied.body.message).toBe('pods "q" is forbidden: pod.Spec.SecurityContext.RunAsUser is forbidden');
      expect((await server.delete(`${namespaces}/default`)).status).toBe(200);
    } finally {
      await server.stop();
    }
  });

  it('reads what plugins are configured with', async () => {
    const file = join(folder, 'admission.yaml');
    writeFileSync(
      join(folder, 'events.yaml'),
      'apiVersion: eventratelimit.admission.k8s.io/v1alpha1\nkind: Configuration\nlimits:\n- {type: Namespace, qps: 1, burst: 1}\n',
    );
    writeFileSync(
      file,
      `apiVersion: apiserver.config.k8s.io/v1
kind: AdmissionConfiguration
plugins:
- name: EventRateLimit
  path: events.yaml
- name: PodSecurity
  configuration:
    apiVersion: pod-security.admission.config.k8s.io/v1
    kind: PodSecurityConfiguration
    defaults: {enforce: baseline}
    exemptions: {namespaces: [kube-system]}
`,
    );
    const server = await startTestServer({
      admissionControlConfigFile: file,
      enableAdmissionPlugins: ['EventRateLimit'],
    });
    try {
      const base = await namespace(server, 'configured');
      expect((await server.post(`${base}/pods`, pod('p', { hostIPC: true }))).status).toBe(403);
      const event = (name: string) => ({ metadata: { name }, involvedObject: { namespace: 'configured', name: 'x' } });
      expect((await server.post(`${base}/events`, event('a'))).status).toBe(201);
      expect((await server.post(`${base}/events`, event('b'))).status).toBe(429);
    } finally {
      await server.stop();
    }
  });

  it.each([
    [{ enableAdmissionPlugins: ['Nonsense'] }, 'there is no plugin "Nonsense"'],
    [{ enableAdmissionPlugins: ['EventRateLimit'] }, 'EventRateLimit needs a Configuration'],
    [{ admissionControlConfigFile: join(folder, 'absent.yaml') }, 'absent.yaml'],
    [{ admissionControlConfigFile: bad }, `${bad}: `],
  ])('does not start with %j', async (options, message) => {
    await expect(startTestServer(options)).rejects.toThrow(message);
  });
});
