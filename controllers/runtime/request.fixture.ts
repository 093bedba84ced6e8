import type { Request } from './controller.ts';

/** What a reconciler gets, of which a test gives what that one asks for, as far as it asks. */
export const requestOf = (parts: { readonly [part in keyof Request]?: unknown }): Request => parts as Request;
