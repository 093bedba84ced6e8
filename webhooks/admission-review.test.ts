import { describe, expect, it } from 'vitest';
import { allow, decodeReview, deny, encodeReview, NoReviewError, patch, pathSegment } from './admission-review.ts';

const review = {
  apiVersion: 'admission.k8s.io/v1',
  kind: 'AdmissionReview',
  request: { uid: 'u', operation: 'CREATE' },
};
const answer = (decision: Parameters<typeof encodeReview>[1]) =>
  JSON.parse(encodeReview({ uid: 'u' }, decision)).response;

describe('a review', () => {
  it('is read with what may be missing filled in', () => {
    expect(decodeReview(JSON.stringify(review))).toEqual({
      uid: 'u',
      operation: 'CREATE',
      object: null,
      oldObject: null,
      dryRun: false,
      userInfo: {},
    });
  });

  it.each<[string, unknown]>([
    ['text', 'hello'],
    ['nothing', ''],
    ['null', 'null'],
    ['another kind', { ...review, kind: 'Pod' }],
    ['another version', { ...review, apiVersion: 'admission.k8s.io/v1beta1' }],
    ['no request', { ...review, request: undefined }],
    ['no uid', { ...review, request: { operation: 'CREATE' } }],
    ['an operation nobody knows', { ...review, request: { uid: 'u', operation: 'READ' } }],
    ['an object of before that is none', { ...review, request: { ...review.request, oldObject: 'x' } }],
    ['an object that is none', { ...review, request: { ...review.request, object: [1] } }],
  ])('is no %s', (_, body) => {
    expect(() => decodeReview(typeof body === 'string' ? body : JSON.stringify(body))).toThrow(NoReviewError);
  });
});

describe('an answer', () => {
  it('carries the uid and the decision', () => {
    expect(answer(allow())).toEqual({ uid: 'u', allowed: true });
    expect(answer(allow('careful'))).toEqual({ uid: 'u', allowed: true, warnings: ['careful'] });
    expect(answer(deny('no'))).toEqual({
      uid: 'u',
      allowed: false,
      status: { code: 403, reason: 'Forbidden', message: 'no' },
    });
  });

  it('carries a patch in base64, if there is something to patch', () => {
    const operations = [{ op: 'add', path: '/a', value: 'ü' }] as const;
    const { patch: text, ...rest } = answer(patch(operations));
    expect(rest).toEqual({ uid: 'u', allowed: true, patchType: 'JSONPatch' });
    expect(JSON.parse(Buffer.from(text, 'base64').toString())).toEqual(operations);
    expect(answer(patch([]))).toEqual({ uid: 'u', allowed: true });
  });
});

it('names in paths are escaped', () => expect(pathSegment('a/b~c')).toBe('a~1b~0c'));
