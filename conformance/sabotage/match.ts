import type { ProxiedRequest } from './sabotage.ts';

/** Which requests a sabotage is about; all parts given must hold. */
export interface Match {
  readonly method?: string | readonly string[];
  readonly path?: RegExp;
  /** Parameters that must be there; a text must be the value, a pattern must fit it, `false` must be absent. */
  readonly query?: Readonly<Record<string, string | boolean | RegExp>>;
  /** Headers by lower-case name. */
  readonly header?: Readonly<Record<string, RegExp>>;
  readonly body?: RegExp;
  /** Only the n-th matching request of a run, from 1. */
  readonly nth?: number;
  /** All matching requests from the n-th on. */
  readonly from?: number;
}

function queryHolds(query: URLSearchParams, wanted: Match['query']): boolean {
  return Object.entries(wanted ?? {}).every(([name, value]) => {
    if (typeof value === 'boolean') return query.has(name) === value;
    return value instanceof RegExp ? value.test(query.get(name) ?? '') : query.get(name) === value;
  });
}

/** A test with a memory: it counts what it has matched in this run. */
export function matcher(match: Match): (request: ProxiedRequest) => boolean {
  const methods = match.method === undefined ? undefined : [match.method].flat();
  let count = 0;
  return (request) => {
    if (methods && !methods.includes(request.method)) return false;
    if (match.path && !match.path.test(request.path)) return false;
    if (!queryHolds(request.query, match.query)) return false;
    for (const [name, pattern] of Object.entries(match.header ?? {})) {
      if (!pattern.test(String(request.headers[name] ?? ''))) return false;
    }
    if (match.body && !match.body.test(request.body.toString('utf8'))) return false;
    count += 1;
    return (match.nth === undefined || count === match.nth) && (match.from === undefined || count >= match.from);
  };
}

/** A short text for names: `GET list` and the like. */
export function describeMatch(match: Match): string {
  const parts = [
    match.method && [match.method].flat().join('|'),
    match.path?.source,
    match.query && `?${Object.keys(match.query).join('&')}`,
  ];
  const where = parts.filter(Boolean).join(' ');
  return where === '' ? '' : ` on ${where}`;
}
