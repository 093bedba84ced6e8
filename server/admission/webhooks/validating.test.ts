import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { type SentReview, startTestWebhook } from './webhook-server.fixture.ts';
import { calm, configMaps, hook, install, map, startScene } from './webhook-stories.fixture.ts';

const { server, webhook, ends } = await startScene();
const other = await startTestWebhook();
let count = 0;
const fresh = () => `map-${count++}`;

beforeEach(() => calm(other));
afterAll(() => other.close());

const installed = async (hooks: readonly object[], name?: string) => {
  ends.push(await install(server, 'validating', hooks, name));
};

const refused = (status: object | undefined) => ({ allowed: false, ...(status && { status }) });

describe('a refusal', () => {
  beforeEach(async () => installed([await hook(webhook)]));
  const denied = 'admission webhook "one.example.com" denied the request';

  it.each<[string, object | undefined, number, object]>([
    ['without a status', undefined, 400, { message: `${denied} without explanation` }],
    ['with a message', { message: 'not today' }, 400, { message: `${denied}: not today` }],
    ['with a code', { code: 418 }, 418, { message: `${denied} without explanation` }],
    ['with a reason alone', { reason: 'Expired' }, 400, { message: `${denied}: Expired`, reason: 'Expired' }],
    [
      'with a code that is no refusal',
      { code: 200, message: 'odd' },
      400,
      { message: `${denied}: odd`, status: 'Failure' },
    ],
    ['with a code that HTTP/2 has no room for', { code: 700 }, 599, { code: 700 }],
    ['with a code that HTTP does not know', { code: 2 ** 40 }, 599, { code: 999 }],
    [
      'with details',
      { code: 422, details: { name: 'x', causes: [{ field: 'f' }] } },
      422,
      { details: { name: 'x', causes: [{ field: 'f' }] } },
    ],
  ])('%s', async (_, status, code, body) => {
    webhook.respond = () => refused(status);
    expect(await server.post(configMaps, map(fresh()))).toMatchObject({ status: code, body });
  });

  it('keeps what would be deleted', async () => {
    const name = fresh();
    await server.post(configMaps, map(name));
    webhook.respond = () => refused({ message: 'keep it' });
    expect((await server.delete(`${configMaps}/${name}`)).status).toBe(400);
    expect((await server.delete(configMaps)).status).toBe(400);
    expect((await server.get(`${configMaps}/${name}`)).status).toBe(200);
    webhook.respond = () => ({});
  });

  it('by one of many is a refusal; all are asked at the same time', async () => {
    await installed([await hook(other)], 'another');
    const both = Promise.withResolvers<void>();
    const meet = (answer: object) => async () => {
      if (webhook.received.length + other.received.length === 2) both.resolve();
      await both.promise;
      return answer;
    };
    webhook.respond = meet({ warnings: ['second'] });
    other.respond = meet({ ...refused({ message: 'no' }), warnings: ['first'] });
    const answer = await server.post(configMaps, map(fresh()));
    expect(answer.status).toBe(400);
    expect(String(answer.headers['warning'])).toBe('299 - "first", 299 - "second"');
  });
});

