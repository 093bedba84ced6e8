import type { FieldError } from '../base/field-error.ts';
import { atOnce } from '../base/turns/work.ts';
import type { Faults } from './strategy.ts';

/** All that a hook finds wrong, however it tells it. */
export function allOf(faults: Faults | undefined): readonly FieldError[] {
  if (!faults) return [];
  return 'next' in faults ? atOnce(faults) : faults;
}
