import { expect, it } from 'vitest';
import { compareVersions } from './version-order.ts';

it('puts stable before beta before alpha, higher first, and other names last by alphabet', () => {
  const names = ['foo1', 'v1alpha1', 'v2', 'v1beta2', 'v10', 'v1', 'v1beta10', 'abc', 'v0'];
  expect(names.sort(compareVersions)).toEqual([
    'v10',
    'v2',
    'v1',
    'v1beta10',
    'v1beta2',
    'v1alpha1',
    'abc',
    'foo1',
    'v0',
  ]);
});
