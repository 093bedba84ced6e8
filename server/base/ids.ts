import { randomInt, randomUUID } from 'node:crypto';

/** Randomness as an argument. */
export interface Ids {
  /** A fresh uid. */
  uid(): string;
  /** `length` characters that spell no words, for generated names. */
  suffix(length: number): string;
}

const letters = 'bcdfghjklmnpqrstvwxz2456789';

export const randomIds: Ids = {
  uid: randomUUID,
  suffix: (length) => Array.from({ length }, () => letters[randomInt(letters.length)]).join(''),
};
