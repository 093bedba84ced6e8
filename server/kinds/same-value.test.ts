import { expect, test } from 'vitest';
import { sameValue } from './same-value.ts';

const asking = (memory: string) => ({ containers: [{ resources: { limits: { memory } } }] });

test.each<[string, unknown, unknown, boolean]>([
  ['an amount written otherwise', asking('1Gi'), asking('1073741824'), true],
  ['another amount', asking('1Gi'), asking('1G'), false],
  ['what is no amount', asking('1Gi'), asking('much'), false],
  ['a size written otherwise', { emptyDir: { sizeLimit: '1k' } }, { emptyDir: { sizeLimit: '1e3' } }, true],
  [
    'texts that only look like amounts',
    { nodeSelector: { sizeLimit: '1k' } },
    { nodeSelector: { sizeLimit: '1e3' } },
    false,
  ],
  ['the order of members', { a: 1, b: 2 }, { b: 2, a: 1 }, true],
  ['an empty list and none', { a: [] }, {}, true],
  ['a null and nothing', { a: null }, {}, false],
])('%s', (_title, one, other, same) => {
  expect([sameValue(one, other), sameValue(other, one)]).toEqual([same, same]);
});
