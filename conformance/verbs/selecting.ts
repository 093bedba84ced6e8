import type { Query } from './client.ts';

/** A query with one more requirement in one of its selectors. */
export function selecting(query: Query | string, selector: string, requirement: string): Query | string {
  if (typeof query === 'string') {
    const asked = new URLSearchParams(query);
    asked.set(selector, [asked.get(selector) ?? '', requirement].filter((part) => part !== '').join(','));
    return asked.toString();
  }
  const given = query[selector];
  return { ...query, [selector]: given === undefined || given === '' ? requirement : `${given},${requirement}` };
}
