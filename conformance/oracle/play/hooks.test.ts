import { Agent } from 'undici';
import { afterAll, expect, it } from 'vitest';
import type { Json } from '../../verbs/client.ts';
import { conversionAnswer, oddWords } from './conversions.ts';
import { answerKey, openHooks } from './hooks.ts';

const hooks = await openHooks(['first', 'second'], '127.0.0.1');
const trusting = new Agent({ connect: { ca: Buffer.from(hooks.places.get('hook-first').caBundle, 'base64') } });

afterAll(async () => {
  hooks.close();
  await trusting.close();
});

async function asked(word: string, review: Json): Promise<Json> {
  const { url } = hooks.places.get(`hook-${word}`);
  const { body } = await trusting.request({
    ...{ origin: new URL(url).origin, path: new URL(url).pathname, method: 'POST' },
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(review),
  });
  return body.json();
}

const review = (object: Json, more: Json = {}): Json => ({
  ...{ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' },
  request: { uid: 'u', object, ...more },
});

const answered = (name: string, answers: Readonly<Record<string, string>> = {}): Json => ({
  metadata: { name, annotations: answers },
});

it('answers what the object says, each by its word, and else yes', async () => {
  const object = answered('a', { [answerKey('second')]: JSON.stringify({ allowed: false, warnings: ['no'] }) });
  expect((await asked('first', review(object))).response).toEqual({ uid: 'u', allowed: true });
  expect((await asked('second', review(object))).response).toEqual({ uid: 'u', allowed: false, warnings: ['no'] });
  const old = review(null, { oldObject: object });
  expect((await asked('second', old)).response.allowed).toBe(false);
});

it('tells what each was asked since it was last looked at, without what controllers write', async () => {
  hooks.heard();
  await asked('first', review(answered('b')));
  await asked('first', review(answered('a'), { userInfo: { username: 'system:serviceaccount:kube-system:some' } }));
  await asked('first', review(answered('kube-root-ca.crt')));
  await asked('first', review(answered('a')));
  const { first, second } = hooks.heard();
  expect(first.map(({ object }: Json) => object.metadata.name)).toEqual(['a', 'b']);
  expect(second).toEqual([]);
  expect(hooks.heard()).toEqual({ first: [], second: [] });
});

const conversion = (desiredAPIVersion: string, ...objects: readonly Json[]): Json => ({
  ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview' },
  request: { uid: 'u', desiredAPIVersion, objects },
});

it('converts between two versions, but not what has no word', async () => {
  const later = await asked('first', conversion('a/v2', { apiVersion: 'a/v1', spec: { word: 'x', n: 1 } }, {}));
  expect(later.response.convertedObjects).toEqual([
    { apiVersion: 'a/v2', spec: { term: 'x', n: 1 } },
    { apiVersion: 'a/v2', spec: {} },
  ]);
  const earlier = await asked('first', conversion('a/v1', { apiVersion: 'a/v2', spec: { term: 'unspoken' } }));
  expect(earlier.response).toMatchObject({ uid: 'u', result: { status: 'Failure' } });
});

it('answers what does not fit, as the words of objects ask for, each in one way of its own', async () => {
  const said = (word: string): Json => ({ apiVersion: 'a/v1', kind: 'A', metadata: { name: 'a' }, spec: { word } });
  const answers = oddWords.map((word) => conversionAnswer(conversion('a/v2', said(word))));
  const plain = JSON.stringify(conversionAnswer(conversion('a/v2', said('plain')))).replaceAll('plain', '');
  const texts = answers.map((answer, at) => JSON.stringify(answer).replaceAll(oddWords[at] as string, ''));
  expect(new Set([plain, ...texts]).size).toBe(oddWords.length + 1);
});

it('tells of what sort the questions of those who want objects converted are, each sort once', async () => {
  hooks.heard();
  const object = { apiVersion: 'a/v1', kind: 'A', metadata: { name: 'a' } };
  await asked('first', conversion('a/v2', object, object));
  await asked('first', { ...conversion('a/v2', { ...object, kind: 'B' }), extra: 1 });
  expect(hooks.heard().first).toMatchObject([
    { desiredAPIVersion: 'a/v2', apiVersion: 'a/v1', of: 'A', beside: [], isNamed: true, told: ['name'] },
    { of: 'B', beside: ['extra'] },
  ]);
});

it('outlives what is no question', async () => {
  const { url } = hooks.places.get('hook-first');
  for (const nonsense of [
    { kind: 'ConversionReview' },
    { kind: 'ConversionReview', request: { objects: [null] } },
    null,
  ]) {
    const { statusCode, body } = await trusting.request({
      ...{ origin: new URL(url).origin, path: new URL(url).pathname, method: 'POST' },
      body: JSON.stringify(nonsense),
    });
    await body.dump();
    expect(statusCode).toBe(nonsense === null ? 200 : 500);
  }
  expect(hooks.heard().first).toHaveLength(1);
});
