import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { base64 } from '../../../fixtures/certificates.ts';
import { type Asked, BadAnswerError, readAnswer } from './answer.ts';

const asked: Asked = { version: 'v1', uid: 'u-1', mutating: true };
const review = (response: unknown, more: object = {}) => ({
  apiVersion: 'admission.k8s.io/v1',
  kind: 'AdmissionReview',
  response,
  ...more,
});
const read = (value: unknown, how: Partial<Asked> = {}) =>
  readAnswer(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)), { ...asked, ...how });

describe('an answer', () => {
  it('is read with all that it may have', () => {
    const answer = read(
      review({
        uid: 'u-1',
        allowed: true,
        patchType: 'JSONPatch',
        patch: base64('[]'),
        warnings: ['careful'],
        auditAnnotations: { why: 'because' },
        status: {
          code: 409,
          message: 'm',
          reason: 'r',
          details: { name: 'n', causes: [{ field: 'f', odd: 1 }], odd: 1 },
        },
      }),
    );
    expect(answer).toEqual({
      allowed: true,
      patchType: 'JSONPatch',
      patch: Buffer.from('[]'),
      warnings: ['careful'],
      auditAnnotations: new Map([['why', 'because']]),
      status: { code: 409, message: 'm', reason: 'r', details: { name: 'n', causes: [{ field: 'f' }] } },
    });
  });

  it('without allowed is a refusal, and null is as good as nothing', () => {
    expect(read(review({ uid: 'u-1' })).allowed).toBe(false);
    expect(read(review({ uid: 'u-1', allowed: true, patch: null, status: null, warnings: null })).allowed).toBe(true);
  });

  it.each<[string, unknown, string, Partial<Asked>?]>([
    ['no JSON', 'hello', 'json parse error'],
    ['half of a JSON text', '{"kind":', 'json parse error'],
    ['a list', [], 'no object'],
    ['null', 'null', 'no object'],
    ['deeper than anybody needs', '['.repeat(100_000), 'nested'],
    ['of another kind', review({}, { kind: 'Review' }), 'got admission.k8s.io/v1, Kind=Review'],
    ['of another version', review({}, { apiVersion: 'admission.k8s.io/v1beta1' }), 'got admission.k8s.io/v1beta1'],
    ['of no version', review({}, { apiVersion: undefined }), 'got /, Kind=AdmissionReview'],
    ['of a version that is no text', review({}, { apiVersion: 1 }), 'not a string'],
    ['without a response', review(undefined), 'response was absent'],
    ['with a response that is none', review([]), 'not an object'],
    ['to another question', review({ uid: 'u-2', allowed: true }), 'expected response.uid="u-1", got "u-2"'],
    ['to no question', review({ allowed: true }), 'got ""'],
    ['with a yes in words', review({ uid: 'u-1', allowed: 'yes' }), 'not a boolean'],
    ['with a code that is no integer', review({ uid: 'u-1', status: { code: '400' } }), 'not an integer'],
    ['with warnings that are no texts', review({ uid: 'u-1', warnings: [1] }), 'list of strings'],
    ['with annotations that are no texts', review({ uid: 'u-1', auditAnnotations: { a: {} } }), 'map of strings'],
    ['with a patch that is no base64', review({ uid: 'u-1', patchType: 'JSONPatch', patch: '***' }), 'base64'],
    ['with a patch of no type', review({ uid: 'u-1', patch: base64('[]') }), 'but not response.patchType'],
    ['with a type of no patch', review({ uid: 'u-1', patchType: 'JSONPatch' }), 'but not response.patch'],
    [
      'with a patch from one that only validates',
      review({ uid: 'u-1', patch: base64('[]') }),
      'may not return',
      { mutating: false },
    ],
    [
      'with a patch type from one that only validates',
      review({ uid: 'u-1', patchType: 'x' }),
      'may not return',
      { mutating: false },
    ],
  ])('%s is refused', (_, value, message, how) => {
    expect(() => read(value, how)).toThrow(BadAnswerError);
    expect(() => read(value, how)).toThrow(message);
  });

  it('in v1beta1 need not tell its uid, its kind or the type of a patch, and patches of validating ones are ignored', () => {
    const old = { version: 'v1beta1' } as const;
    expect(read({ response: { allowed: true, patch: base64('[]') } }, old)).toMatchObject({
      allowed: true,
      patchType: 'JSONPatch',
    });
    expect(read({ response: { patch: base64('[]') } }, { ...old, mutating: false }).patch).toHaveLength(0);
    expect(() => read(review({ allowed: true }), old)).toThrow(BadAnswerError);
  });

  it('of any shape is read or refused, never worse', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), fc.boolean(), (text, wrapped) => {
        const value = wrapped ? JSON.stringify(review({ uid: 'u-1', ...{ status: JSON.parse(text) } })) : text;
        try {
          read(value);
        } catch (error) {
          expect(error).toBeInstanceOf(BadAnswerError);
        }
      }),
    );
  });
});