describe('what a validating webhook is sent', () => {
  const sent = () => webhook.received.splice(0).map(({ request }) => request);

  it('is the object as it will be stored, past validation, even when its name is taken', async () => {
    await installed([await hook(webhook)]);
    const name = fresh();
    expect((await server.post(configMaps, map('Bad_Name'))).status).toBe(422);
    expect(sent()).toEqual([]);
    await server.post(configMaps, map(name));
    await server.post(configMaps, map(name));
    expect(sent().map(({ object }) => typeof object.metadata.uid)).toEqual(['string', 'string']);
  });

  it('is a fresh uid with each call, who asks, and what for', async () => {
    await installed([await hook(webhook)]);
    const name = fresh();
    await server.post(`${configMaps}?fieldManager=me&fieldValidation=Strict`, map(name, { a: '1' }));
    await server.patch(`${configMaps}/${name}`, { data: { a: '2' } }, 'application/merge-patch+json');
    await server.call('DELETE', `${configMaps}/${name}`, {
      body: { gracePeriodSeconds: 3, propagationPolicy: 'Background' },
      headers: { 'impersonate-user': 'jane', 'impersonate-group': 'system:masters', 'impersonate-extra-scopes': 'a' },
    });
    const [created, updated, deleted] = sent();
    expect(new Set([created?.uid, updated?.uid, deleted?.uid]).size).toBe(3);
    expect(created).toMatchObject({
      name,
      options: { kind: 'CreateOptions', fieldManager: 'me', fieldValidation: 'Strict' },
    });
    expect(updated).toMatchObject({
      operation: 'UPDATE',
      object: { data: { a: '2' } },
      oldObject: { data: { a: '1' } },
      options: { kind: 'UpdateOptions' },
    });
    expect(updated?.object.metadata.resourceVersion).toBe(updated?.oldObject.metadata.resourceVersion);
    expect(deleted).toMatchObject({
      operation: 'DELETE',
      object: null,
      oldObject: { data: { a: '2' } },
      options: {
        apiVersion: 'meta.k8s.io/v1',
        kind: 'DeleteOptions',
        gracePeriodSeconds: 3,
        propagationPolicy: 'Background',
      },
      userInfo: { username: 'jane', extra: { scopes: ['a'] } },
    });
  });

  it('is one DELETE without a name for each object of a collection', async () => {
    const names = [fresh(), fresh()];
    for (const name of names) await server.post(configMaps, map(name, undefined, { labels: { pick: 'me' } }));
    await installed([await hook(webhook)]);
    await server.delete(`${configMaps}?labelSelector=pick%3Dme`);
    const requests = sent();
    expect(requests.map(({ oldObject }) => oldObject.metadata.name).sort()).toEqual(names);
    for (const request of requests) expect(request).not.toHaveProperty('name');
  });

  it('is the options of a connection, but no reading of logs, and an eviction without the delete it causes', async () => {
    const pods = '/api/v1/namespaces/default/pods';
    await server.post('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
    const pod = await server.post(pods, { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } });
    expect(pod.status).toBe(201);
    await installed([
      await hook(webhook, {
        rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods', 'pods/*'] }],
      }),
    ]);
    await server.post(`${pods}/p/exec?command=ls&command=-l&stdout=true&tty=false`, undefined);
    await server.get(`${pods}/p/log`);
    await server.post(`${pods}/p/eviction`, { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } });
    const [exec, eviction, ...more] = sent();
    expect(more).toEqual([]);
    expect(exec).toMatchObject({
      operation: 'CONNECT',
      subResource: 'exec',
      kind: { kind: 'PodExecOptions' },
      options: null,
      name: 'p',
    });
    expect(exec?.object).toEqual({ kind: 'PodExecOptions', apiVersion: 'v1', command: ['ls', '-l'], stdout: true });
    expect(eviction).toMatchObject({ operation: 'CREATE', subResource: 'eviction', kind: { kind: 'Eviction' } });
  });

  it('is a dry run as such', async () => {
    await installed([await hook(webhook, { sideEffects: 'NoneOnDryRun' })]);
    await server.post(`${configMaps}?dryRun=All`, map(fresh()));
    expect(sent()[0]).toMatchObject({ dryRun: true, options: { dryRun: ['All'] } });
  });

  it('is v1beta1 where that is offered first', async () => {
    await installed([await hook(webhook, { admissionReviewVersions: ['v9', 'v1beta1', 'v1'] })]);
    expect((await server.post(configMaps, map(fresh()))).status).toBe(201);
    expect((webhook.received[0] as SentReview).apiVersion).toBe('admission.k8s.io/v1beta1');
  });
});

describe('configurations', () => {
  it('are in force as soon as they are written, changed or gone', async () => {
    const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/story';
    webhook.respond = () => refused({ message: 'no' });
    await installed([await hook(webhook)]);
    expect((await server.post(configMaps, map(fresh()))).status).toBe(400);
    const selector = { webhooks: [await hook(webhook, { objectSelector: { matchLabels: { a: 'b' } } })] };
    await server.patch(path, selector, 'application/merge-patch+json');
    expect((await server.post(configMaps, map(fresh()))).status).toBe(201);
    expect((await server.post(configMaps, map(fresh(), undefined, { labels: { a: 'b' } }))).status).toBe(400);
    await server.delete(path);
    expect((await server.post(configMaps, map(fresh(), undefined, { labels: { a: 'b' } }))).status).toBe(201);
  });

  it('are never sent to webhooks themselves', async () => {
    webhook.respond = () => refused({ message: 'never' });
    await installed([
      await hook(webhook, { rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }] }),
    ]);
    expect((await server.post('/api/v1/namespaces', { metadata: { name: 'any' } })).status).toBe(400);
    const path = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations';
    expect((await server.post(path, { metadata: { name: 'free' } })).status).toBe(201);
    expect((await server.delete(`${path}/free`)).status).toBe(200);
  });
});
