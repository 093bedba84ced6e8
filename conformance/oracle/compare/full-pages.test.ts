import { expect, it } from 'vitest';
import type { Step } from '../play/scenario.ts';
import { withoutPromise } from './full-pages.ts';

const step = (path: string, query: Step['query'] = { labelSelector: 'app=<own>', limit: '1' }): Step => ({
  ...{ id: 's1', what: 'list', method: 'GET', path },
  ...(query === undefined ? {} : { query }),
});
const wide = step('/apis/example.com/v1/things');
const metadata = { resourceVersion: '7', continue: 'more', remainingItemCount: 2 };
const items = [{ metadata: { name: 'a' } }];

it('a full page among the objects of others promises what they have behind it', () => {
  const kept = { resourceVersion: '7' };
  expect(withoutPromise({ metadata, items }, wide)).toEqual({ metadata: kept, items });
  expect(withoutPromise({ metadata, rows: items }, wide)).toEqual({ metadata: kept, rows: items });
  const wire = { 1: [{ 2: ['7'], 3: ['more'], 4: ['#2'] }], 2: [{ 1: [{ 1: ['a'] }] }] };
  expect(withoutPromise({ kind: 'ThingList', wire }, wide)).toEqual({
    kind: 'ThingList',
    wire: { ...wire, 1: [{ 2: ['7'] }] },
  });
  expect(withoutPromise({ metadata, items }, step(wide.path, 'limit=1&a=b'))).toEqual({ metadata: kept, items });
});

it('what else promises more is seen', () => {
  for (const other of [
    step('/api/v1/namespaces/<own>-1/secrets'),
    step(wide.path, { limit: '2' }),
    step(wide.path, {}),
    step(wide.path, 'a=b'),
    { ...wide, method: 'DELETE' },
  ])
    expect(withoutPromise({ metadata, items }, other)).toEqual({ metadata, items });
  for (const body of [undefined, 'text', { kind: 'Status', metadata: {} }])
    expect(withoutPromise(body, wide)).toBe(body);
});
