import { describe, expect, test } from 'vitest';
import type { Json } from '../verbs/client.ts';
import { edited } from './edited.ts';
import { isAnswer, type ProxiedAnswer, type ProxiedRequest, type Sabotage } from './sabotage.ts';
import * as t from './transforms.ts';

const request = (method = 'GET', path = '/api/v1/secrets', rawQuery = '', body = ''): ProxiedRequest => ({
  method,
  path,
  rawQuery,
  query: new URLSearchParams(rawQuery),
  headers: { accept: 'application/json' },
  body: Buffer.from(body),
});

const answer = (body: Json, status = 200): ProxiedAnswer => ({
  status,
  headers: { date: 'now' },
  body: Buffer.from(JSON.stringify(body)),
});

/** What comes of an answer under a sabotage. */
const answered = (sabotage: Sabotage, body: Json, asked = request(), status = 200): Json => {
  const changed = sabotage.begin().answer?.(answer(body, status), asked);
  return changed && JSON.parse(changed.body.toString());
};

const list = { metadata: { resourceVersion: '7' }, items: [{ metadata: { name: 'a' } }, { metadata: { name: 'b' } }] };

describe('replacing a part of an answer', () => {
  test.each<[string, object, Json]>([
    ['metadata.resourceVersion', {}, { ...list, metadata: { resourceVersion: '8' } }],
    ['metadata.resourceVersion', { with: 'x' }, { ...list, metadata: { resourceVersion: 'x' } }],
    ['items', {}, { ...list, items: [{ metadata: { name: 'b' } }] }],
    [
      'items.*.metadata.name',
      { with: 'z' },
      { ...list, items: [{ metadata: { name: 'z' } }, { metadata: { name: 'z' } }] },
    ],
    [
      'items.*.metadata.name',
      {},
      { ...list, items: [{ metadata: { name: 'a-spoiled' } }, { metadata: { name: 'b-spoiled' } }] },
    ],
    ['kind', { with: 'List' }, { ...list, kind: 'List' }],
    ['nothing.such', {}, list],
  ])('%s %j', (path, options, expected) => {
    expect(answered(t.replaceIn(path, options), list)).toEqual(expected);
  });

  test('can be about one page of a list only', () => {
    const meddling = t.replaceIn('metadata.resourceVersion', { onPage: 2 }).begin();
    const versionOf = (asked: ProxiedRequest): string =>
      JSON.parse(meddling.answer?.(answer(list), asked).body.toString() ?? '').metadata.resourceVersion;
    expect(versionOf(request('GET', '/x', 'limit=1'))).toBe('7');
    expect(versionOf(request('GET', '/x', 'limit=1&continue=a'))).toBe('8');
    expect(versionOf(request('GET', '/x', 'limit=1&continue=b'))).toBe('7');
  });

  test('leaves out what is to be left out', () => {
    expect(answered(t.removeIn('metadata'), list)).toEqual({ items: list.items });
  });

  test('lets pass what is no JSON', () => {
    const text = { status: 200, headers: {}, body: Buffer.from('ok') };
    expect(t.replaceIn('kind').begin().answer?.(text, request())).toBe(text);
  });
});

test('another code, if need be only instead of a certain one', () => {
  const meddling = t.answerStatus(200, { instead: 409 }).begin();
  expect(meddling.answer?.(answer({}, 409), request()).status).toBe(200);
  expect(meddling.answer?.(answer({}, 201), request()).status).toBe(201);
  expect(meddling.streamHead?.({ status: 409, headers: {} }, request()).status).toBe(200);
});

test('an answer of the proxy itself is asked of nobody', () => {
  const own = t.notFound({ method: 'GET' }).begin();
  expect(own.request?.(request())).toMatchObject({ status: 404 });
  const passed = own.request?.(request('PUT'));
  expect(passed && isAnswer(passed)).toBe(false);
});

test('a lost write looks like one that was done', () => {
  const meddling = t.loseWrite({ method: ['POST', 'DELETE'] }).begin();
  const created = meddling.request?.(request('POST', '/x', '', '{"kind":"Secret"}')) as ProxiedAnswer;
  expect([created.status, created.body.toString()]).toEqual([201, '{"kind":"Secret"}']);
  const deleted = meddling.request?.(request('DELETE')) as ProxiedAnswer;
  expect(JSON.parse(deleted.body.toString())).toMatchObject({ kind: 'Status', status: 'Success' });
});

test('parameters and headers can be passed over or set', () => {
  const changed = (sabotage: Sabotage): ProxiedRequest =>
    sabotage.begin().request?.(request('GET', '/x', 'limit=2&pretty=1')) as ProxiedRequest;
  expect(changed(t.ignoreQuery('limit')).rawQuery).toBe('pretty=1');
  expect(changed(t.forceQuery('limit', '9')).rawQuery).toBe('limit=9&pretty=1');
  expect(changed(t.requestHeader('accept', undefined)).headers).toEqual({});
  expect(changed(t.requestHeader('accept', 'text/html')).headers).toEqual({ accept: 'text/html' });
  expect(changed(t.changeMethod('HEAD', {})).method).toBe('HEAD');
  expect(changed(t.redirectPath(/x/, 'y')).path).toBe('/y');
});

test('headers of answers can be left out', () => {
  expect(t.answerHeader('date', undefined).begin().answer?.(answer({}), request()).headers).toEqual({});
  expect(t.answerHeader('date', 'then').begin().streamHead?.({ status: 200, headers: {} }, request()).headers).toEqual({
    date: 'then',
  });
});

test('events can be swallowed, repeated, renamed and edited', () => {
  const watch = request('GET', '/x', 'watch=1');
  const added = { type: 'ADDED', object: { metadata: { name: 'a' } } };
  const sent = (sabotage: Sabotage): readonly Json[] => sabotage.begin().event?.(added, watch) ?? [];
  expect(sent(t.swallowEvent('ADDED'))).toEqual([]);
  expect(sent(t.swallowEvent('DELETED'))).toEqual([added]);
  expect(sent(t.repeatEvent('ADDED'))).toEqual([added, added]);
  expect(sent(t.retypeEvent('ADDED', 'NEW'))).toEqual([{ ...added, type: 'NEW' }]);
  expect(sent(t.editEvent('object.metadata.name', { with: 'z' }))).toEqual([
    { type: 'ADDED', object: { metadata: { name: 'z' } } },
  ]);
});

test('the n-th watch is told by its stream, not by its events', () => {
  const meddling = t.swallowEvent('ADDED', { nth: 2 }).begin();
  const [first, second] = [request('GET', '/x', 'watch=1'), request('GET', '/x', 'watch=1')];
  const event = { type: 'ADDED', object: {} };
  expect(meddling.event?.(event, first)).toEqual([event]);
  expect(meddling.event?.(event, first)).toEqual([event]);
  expect(meddling.event?.(event, second)).toEqual([]);
  expect(meddling.event?.(event, second)).toEqual([]);
});

test('several sabotages work one after the other', () => {
  const both = t.all(
    t.replaceIn('kind', { with: 'A' }),
    t.changeAnswer('appends', (body) => ({ ...body, kind: `${body.kind}B` })),
  );
  expect(both.name).toBe('replaces kind and appends');
  expect(answered(both, {})).toEqual({ kind: 'AB' });
  const stopped = t.all(t.notFound(), t.ignoreQuery('limit')).begin().request?.(request());
  expect(stopped).toMatchObject({ status: 404 });
});

test('members with names of the prototype are members like others', () => {
  expect(edited(JSON.parse('{"__proto__":{"a":1}}'), ['b'], () => 2)).not.toHaveProperty('a');
});
