import type { Rule } from '../rule.ts';
import { validityRule } from './field-rules.ts';

/** A text of an event has so many bytes and no more, however few characters they are; `most` is even. */
export const longestTextRule = (id: string, field: string, most: number): Rule =>
  validityRule({
    id,
    kind: 'events',
    accepted: {
      [`${most} bytes`]: { [field]: 'a'.repeat(most) },
      [`${most} bytes in half as many characters`]: { [field]: 'é'.repeat(most / 2) },
    },
    refused: {
      [`${most + 1} bytes`]: { [field]: 'a'.repeat(most + 1) },
      [`${most + 2} bytes in half as many characters`]: { [field]: 'é'.repeat(most / 2 + 1) },
    },
  });
