import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isFailure, startTestServer, type TestServer } from './test-server.fixture.ts';

/** What only a whole server can show of pods. */

const pods = '/api/v1/namespaces/default/pods';
const pod = (name: string, container: object = {}) => ({
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'i', ...container }] },
});

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ allowPrivileged: false, disableAdmissionPlugins: ['ServiceAccount'] });
});
afterAll(() => server.stop());

it('a server that allows no privileged containers refuses them', async () => {
  const { status, body } = await server.post(pods, pod('mighty', { securityContext: { privileged: true } }));
  expect(status).toBe(422);
  expect(body.details.causes).toEqual([
    {
      reason: 'FieldValueForbidden',
      message: 'Forbidden: disallowed by cluster policy',
      field: 'spec.containers[0].securityContext.privileged',
    },
  ]);
  expect((await server.post(pods, pod('modest'))).status).toBe(201);
});

it('an overhead counts as given when it is empty, and a class keeps it as fine as it was said', async () => {
  const classes = '/apis/node.k8s.io/v1/runtimeclasses';
  const of = (name: string, more: object) => ({ ...pod(name), spec: { ...pod(name).spec, ...more } });
  const made = await server.post(classes, {
    metadata: { name: 'fine' },
    handler: 'h',
    overhead: { podFixed: { cpu: '0.0001' } },
  });
  expect(made.body.overhead).toEqual({ podFixed: { cpu: '100u' } });
  expect((await server.post(pods, of('empty', { overhead: {} }))).status).toBe(403);
  expect((await server.post(pods, of('none', { overhead: null }))).status).toBe(201);
  const { body } = await server.post(pods, of('classy', { runtimeClassName: 'fine' }));
  expect(body.spec.overhead).toEqual({ cpu: '1m' });
});

it('a binding is of the pod and of the version that it says, by whichever way it comes', async () => {
  const { metadata } = (await server.post(pods, pod('meant'))).body;
  const bindings = [`${pods}/meant/binding`, '/api/v1/namespaces/default/bindings'];
  const bind = (path: string, more: object) =>
    server.post(path, { metadata: { name: 'meant', ...more }, target: { kind: 'Node', name: 'n' } });
  for (const path of bindings)
    for (const other of [{ uid: 'other' }, { resourceVersion: '1' }])
      expect((await bind(path, other)).status, `${path} ${JSON.stringify(other)}`).toBe(409);
  const { uid, resourceVersion } = metadata;
  expect((await bind(bindings[1] ?? '', { uid, resourceVersion })).status).toBe(201);
});

/** What a watch tells of a pod in order, until it goes. */
async function told(name: string, act: () => Promise<unknown>) {
  const { body } = await server.get(pods);
  const query = `watch=1&fieldSelector=metadata.name%3D${name}&resourceVersion=${body.metadata.resourceVersion}`;
  await act();
  const events = [];
  for await (const { type, object } of server.watch(`${pods}?${query}`)) {
    const { deletionTimestamp, deletionGracePeriodSeconds } = object.metadata;
    events.push([type, deletionTimestamp && 'marked', deletionGracePeriodSeconds]);
    if (type === 'DELETED') break;
  }
  return events;
}

describe('watchers of a pod see it marked before it goes', () => {
  const [added, gone] = [
    ['ADDED', undefined, undefined],
    ['DELETED', 'marked', 0],
  ];
  const bound = (name: string) => ({ ...pod(name), spec: { ...pod(name).spec, nodeName: 'somewhere' } });

  it('that no node has', async () => {
    const events = await told('idle', async () => {
      await server.post(pods, pod('idle'));
      const { body } = await server.delete(`${pods}/idle`);
      expect(body.metadata).toMatchObject({ deletionGracePeriodSeconds: 0 });
    });
    expect(events).toEqual([added, ['MODIFIED', 'marked', 0], gone]);
  });

  it('that is first given time, and then none', async () => {
    const events = await told('busy', async () => {
      await server.post(pods, bound('busy'));
      await server.delete(`${pods}/busy`);
      await server.delete(`${pods}/busy?gracePeriodSeconds=0`);
    });
    expect(events).toEqual([added, ['MODIFIED', 'marked', 30], ['MODIFIED', 'marked', 0], gone]);
  });

  it('unless it is held: then it stays, and goes with its last finalizer', async () => {
    const held = { ...pod('held'), metadata: { name: 'held', finalizers: ['example.com/x'] } };
    const events = await told('held', async () => {
      await server.post(pods, held);
      await server.delete(`${pods}/held`);
      expect((await server.get(`${pods}/held`)).status).toBe(200);
      await server.patch(`${pods}/held`, { metadata: { finalizers: null } }, 'application/merge-patch+json');
    });
    expect(events.slice(0, 2)).toEqual([added, ['MODIFIED', 'marked', 0]]);
    expect(events.at(-1)).toEqual(gone);
  });

  it('and a dry run tells nobody', async () => {
    await server.post(pods, pod('tried'));
    const { status, body } = await server.delete(`${pods}/tried?dryRun=All`);
    expect([status, body.metadata.deletionGracePeriodSeconds]).toEqual([200, 0]);
    const { body: after } = await server.get(`${pods}/tried`);
    expect(after.metadata.deletionTimestamp).toBeUndefined();
  });
});

it('a pod without node has written nothing', async () => {
  await server.post(pods, pod('quiet'));
  const { status, headers } = await server.get(`${pods}/quiet/log`);
  expect(status).toBe(204);
  expect(headers['content-type']).toBeUndefined();
});

it.each(['', '?x=1&y=%2F'])('a proxied node is found behind a slash (query %j)', async (query) => {
  const addresses = [{ type: 'InternalIP', address: '10.0.0.9' }];
  await server.post('/api/v1/nodes', {
    kind: 'Node',
    apiVersion: 'v1',
    metadata: { name: 'm' },
    status: { addresses },
  });
  const at = '/api/v1/nodes/m/proxy';
  const { status, headers } = await server.get(`${at}${query}`);
  expect([status, headers['location']]).toEqual([301, `${at}/${query}`]);
  expect((await server.get(`${at}/${query}`)).status).toBe(500);
});

describe('an eviction', () => {
  it.each(['policy/v1', 'policy/v1beta1', undefined])('may come as %s', async (apiVersion) => {
    await server.post(pods, pod('leaves'));
    const eviction = { kind: 'Eviction', apiVersion, metadata: { name: 'leaves' } };
    const { status, body } = await server.post(`${pods}/leaves/eviction`, eviction);
    expect(status).toBe(201);
    expect(body).toMatchObject({ kind: 'Status', status: 'Success' });
    expect((await server.get(`${pods}/leaves`)).status).toBe(404);
  });

  it.each([
    ['policy/v2', 'Eviction'],
    ['v1', 'Eviction'],
    ['policy/v1beta1', 'PodDisruptionBudget'],
    ['__proto__', 'Eviction'],
  ])('may not come as %s %s', async (apiVersion, kind) => {
    const { status, body } = await server.post(`${pods}/leaves/eviction`, { kind, apiVersion, metadata: {} });
    expect(status).toBe(400);
    expect(isFailure(body, 400)).toBe(true);
  });
});
