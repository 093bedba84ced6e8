import { expect, test } from 'vitest';
import type { Answer, Json, Send, SendOptions } from '../verbs/client.ts';
import { allOf } from '../verbs/guest/permit.ts';
import { merged } from '../verbs/merged.ts';
import { unconfined } from '../verbs/standards.ts';
import { tendingOf } from './tended.ts';

const pace = { watched: 500, interval: 10 };
const enforce = 'pod-security.kubernetes.io/enforce';

/** A cluster of one namespace, which others write after some reads of it, again and again where they insist. */
function cluster(others: Json | undefined, { insist = false, after = 3 } = {}) {
  let namespace: Json;
  let [version, reads, requests] = [1, 0, [] as string[]];
  const write = (change: Json): void => {
    version += 1;
    namespace = merged(namespace, merged(change, { metadata: { resourceVersion: String(version) } }));
  };
  const send = (async (method: string, path: string, { body }: SendOptions = {}) => {
    requests = [...requests, `${method} ${path}`];
    if (method === 'POST') namespace = merged(body as Json, { metadata: { name: 'one', resourceVersion: '1' } });
    if (method === 'PATCH') write(body as Json);
    if (method === 'GET') {
      reads += 1;
      if (others && (reads === after || (insist && reads > after && version % 2 === 1))) write(others);
    }
    return { status: method === 'POST' ? 201 : 200, body: namespace } as Answer;
  }) as Send;
  return { send, seen: () => ({ requests, labels: namespace?.metadata?.labels }) };
}

test('where nobody writes new namespaces, nobody is waited for', async () => {
  const { send, seen } = cluster(undefined);
  expect(await tendingOf(send, allOf('test'), pace)).toEqual({});
  expect(seen().requests.at(-1), 'what was made is taken away').toBe('DELETE /api/v1/namespaces/one');
});

test('who writes them a little later is waited for', async () => {
  const { send } = cluster({ metadata: { annotations: { 'example.org/seen': 'yes' } } });
  const { tended, confined } = await tendingOf(send, allOf('test'), pace);
  expect(tended).toBeGreaterThan(pace.interval * 3);
  expect(confined).toBeUndefined();
});

test('a standard that others set once is taken back', async () => {
  const { send, seen } = cluster({ metadata: { labels: { [enforce]: 'restricted' } } });
  expect(await tendingOf(send, allOf('test'), pace)).not.toHaveProperty('confined');
  expect(seen().labels).toMatchObject(unconfined);
});

test('who insists on a standard holds the pods of the suite to it', async () => {
  const { send } = cluster({ metadata: { labels: { [enforce]: 'restricted' } } }, { insist: true });
  expect(await tendingOf(send, allOf('test'), pace)).toMatchObject({ confined: expect.stringContaining('standard') });
});

test('a server that makes no namespace is tended by nobody', async () => {
  const refusing = (async () => ({ status: 403, body: {} }) as Answer) as Send;
  expect(await tendingOf(refusing, allOf('test'), pace)).toEqual({});
  const gone = (() => Promise.reject(new Error('gone'))) as Send;
  expect(await tendingOf(gone, allOf('test'), pace)).toEqual({});
});
