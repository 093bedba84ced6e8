import { afterEach, expect, test } from 'vitest';
import type { Send } from '../verbs/client.ts';
import { allOf } from '../verbs/guest/permit.ts';
import { asking } from './inspect.ts';
import { type Reference, startReference } from './reference.ts';
import { sweep } from './sweep.ts';

let reference: Reference | undefined;

afterEach(() => reference?.stop());

const webhooks = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';

test('what runs have left is removed, by label, and nothing else', async () => {
  reference = await startReference();
  await asking(reference.target, async (send) => {
    const make = async (path: string, name: string, run: string | undefined, more: object = {}): Promise<void> => {
      const metadata = { name, labels: run ? { 'touchstone/run': allOf(run).run } : {}, ...more };
      expect((await send('POST', path, { body: { metadata } })).status).toBe(201);
    };
    await make('/api/v1/namespaces', 'ours', 'r1');
    await make('/api/v1/namespaces/ours/secrets', 'inside', undefined);
    await make('/api/v1/namespaces/kube-system/secrets', 'outside', 'r1');
    await make(roles, 'held', 'r2', { finalizers: ['example.com/held'] });
    await make(webhooks, 'hook', 'r1');
    await make('/api/v1/namespaces', 'theirs', undefined);
    const one = await sweep(send, { run: 'r1', finalize: true });
    expect(one.left).toEqual([]);
    expect(one.removed).toEqual([
      `${webhooks}/hook`,
      '/api/v1/namespaces/kube-system/secrets/outside',
      '/api/v1/namespaces/ours',
    ]);
    expect((await send('GET', '/api/v1/namespaces/ours')).status).toBe(404);
    expect((await send('GET', '/api/v1/namespaces/ours/secrets/inside')).status).toBe(404);
    expect((await sweep(send, { finalize: true })).removed).toEqual([`${roles}/held`]);
    expect((await send('GET', '/api/v1/namespaces/theirs')).status).toBe(200);
    expect(await sweep(send, { finalize: true })).toEqual({ removed: [], left: [] });
  });
});

test('a server that forgets selectors, and says that each list goes on, loses nothing of others, and the sweep ends', async () => {
  reference = await startReference();
  await asking(reference.target, async (send) => {
    const made = async (name: string, labels: object): Promise<void> =>
      expect((await send('POST', '/api/v1/namespaces', { body: { metadata: { name, labels } } })).status).toBe(201);
    await made('ours', { 'touchstone/run': 'r1' });
    await made('of-another-run', { 'touchstone/run': 'r2' });
    await made('theirs', {});
    const forgetful: Send = async (method, path, options) => {
      const answer = await send(method, path, method === 'GET' ? {} : options);
      if (!answer.body?.items) return answer;
      return { ...answer, body: { ...answer.body, metadata: { ...answer.body.metadata, continue: 'more' } } };
    };
    const one = await sweep(forgetful, { run: 'r1', finalize: true });
    expect(one).toEqual({ removed: ['/api/v1/namespaces/ours'], left: [] });
    expect((await sweep(forgetful, { finalize: true })).removed).toEqual(['/api/v1/namespaces/of-another-run']);
    expect((await send('GET', '/api/v1/namespaces/theirs')).status).toBe(200);
  });
});

test('a pod that was bound to a node goes at once, be there an agent or not', async () => {
  reference = await startReference();
  await asking(reference.target, async (send) => {
    const made = async (path: string, body: object): Promise<void> =>
      expect((await send('POST', path, { body })).status, path).toBe(201);
    const labels = { 'touchstone/run': allOf('r1').run };
    await made('/api/v1/namespaces', { metadata: { name: 'ours', labels } });
    const spec = { nodeName: 'nowhere', containers: [{ name: 'main', image: 'registry.example/pause:1' }] };
    for (const place of ['ours', 'kube-system'].map((name) => `/api/v1/namespaces/${name}`)) {
      await send('POST', `${place}/serviceaccounts`, { body: { metadata: { name: 'default' } } });
      await made(`${place}/pods`, { metadata: { name: 'bound', ...(place.endsWith('ours') ? {} : { labels }) }, spec });
    }
    expect((await sweep(send, { finalize: true })).left).toEqual([]);
    expect((await send('GET', '/api/v1/pods')).body.items).toEqual([]);
  });
});
