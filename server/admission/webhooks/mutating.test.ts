import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { patchOf, type SentReview, startTestWebhook, type TestWebhook } from './webhook-server.fixture.ts';
import { configMaps, hook, install, map, startScene } from './webhook-stories.fixture.ts';

const { server, webhook, ends, endAll } = await startScene();
let count = 0;
const fresh = () => `map-${count++}`;

const installed = async (hooks: readonly object[], name?: string) => {
  ends.push(await install(server, 'mutating', hooks, name));
};

describe('a mutating webhook', () => {
  beforeEach(async () => installed([await hook(webhook)]));

  it('changes what is stored, and owns nothing of it', async () => {
    webhook.respond = () =>
      patchOf({ op: 'add', path: '/data/added', value: 'yes' }, { op: 'add', path: '/unknown', value: 1 });
    const { status, body } = await server.post(configMaps, map(fresh(), { own: 'a' }));
    expect(status).toBe(201);
    expect(body.data).toEqual({ own: 'a', added: 'yes' });
    expect(body).not.toHaveProperty('unknown');
    expect(JSON.stringify(body.metadata.managedFields)).not.toContain('f:added');
  });

  it('sees a new object before it has an identity, with its managers', async () => {
    await server.post(configMaps, { metadata: { generateName: 'gen-' }, data: { a: '1' } });
    const { request } = webhook.received[0] as SentReview;
    expect(request).not.toHaveProperty('name');
    expect(request.object.metadata).not.toHaveProperty('uid');
    expect(request.object.metadata.creationTimestamp ?? null).toBeNull();
    expect(request.object.metadata.managedFields).toHaveLength(1);
    expect(request).toMatchObject({ operation: 'CREATE', oldObject: null, dryRun: false, namespace: 'default' });
    expect(request['options']).toEqual({ kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' });
  });

  it('may give a new object another name, but no other namespace or identity', async () => {
    const [name, other] = [fresh(), fresh()];
    webhook.respond = () =>
      patchOf(
        { op: 'replace', path: '/metadata/name', value: other },
        { op: 'add', path: '/metadata/uid', value: 'mine' },
      );
    const { body } = await server.post(configMaps, map(name));
    expect(body.metadata.name).toBe(other);
    expect(body.metadata.uid).not.toBe('mine');
    webhook.respond = () => patchOf({ op: 'replace', path: '/metadata/namespace', value: 'kube-system' });
    expect((await server.post(configMaps, map(fresh()))).status).toBe(400);
  });

  it.each<[string, object, string]>([
    ['is no JSON', { patchType: 'JSONPatch', patch: 'bm9wZQ==' }, 'json parse error'],
    [
      'is no JSON patch',
      { patchType: 'JSONPatch', patch: Buffer.from('{"a":1}').toString('base64') },
      'list of operations',
    ],
    [
      'is nested beyond all reason',
      { patchType: 'JSONPatch', patch: Buffer.from(`[${'['.repeat(5000)}`).toString('base64') },
      'nested',
    ],
    [
      'does not apply',
      patchOf({ op: 'add', path: '/data/a', value: 'x' }, { op: 'remove', path: '/data/none' }),
      'operation 1 of the patch, remove "/data/none", does not apply',
    ],
    ['fails a test', patchOf({ op: 'test', path: '/data/a', value: '2' }), 'operation 0'],
    ['makes what does not decode', patchOf({ op: 'replace', path: '/data', value: 7 }), 'data'],
    ['makes another kind', patchOf({ op: 'replace', path: '/kind', value: 'Secret' }), 'Kind=Secret'],
    ['makes no object', patchOf({ op: 'replace', path: '', value: [1] }), 'object'],
  ])('whose patch %s fails the request, whatever the failurePolicy', async (_, response, message) => {
    await endAll();
    await installed([await hook(webhook, { failurePolicy: 'Ignore' })]);
    webhook.respond = () => response;
    const { status, body } = await server.post(configMaps, map(fresh(), { a: '1' }));
    expect(status).toBe(500);
    expect(body).toMatchObject({
      reason: 'InternalError',
      details: { causes: [{ message: expect.stringContaining(message) }] },
    });
  });

  it('whose patch makes an invalid object gets the usual answer', async () => {
    webhook.respond = () => patchOf({ op: 'add', path: '/data/bad key', value: '' });
    expect(await server.post(configMaps, map(fresh(), { a: '1' }))).toMatchObject({ status: 422 });
  });

  it('cannot patch what is deleted', async () => {
    const name = fresh();
    await server.post(configMaps, map(name));
    webhook.respond = () => patchOf({ op: 'add', path: '/metadata/labels', value: {} });
    const { status, body } = await server.delete(`${configMaps}/${name}`);
    expect(status).toBe(500);
    expect(body.message).toContain('attempted to modify the object, which is not supported for this operation');
    webhook.respond = () => ({});
    expect((await server.get(`${configMaps}/${name}`)).status).toBe(200);
  });

  it('cannot spoil the managers of an object', async () => {
    const managers = [{ manager: 'odd', operation: 'Odd', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} }];
    webhook.respond = () => patchOf({ op: 'replace', path: '/metadata/managedFields', value: managers });
    const { body, headers } = await server.post(configMaps, map(fresh(), { a: '1' }));
    expect(body.metadata.managedFields).toMatchObject([{ operation: 'Update', fieldsV1: { 'f:data': { 'f:a': {} } } }]);
    expect(headers['warning']).toContain('managedFields');
  });

  it('cannot hurt by keys that every object has', async () => {
    webhook.respond = () =>
      patchOf({ op: 'add', path: '/data/__proto__', value: 'x' }, { op: 'add', path: '/data/constructor', value: 'y' });
    const { body } = await server.post(configMaps, map(fresh(), { a: '1' }));
    expect(Object.keys(body.data).sort()).toEqual(['__proto__', 'a', 'constructor']);
  });
});

describe('several mutating webhooks', () => {
  const note = (calls: string[], who: string, key?: string) => (review: SentReview) => {
    calls.push(
      `${who}:${Object.keys(review.request.object.data ?? {})
        .sort()
        .join('')}`,
    );
    return key && !review.request.object.data?.[key] ? patchOf({ op: 'add', path: `/data/${key}`, value: '1' }) : {};
  };
  const calls: string[] = [];
  const others: TestWebhook[] = [];
  beforeEach(() => void calls.splice(0));
  afterEach(async () => {
    for (const other of others.splice(0)) await other.close();
  });
  const named = async (name: string, respond: TestWebhook['respond'], more: object = {}) => {
    const other = await startTestWebhook(respond);
    others.push(other);
    return hook(other, { name: `${name}.example.com`, ...more });
  };

  it('are asked by name of configuration, then by place, each given the work of those before it', async () => {
    await installed([await named('z', note(calls, 'z', 'z')), await named('a', note(calls, 'a', 'a'))], 'second');
    await installed([await named('m', note(calls, 'm', 'm'))], 'first');
    const { body } = await server.post(configMaps, map(fresh(), { x: '1' }));
    expect(calls).toEqual(['m:x', 'z:mx', 'a:mxz']);
    expect(Object.keys(body.data).sort().join('')).toBe('amxz');
  });

  it('are asked once more when somebody else changed the object after them, if they want to be', async () => {
    await installed([
      await named('one', note(calls, 'one', 'a'), { reinvocationPolicy: 'IfNeeded' }),
      await named('two', note(calls, 'two', 'b')),
      await named('three', note(calls, 'three', 'c'), { reinvocationPolicy: 'IfNeeded' }),
    ]);
    await server.post(configMaps, map(fresh(), { x: '1' }));
    expect(calls).toEqual(['one:x', 'two:ax', 'three:abx', 'one:abcx']);
    calls.length = 0;
    await server.post(configMaps, map(fresh(), { x: '1', b: '1', c: '1' }));
    expect(calls).toEqual(['one:bcx', 'two:abcx', 'three:abcx']);
  });

  it('that never agree end after the second round', async () => {
    const flip = (who: string) => () => {
      calls.push(who);
      return patchOf({ op: 'replace', path: '/data/x', value: `${who}${calls.length}` });
    };
    await installed([
      await named('one', flip('one'), { reinvocationPolicy: 'IfNeeded' }),
      await named('two', flip('two'), { reinvocationPolicy: 'IfNeeded' }),
    ]);
    expect((await server.post(configMaps, map(fresh(), { x: '1' }))).status).toBe(201);
    expect(calls).toEqual(['one', 'two', 'one', 'two']);
  });

  it('end with the first refusal', async () => {
    await installed([
      await named('one', () => ({ allowed: false, status: { message: 'no' } })),
      await named('two', note(calls, 'two')),
    ]);
    expect(await server.post(configMaps, map(fresh()))).toMatchObject({ status: 400 });
    expect(calls).toEqual([]);
  });
});

describe('a webhook for another version', () => {
  it('is shown that version, and its patch reaches the version of the request', async () => {
    const rules = [
      { operations: ['*'], apiGroups: ['autoscaling'], apiVersions: ['v2'], resources: ['horizontalpodautoscalers'] },
    ];
    await installed([await hook(webhook, { rules })]);
    webhook.respond = ({ request }) =>
      request.operation === 'CREATE'
        ? patchOf({ op: 'replace', path: '/spec/metrics/0/resource/target/averageUtilization', value: 55 })
        : {};
    const path = '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers';
    const spec = {
      scaleTargetRef: { kind: 'Deployment', name: 'd' },
      maxReplicas: 3,
      targetCPUUtilizationPercentage: 70,
    };
    const { body } = await server.post(path, { metadata: { name: 'h' }, spec });
    expect(body).toMatchObject({ apiVersion: 'autoscaling/v1', spec: { targetCPUUtilizationPercentage: 55 } });
    await server.delete(`${path}/h`);
    const [created, deleted] = webhook.received as [SentReview, SentReview];
    expect(created.request).toMatchObject({
      kind: { version: 'v2' },
      resource: { version: 'v2' },
      requestKind: { version: 'v1' },
      requestResource: { version: 'v1' },
      object: { apiVersion: 'autoscaling/v2' },
    });
    expect(deleted.request.oldObject.apiVersion).toBe('autoscaling/v2');
  });

  it('is given a Scale as it is, since that has one version only', async () => {
    const rules = [
      { operations: ['UPDATE'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments/scale'] },
    ];
    await installed([await hook(webhook, { rules })]);
    const path = '/apis/apps/v1/namespaces/default/deployments';
    const labels = { a: 'b' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    await server.post(path, { metadata: { name: 'd' }, spec: { selector: { matchLabels: labels }, template } });
    webhook.respond = () => patchOf({ op: 'replace', path: '/spec/replicas', value: 4 });
    const { body } = await server.patch(`${path}/d/scale`, { spec: { replicas: 3 } }, 'application/merge-patch+json');
    expect(body.spec.replicas).toBe(4);
    expect((await server.get(`${path}/d`)).body.spec.replicas).toBe(4);
    const { request } = webhook.received[0] as SentReview;
    expect(request).toMatchObject({
      kind: { kind: 'Scale' },
      object: { spec: { replicas: 3 } },
      oldObject: { spec: { replicas: 1 } },
    });
  });
});
