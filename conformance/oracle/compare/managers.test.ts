import { expect, it } from 'vitest';
import type { Json } from '../../verbs/client.ts';
import { inOrder } from './in-order.ts';
import { Path } from './path.ts';

const at = Path.root.at('metadata').at('managedFields');
const entry = (manager: string, operation: string, time: Json): Json => ({ manager, operation, time });
const moment = (seconds: number): Json => ({ $seconds: seconds, $digits: 0 });
const names = (items: readonly Json[]): string =>
  inOrder([...items], at)
    .map(({ manager }: Json) => manager)
    .join(' ');

it('puts managers of one second in one order', () => {
  const [a, b] = [entry('a', 'Update', moment(1)), entry('b', 'Update', moment(1))];
  expect(names([b, a])).toBe(names([a, b]));
});

it('leaves those where they are who do something else before others', () => {
  const [a, b] = [entry('a', 'Update', moment(1)), entry('b', 'Apply', moment(1))];
  expect(names([b, a])).toBe('b a');
  expect(names([a, b])).toBe('a b');
});

it.each([
  ['that were read from a clock', moment(1), moment(2)],
  ['that were sent', '2021-02-03T04:05:06Z', '2021-02-03T04:05:07Z'],
])('leaves managers that are not by their times, %s', (_, before, after) => {
  expect(names([entry('b', 'Update', after), entry('a', 'Update', before)])).toBe('b a');
  expect(names([entry('b', 'Update', before), entry('a', 'Update', after)])).toBe('a b');
  // Who has no time comes first.
  expect(names([entry('b', 'Update', undefined), entry('a', 'Update', before)])).toBe('a b');
});
