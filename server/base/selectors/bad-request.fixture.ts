import { expect } from 'vitest';
import { StatusError } from '../status-error.ts';

/** Who sends this is told that it cannot be meant, and of no field. */
export function expectBadRequest(parse: () => unknown): void {
  let error: unknown;
  try {
    parse();
  } catch (caught) {
    error = caught;
  }
  expect(error).toBeInstanceOf(StatusError);
  expect((error as StatusError).status).toMatchObject({ code: 400, reason: 'BadRequest' });
  expect((error as StatusError).status).not.toHaveProperty('details');
}
