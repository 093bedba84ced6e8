import { expect, test } from 'vitest';
import { withoutDomain } from './patch-meanings.ts';

test('what names a domain may be of a webhook of the cluster, all else is of who patches', () => {
  const own = { one: 'a', 'x/y': 'b', 'u~1v': 'w', 'touchstone/run': 'r' };
  expect(withoutDomain({ ...own, 'example.com/before': 'yes', 'audit.corp.example/seen': '1' })).toEqual(own);
});
