import { expect, test } from 'vitest';
import { FieldPath } from '../base/field-path.ts';
import { repeated } from './field-rules.ts';

const at = FieldPath.of('list');

test.each<[readonly string[], readonly string[]]>([
  [[], []],
  [['a', 'b'], []],
  [
    ['a', 'b', 'a', 'a'],
    ['list[2]', 'list[3]'],
  ],
])('of %j these stand there already: %j', (list, places) => {
  expect(repeated(list, at).map(({ field, reason }) => `${field} ${reason}`)).toEqual(
    places.map((place) => `${place} FieldValueDuplicate`),
  );
});

// Each looked for among all before it, this would take longer than a test may.
test('a very long list is gone through once', () => {
  const list = Array.from({ length: 300_000 }, (_, position) => `entry ${position}`);
  expect(repeated([...list, 'entry 7'], at)).toHaveLength(1);
});
