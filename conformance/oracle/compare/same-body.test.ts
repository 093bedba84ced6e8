import { describe, expect, it } from 'vitest';
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

describe('what a rehearsal shows of a new object', () => {
  const uid = (digit: string): string =>
    `${digit.repeat(8)}-${[4, 4, 4].map((n) => digit.repeat(n)).join('-')}-${digit.repeat(12)}`;
  const made = (metadata: object, more: Partial<Observation['step']> = {}): Observation => ({
    ...{ at: 0, status: 201, headers: { 'content-type': 'application/json' }, warnings: [] },
    step: { id: 's1', what: 'create', method: 'POST', path: '/a', query: { dryRun: 'All' }, ...more },
    bytes: Buffer.from(JSON.stringify({ kind: 'Pod', metadata })),
  });
  const [first, second] = ['1', '2'].map((digit) => ({
    ...{
      name: 'a',
      uid: uid(digit),
      creationTimestamp: `2024-05-06T07:08:0${digit}Z`,
      volume: `kube-api-access-abcd${digit}`,
    },
  })) as [object, object];

  it('is the same but for what each server makes up', () => {
    expect(haveSameBody(made(first), made(second))).toBe(true);
  });

  it.each([
    ['another value', { ...second, name: 'b' }],
    ['a time that is further away', { ...second, creationTimestamp: '2024-05-06T07:09:02Z' }],
    ['a time in another member', { ...second, creationTimestamp: undefined, madeTimestamp: '2024-05-06T07:08:02Z' }],
    ['a uid that is none', { ...second, uid: 'x'.repeat(36) }],
    ['a version', { ...second, resourceVersion: '5' }],
  ])('is not the same with %s', (_, metadata) => {
    expect(haveSameBody(made(first), made(metadata))).toBe(false);
  });

  it('is looked at where a uid was sent: a server may have kept that one', () => {
    const sent = { body: { json: { metadata: { uid: uid('1') } } } };
    expect(haveSameBody(made(first, sent), made(second, sent))).toBe(false);
  });

  it('is looked at where it is stored, for later answers speak of it', () => {
    const stored = { query: {} };
    expect(haveSameBody(made(first, stored), made(second, stored))).toBe(false);
  });
});
