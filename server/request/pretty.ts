import type { Exchange } from './exchange.ts';

const truths: readonly string[] = ['1', 't', 'T', 'true', 'TRUE', 'True'];

/** Whether JSON is laid out for people: when `pretty` says so, or for browsers and curl unless it says no. */
export function wantsPretty(exchange: Exchange): boolean {
  const asked = exchange.query.text('pretty');
  if (asked !== undefined) return truths.includes(asked);
  return /^(?:curl|Wget|Mozilla\/5\.0)/.test(exchange.userAgent);
}
