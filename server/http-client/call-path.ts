import { posix } from 'node:path';

/** A path as it is called: from the root, no slash twice and none at the end. */
export const callPath = (path: string): string => posix.join('/', path).replace(/(?<=.)\/$/, '');
