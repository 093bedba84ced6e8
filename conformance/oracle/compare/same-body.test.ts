import { expect, it } from 'vitest';
import type { Observation } from '../play/observation.ts';
import { haveSameBody } from './same-body.ts';

const answered = (body: string, more: Partial<Observation> = {}): Observation => ({
  step: { id: 's1', what: 'create pods', method: 'POST', path: '/api/v1/namespaces/<own>-1/pods' },
  ...{ at: 0, status: 422, headers: { 'content-type': 'application/json' }, warnings: [] },
  bytes: Buffer.from(body),
  ...more,
});

const refusal = answered('{"kind":"Status","reason":"Invalid"}');

it('two refusals that are the same to the last byte need not be read', () => {
  expect(haveSameBody(refusal, answered('{"kind":"Status","reason":"Invalid"}'))).toBe(true);
});

it.each([
  ['another byte', answered('{"kind":"Status","reason":"invalid"}')],
  ['another status', { ...refusal, status: 400 }],
  ['another form', { ...refusal, headers: { 'content-type': 'application/yaml' } }],
  ['no answer', { ...refusal, status: 0 }],
])('%s is not the same', (_, other) => {
  expect(haveSameBody(refusal, other)).toBe(false);
  expect(haveSameBody(other, refusal)).toBe(false);
});

it('what a server has chosen is read, though another one chose the same: later answers may speak of it', () => {
  for (const member of ['uid', 'resourceVersion']) {
    const object = answered(JSON.stringify({ metadata: { [member]: '7' } }), { status: 201 });
    expect(haveSameBody(object, object)).toBe(false);
  }
});
