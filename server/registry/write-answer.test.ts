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
import { ContendedError, type Store, TakenError } from '../store/store.ts';
import { mapOf, Registry, refusal } from './call.fixture.ts';
import type { WriteCall } from './call.ts';
import { remove } from './delete.ts';
import { replace } from './replace.ts';
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

describe('where others were faster again and again', () => {
  const errors = [new ContendedError('/configmaps/default/one', 20), new TakenError('10.0.0.1 is held by another')];
  const acts: readonly [name: string, act: (call: WriteCall) => Promise<unknown>][] = [
    ['a write', (call) => replace(call, mapOf('one'))],
    ['a delete', (call) => remove(call, { dryRun: false })],
  ];
  it.each(acts.flatMap(([name, act]) => errors.map((error) => [name, error, act] as const)))(
    '%s is a conflict: %s',
    async (_, error, act) => {
      const registry = await new Registry().begin();
      const store: Store = Object.assign(Object.create(registry.services.store), {
        upsert: () => Promise.reject(error),
      });
      expect(await refusal(() => act(registry.call({ services: { ...registry.services, store } })))).toMatchObject({
        code: 409,
        message: expect.stringContaining('the object has been modified'),
      });
    },
  );
});
