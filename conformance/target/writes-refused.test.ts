import { expect, it } from 'vitest';
import type { Answer, Send } from '../verbs/client.ts';
import { writesRefused } from './writes-refused.ts';

const said = (status: number, message: string) => ({ status, body: { message }, text: '' }) as Answer;

const answering =
  (review: Answer, rehearsal: Answer): Send =>
  async (_, path) =>
    path.endsWith('selfsubjectaccessreviews') ? review : rehearsal;

it('is how a gateway answers all that is not read', async () => {
  const refused = said(403, 'nobody writes here');
  expect(await writesRefused(answering(refused, refused))).toEqual({ status: 403, said: 'nobody writes here' });
  const plain = { status: 405, body: undefined, text: 'Method Not Allowed' } as Answer;
  expect(await writesRefused(answering(plain, plain))).toEqual({ status: 405, said: 'Method Not Allowed' });
});

it.each([
  ['who may not do it is told so', said(201, ''), said(403, 'namespaces is forbidden')],
  ['each is refused for a reason of its own', said(403, 'no reviews'), said(403, 'no namespaces')],
  ['all breaks', said(500, 'broken'), said(500, 'broken')],
  ['all is taken', said(201, ''), said(201, '')],
])('is nothing where %s: that is for rules to judge', async (_, review, rehearsal) => {
  expect(await writesRefused(answering(review, rehearsal))).toBeUndefined();
  expect(await writesRefused(() => Promise.reject(new Error('closed')))).toBeUndefined();
});

it('is looked for without a trace: who answers questions is asked nothing else, and nobody could keep what is rehearsed', async () => {
  const bodies: unknown[] = [];
  const noting =
    (status: number): Send =>
    async (_, path, options) => {
      if (!path.endsWith('reviews')) bodies.push(options?.body);
      return said(status, 'so');
    };
  await writesRefused(noting(201));
  expect(bodies).toEqual([]);
  await writesRefused(noting(403));
  expect(bodies).toEqual([{ apiVersion: 'v1', kind: 'Namespace', metadata: {} }]);
});
