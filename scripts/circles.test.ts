import { expect, test } from 'vitest';
import { circlesOf } from './circles.ts';

const edges = (text: string) =>
  text
    .split(' ')
    .filter(Boolean)
    .map((edge) => ({ from: edge[0] as string, to: edge[1] as string }));

test.each([
  ['nothing', '', []],
  ['a chain', 'ab bc', []],
  ['two ways to one file', 'ab ac bd cd', []],
  ['two that import each other', 'ab ba', ['ab']],
  ['a long way round, entered from outside', 'xa ab bc ca cy', ['abc']],
  ['two circles that share a file are one', 'ab ba bc cb', ['abc']],
  ['two circles, one leading to the other', 'ab ba bc cd dc', ['ab', 'cd']],
  ['a file that imports itself', 'aa', []],
])('%s', (_title, imports, circles) => {
  expect(
    circlesOf(edges(imports))
      .map((circle) => circle.join(''))
      .sort(),
  ).toEqual(circles);
});
