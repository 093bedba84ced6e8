import { createRequire } from 'node:module';
import type * as Cel from '@bufbuild/cel';
import { lazily } from '../base/caches/memo.ts';

/** The expression library. It is large, so it is loaded when the first rule turns up, not when the server starts. */
export const celLibrary = lazily(() => createRequire(import.meta.url)('@bufbuild/cel') as typeof Cel);
