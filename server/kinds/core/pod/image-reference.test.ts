import { expect, test } from 'vitest';
import { imageTag } from './image-reference.ts';

test.each<[string, string | undefined]>([
  ['nginx', 'latest'],
  ['nginx:1.2', '1.2'],
  ['example.com:5000/team/nginx', 'latest'],
  ['localhost/Nginx', undefined],
  ['Example.com/nginx:x', 'x'],
  ['Team/nginx', undefined],
  [`nginx@sha256:${'a'.repeat(64)}`, undefined],
  ['ü', undefined],
  ['', undefined],
  ['a'.repeat(256), undefined],
  ['f'.repeat(64), undefined],
])('the tag of %s is %s', (image, tag) => {
  expect(imageTag(image)).toBe(tag);
});
