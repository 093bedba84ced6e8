import { describe, expect, it } from 'vitest';
import { StatusError } from '../base/status-error.ts';
import {
  ApplyConflictError,
  BadPathError,
  ExcessivePatchError,
  FailedTestError,
  MalformedPatchError,
  UnmergeableObjectError,
} from '../patch/patch-error.ts';
import { patchAnswer } from './write-answer.ts';

describe('what went wrong with a patch, as clients are told it', () => {
  it.each([
    ['a patch that is none', new MalformedPatchError('no'), 400, 'BadRequest', 'no'],
    ['a pointer into nothing', new BadPathError('no'), 422, 'Invalid', 'the server rejected our request'],
    ['a failed test', new FailedTestError('no'), 422, 'Invalid', 'the server rejected our request'],
    ['a patch without measure', new ExcessivePatchError('no'), 413, 'RequestEntityTooLarge', 'too large: no'],
    ['an object that cannot be merged with', new UnmergeableObjectError('no'), 422, 'Invalid', 'no'],
  ])('%s', (_, error, code, reason, message) => {
    const { status } = patchAnswer(error) as StatusError;
    expect(status).toMatchObject({ code, reason });
    expect(status.message).toContain(message);
  });

  it('a conflict names each field and its owner', () => {
    const conflicts = [{ field: '.data.a', owner: '"alpha"' }];
    const { status } = patchAnswer(new ApplyConflictError(conflicts, 'Apply failed')) as StatusError;
    expect(status).toMatchObject({ code: 409, reason: 'Conflict', message: 'Apply failed' });
    expect(status.details).toEqual({
      causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "alpha"', field: '.data.a' }],
    });
  });

  it('other errors stay what they are', () => {
    const error = new RangeError('x');
    expect(patchAnswer(error)).toBe(error);
    expect(patchAnswer(new MalformedPatchError('x'))).toBeInstanceOf(StatusError);
  });
});
