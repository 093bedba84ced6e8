import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { formatTime } from '../runtime/clock.ts';
import type { Secret } from '../runtime/resources.ts';
import { nextExpiry, signedData } from './plan.ts';

const now = Date.UTC(2024, 0, 1);
const token = (id: string, more: Record<string, string> = {}): Secret => {
  const data = { 'token-id': id, 'token-secret': '0123456789abcdef', 'usage-bootstrap-signing': 'true', ...more };
  const encoded = Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')]);
  return {
    metadata: { namespace: 'kube-system', name: `bootstrap-token-${id}` },
    type: 'bootstrap.kubernetes.io/token',
    data: Object.fromEntries(encoded),
  };
};

test('the content is signed by each token that may, and by no other any longer', () => {
  const tokens = [
    token('abcdef', { expiration: formatTime(now + 9_000) }),
    token('silent', { 'usage-bootstrap-signing': 'false' }),
    token('passed', { expiration: formatTime(now - 1_000) }),
  ];
  const data = signedData({ data: { kubeconfig: 'text', 'jws-kubeconfig-former': 'x', other: 'y' } }, tokens, now);
  expect(Object.keys(data ?? {}).sort()).toEqual(['jws-kubeconfig-abcdef', 'kubeconfig', 'other']);
  const [header = '', payload, signature] = (data?.['jws-kubeconfig-abcdef'] ?? '').split('.');
  expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({ alg: 'HS256', kid: 'abcdef' });
  expect(payload).toBe('');
  const whole = `${header}.${Buffer.from('text').toString('base64url')}`;
  expect(signature).toBe(createHmac('sha256', '0123456789abcdef').update(whole).digest('base64url'));
  expect(signedData({ data: { ...data } }, tokens, now)).toBeUndefined();
  expect(nextExpiry(tokens, now)).toBe(9_000);
});

test('without content there is nothing to sign', () => {
  expect(signedData({ data: { other: 'y' } }, [token('abcdef')], now)).toBeUndefined();
});

test.each([
  ['of any text', { 'token-secret': 'any Text' }, true],
  ['that is empty', { 'token-secret': '' }, false],
  ['whose id is not that of its name', { 'token-id': 'zzzzzz' }, false],
  ['that does not say true', { 'usage-bootstrap-signing': 'True' }, false],
  ['that ends at no time', { expiration: 'soon' }, false],
])('a token %s signs or not', (_, data, expected) => {
  expect(signedData({ data: { kubeconfig: 'text' } }, [token('abcdef', data)], now) !== undefined).toBe(expected);
});
