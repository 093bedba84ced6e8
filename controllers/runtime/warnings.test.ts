import { expect, test } from 'vitest';
import { tellWarnings } from './warnings.ts';

test.each([
  ['299 - "policy/v1beta1 is going"', ['policy/v1beta1 is going']],
  ['299 - "one", 299 agent "two, \\"quoted\\", and a \\\\"', ['one', 'two, "quoted", and a \\']],
  ['', []],
  ['not a warning', []],
])('%s', (header, expected) => {
  const told: string[] = [];
  const hear = tellWarnings((text) => void told.push(text));
  hear(header);
  hear(header);
  expect(told, 'each once').toEqual(expected);
});

test('what has been told long ago is told again rather than kept for ever', () => {
  const told: string[] = [];
  const hear = tellWarnings((text) => void told.push(text));
  for (let nth = 0; nth < 1_001; nth += 1) hear(`299 - "${nth}"`);
  hear('299 - "0"');
  expect(told.filter((text) => text === '0')).toHaveLength(2);
});
