import { isIpv4, parseIp } from '../../base/ip.ts';

/** Headers by their names, as Node gives them: of several with one name either a list or one text with commas. */
type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Where a request comes from: the addresses that proxies say it came by, in their order, and last the other end of the
 * connection, which alone nobody can make up. What is no address is left out.
 */
export function sourceAddresses(headers: Headers, otherEnd: string): readonly string[] {
  const found = addressesIn(headers['x-forwarded-for']);
  const [real] = addressesIn(headers['x-real-ip']);
  if (real !== undefined && !found.includes(real)) found.push(real);
  const [last] = addressesIn(otherEnd);
  if (last !== undefined && found.at(-1) !== last) found.push(last);
  return found;
}

const addressesIn = (header: string | readonly string[] | undefined): string[] =>
  [header ?? []]
    .flat()
    .flatMap((text) => text.split(','))
    .flatMap((text) => spelt(text.trim()) ?? []);

/** An IPv4 address is spelt as such, whichever way it came. */
function spelt(text: string): string | undefined {
  const ip = parseIp(text);
  return ip && (isIpv4(ip) ? ip.join('.') : text.toLowerCase());
}
