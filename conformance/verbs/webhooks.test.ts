import { expect, test } from 'vitest';
import { notOvertaken } from './webhooks.ts';

const asked = (operation: string, name: string, resourceVersion?: string, what = '') => ({
  ...{ operation, name, what },
  oldObject: resourceVersion === undefined ? null : { metadata: { resourceVersion } },
});

test('what was asked before a controller wrote meanwhile does not count beside what was asked anew', () => {
  const requests = [
    asked('CREATE', 'one'),
    asked('UPDATE', 'one', '1', 'overtaken'),
    asked('UPDATE', 'one', '2'),
    asked('UPDATE', 'two', '3'),
  ];
  expect(notOvertaken(requests)).toEqual(requests.filter(({ what }) => what === ''));
});

test('what is asked twice about one state stands twice', () => {
  const requests = [
    asked('UPDATE', 'one', '1'),
    asked('UPDATE', 'one', '1'),
    asked('CREATE', 'two'),
    asked('CREATE', 'two'),
  ];
  expect(notOvertaken(requests)).toEqual(requests);
});
