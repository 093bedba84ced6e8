import { randomBytes } from 'node:crypto';

/** No vowels, so no words; no characters that look alike. */
const letters = 'bcdfghjklmnpqrstvwxz2456789';

/** Five characters that make a name its own. Names chosen here, not by the server, can be looked up after a broken call. */
export const randomSuffix = (): string => [...randomBytes(5)].map((byte) => letters[byte % letters.length]).join('');
