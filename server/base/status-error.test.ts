import { expect, it } from 'vitest';
import { badRequest, internalError } from './status-error.ts';

const here = /\n {4}at /;

it('says where it was thrown only if the server is to blame', () => {
  expect(badRequest('no such field').stack).not.toMatch(here);
  expect(internalError('no such file').stack).toMatch(here);
  expect(new Error('another').stack).toMatch(here);
});
