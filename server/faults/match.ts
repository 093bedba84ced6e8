import type { RequestInfo } from '../request/identify.ts';
import type { Match } from './fault.ts';

/** A request as far as faults look at it. */
export interface Asked {
  readonly info: RequestInfo;
  readonly method: string;
  readonly url: string;
  readonly userAgent: string;
}

/** Whether a request is one of those. */
export function fits({ info, userAgent }: Asked, match: Match = {}): boolean {
  const { path = '', userAgent: part = '', ...exact } = match;
  const fields = Object.entries(exact) as [keyof typeof exact, string][];
  return (
    info.path.startsWith(path) && userAgent.includes(part) && fields.every(([field, text]) => info[field] === text)
  );
}
