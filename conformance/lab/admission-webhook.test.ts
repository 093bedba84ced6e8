import { Agent, request } from 'undici';
import { afterAll, expect, test } from 'vitest';
import type { Json } from '../verbs/client.ts';
import { type Hook, type HookAnswer, openHook, spoiledUrl } from './admission-webhook.ts';

const agents: Agent[] = [];

afterAll(async () => {
  for (const agent of agents) await agent.close();
});

const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request: { uid: 'u-1', name: 'a' } };

const open = (respond: (review: Json) => HookAnswer): Promise<Hook> => openHook(respond, { host: '127.0.0.1' });

/** Calls a hook as a server would, trusting its own authority only. */
async function call(hook: Hook, url = hook.url, body: Json = review): Promise<{ status: number; body: Json }> {
  const agent = new Agent({ connect: { ca: Buffer.from(hook.caBundle, 'base64').toString('utf8') } });
  agents.push(agent);
  const answer = await request(url, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
    dispatcher: agent,
  });
  const text = await answer.body.text();
  return { status: answer.statusCode, body: text.startsWith('{') ? JSON.parse(text) : text };
}

test('a hook answers for the call it was asked about, and remembers what it was sent', async () => {
  const hook = await open(({ request: { name } }) => ({ allowed: name === 'b', status: { message: 'not you' } }));
  expect((await call(hook)).body).toEqual({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    response: { uid: 'u-1', allowed: false, status: { message: 'not you' } },
  });
  expect(hook.received).toMatchObject([
    { method: 'POST', contentType: 'application/json', authorization: '', certificate: '', review },
  ]);
});

test('hooks of one process share a port and are told apart', async () => {
  const [one, two] = [await open(() => ({ allowed: true })), await open(() => ({ allowed: false }))];
  expect(new URL(one.url).port).toBe(new URL(two.url).port);
  expect((await call(two)).body.response.allowed).toBe(false);
  expect(one.received).toEqual([]);
});

test('a hook can answer nonsense', async () => {
  const hook = await open(() => ({ raw: { status: 503, body: 'out of order' } }));
  expect(await call(hook)).toEqual({ status: 503, body: 'out of order' });
});

test('what is spoiled for the rule is not spoiled for the server', async () => {
  const hook = await open(() => ({ allowed: true }));
  const answer = await call(hook, spoiledUrl(hook.url, 'request.uid', 'other'));
  expect(answer.body.response.uid).toBe('u-1');
  expect(hook.received[0]?.review.request.uid).toBe('other');
});

test('a closed hook is gone', async () => {
  const hook = await open(() => ({ allowed: true }));
  hook.close();
  expect((await call(hook)).status).toBe(404);
});
