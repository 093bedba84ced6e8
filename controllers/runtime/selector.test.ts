import { expect, test } from 'vitest';
import { type LabelSelector, matches, matchesMap } from './selector.ts';

const labels = { app: 'web', tier: '' };
const demands = (key: string, operator: string, values?: string[]): LabelSelector => ({
  matchExpressions: [{ key, operator, ...(values && { values }) }],
});

test.each<[string, LabelSelector | undefined, boolean]>([
  ['that is not there', undefined, false],
  ['of nothing', {}, true],
  ['of a label as it is', { matchLabels: { app: 'web' } }, true],
  ['of an empty label', { matchLabels: { tier: '' } }, true],
  ['of another value', { matchLabels: { app: 'db' } }, false],
  ['of a label that is not there', { matchLabels: { app: 'web', team: '' } }, false],
  ['In', demands('app', 'In', ['db', 'web']), true],
  ['In, without the label', demands('team', 'In', ['a']), false],
  ['NotIn', demands('app', 'NotIn', ['web']), false],
  ['NotIn, without the label', demands('team', 'NotIn', ['a']), true],
  ['Exists', demands('tier', 'Exists'), true],
  ['Exists, without the label', demands('team', 'Exists'), false],
  ['DoesNotExist', demands('tier', 'DoesNotExist'), false],
  ['DoesNotExist, without the label', demands('team', 'DoesNotExist'), true],
  ['of what every object of JavaScript has', demands('constructor', 'Exists'), false],
  ['of an operator that nobody knows', demands('app', 'Near', ['web']), false],
  ['of two demands of which one is not met', { matchLabels: { app: 'web' }, ...demands('team', 'Exists') }, false],
])('labels fit a selector %s or not', (_, selector, expected) => expect(matches(selector, labels)).toBe(expected));

test.each<[Record<string, string> | undefined, boolean]>([
  [undefined, false],
  [{}, false],
  [{ app: 'web' }, true],
  [{ app: 'web', tier: '' }, true],
  [{ app: 'web', team: '' }, false],
])('labels fit the plain map %j: %s', (map, expected) => expect(matchesMap(map, labels)).toBe(expected));

test('an object without labels fits only what asks for none', () => {
  const asked: LabelSelector[] = [
    { matchLabels: { app: 'web' } },
    demands('app', 'Exists'),
    demands('app', 'DoesNotExist'),
  ];
  expect(asked.map((each) => matches(each, undefined))).toEqual([false, false, true]);
  expect(matchesMap({ app: 'web' }, undefined)).toBe(false);
});
