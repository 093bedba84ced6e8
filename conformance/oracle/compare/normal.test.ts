import { describe, expect, it } from 'vitest';
import type { Json } from '../../verbs/json.ts';
import type { Observation } from '../play/observation.ts';
import { differs, seen, step } from './two-answers.fixture.ts';

describe('answers of two servers', () => {
  const first = step('s1');

  it('may word their messages as they like, but not leave them out', () => {
    const failure = (message: Json): Observation[] => [seen(first, { kind: 'Status', reason: 'NotFound', message })];
    expect(differs(failure('there is none'), failure('not found'))).toEqual([]);
    expect(differs(failure('there is none'), failure(undefined))).toEqual(['message']);
    const review = (error: Json): Observation[] => [seen(first, { kind: 'TokenReview', status: { error } })];
    expect(differs(review('unknown token'), review('[invalid bearer token, none is known]'))).toEqual([]);
    expect(differs(review('unknown token'), review(undefined))).toEqual(['status.error']);
  });

  it('name the same causes, in any order and any number of times', () => {
    const causes = (...fields: string[]): Observation[] => [
      seen(first, { details: { causes: fields.map((field) => ({ field, reason: 'Bad', message: field.repeat(2) })) } }),
    ];
    expect(differs(causes('a', 'b', 'a'), causes('b', 'a'))).toEqual([]);
    expect(differs(causes('a'), causes('c'))).toEqual(['details.causes[].field']);
  });

  it('differ by status before all else, and by headers that clients act on', () => {
    expect(differs([seen(first, {}, { status: 201 })], [seen(first, { more: 1 })])).toEqual(['status']);
    const warned = [seen(first, {}, { warnings: ['299 - "a"', '299 - "b"'] })];
    expect(differs(warned, [seen(first, {})])).toEqual(['header warnings']);
    expect(differs(warned, [seen(first, {}, { warnings: ['299 - "c"', '299 - "d"'] })])).toEqual([]);
  });

  it('tell of a watch the same events, bookmarks aside', () => {
    const watch = step('s1', '/api/v1/namespaces/<own>-1/secrets', { watch: {} });
    const event = (type: string, name: string): string =>
      JSON.stringify({ type, object: { metadata: { name, namespace: 'tabc00001-1' } } });
    const told = (...events: string[]): Observation[] => [seen(watch, `${events.join('\n')}\n`)];
    expect(differs(told(event('ADDED', 'a'), event('BOOKMARK', '')), told(event('ADDED', 'a')))).toEqual([]);
    expect(differs(told(event('ADDED', 'a'), event('DELETED', 'a')), told(event('ADDED', 'a')))).toEqual([
      'events.length',
    ]);
  });

  it('tell of a watch nothing behind the event that is its last, nor whether it ends', () => {
    const watch = step('s1', '/apis/<own>.example/v1/things', { watch: { last: 'DELETED' } });
    const event = (type: string): string =>
      JSON.stringify({ type, object: { metadata: { namespace: 'tabc00001-1' } } });
    const told = (ended: boolean, ...types: string[]): Observation[] => [
      seen(watch, `${types.map(event).join('\n')}\n`, { ended }),
    ];
    const whole = told(true, 'ADDED', 'DELETED');
    expect(differs(whole, told(false, 'ADDED', 'DELETED', 'ADDED'))).toEqual([]);
    expect(differs(whole, told(false, 'ADDED', 'MODIFIED', 'DELETED'))).toEqual(['events.length']);
    expect(differs(whole, told(true, 'ADDED', 'MODIFIED'))).toEqual(['events[].type', 'ended']);
  });
});

it('takes no member order for a difference, nor what a column is said to be about', () => {
  const entries = [
    { manager: 'b', operation: 'Update', fieldsV1: { 'f:a': {} } },
    { manager: 'a', operation: 'Update', fieldsV1: { 'f:b': {} } },
  ];
  const turned = entries.map((entry) => Object.fromEntries(Object.entries(entry).reverse())).reverse();
  const one = [seen(step('s1'), { metadata: { managedFields: entries } })];
  expect(differs(one, [seen(step('s1'), { metadata: { managedFields: turned } })])).toEqual([]);
  const table = (description: string) => [seen(step('s1'), { columnDefinitions: [{ name: 'Name', description }] })];
  expect(differs(table(''), table('Who it is.'))).toEqual([]);
});

it('takes the resources of a group in any order, but each as often as it is told', () => {
  const group = (...names: string[]) => [seen(step('s1'), { resources: names.map((name) => ({ name })) })];
  expect(differs(group('notes', 'gauges'), group('gauges', 'notes'))).toEqual([]);
  expect(differs(group('notes', 'gauges', 'notes'), group('gauges', 'notes'))).not.toEqual([]);
});

it('takes it for no difference who holds the time of what a server tells twice of a type that ends', () => {
  const held = (type: string, members: Json): Observation[] => [
    seen(step('s1'), { metadata: { managedFields: [{ fieldsV1: { [`k:{"type":"${type}"}`]: members } }] } }),
  ];
  const time = { 'f:lastTransitionTime': {} };
  expect(differs(held('Terminating', { 'f:reason': {}, ...time }), held('Terminating', { 'f:reason': {} }))).toEqual(
    [],
  );
  expect(differs(held('Terminating', { 'f:reason': {}, ...time }), held('Terminating', time))).toHaveLength(1);
  expect(differs(held('Ready', { 'f:reason': {}, ...time }), held('Ready', { 'f:reason': {} }))).toHaveLength(1);
});
