import { expect, test } from 'vitest';
import { tolerates } from './pod-placement.ts';

const taint = { key: 'k', value: 'v', effect: 'NoSchedule' };

test.each<[string, object, boolean]>([
  ['of its key and value', { key: 'k', value: 'v' }, true],
  ['of another key', { key: 'other', value: 'v' }, false],
  ['of another value', { key: 'k', value: 'other' }, false],
  ['of no value', { key: 'k' }, false],
  ['of its key, whatever the value', { key: 'k', operator: 'Exists' }, true],
  ['of another key, whatever the value', { key: 'other', operator: 'Exists' }, false],
  ['of its effect', { key: 'k', value: 'v', effect: 'NoSchedule' }, true],
  ['of another effect', { key: 'k', value: 'v', effect: 'NoExecute' }, false],
  ['of all', { operator: 'Exists' }, true],
  ['of all of its effect', { operator: 'Exists', effect: 'NoSchedule' }, true],
  ['of all of another effect', { operator: 'Exists', effect: 'NoExecute' }, false],
  ['of no key and one value', { value: 'v' }, false],
])('a taint is tolerated by a toleration %s or not', (_, toleration, expected) => {
  expect(tolerates(toleration, taint)).toBe(expected);
});

test('a taint without a value is tolerated by its key', () => {
  expect(tolerates({ key: 'k' }, { key: 'k', effect: 'NoSchedule' })).toBe(true);
});
