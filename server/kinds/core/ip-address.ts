import { isIPv4, isIPv6 } from 'node:net';

export type IpFamily = 'IPv4' | 'IPv6';

export interface Ip {
  readonly family: IpFamily;
  readonly bits: bigint;
}

/** An address without zone; neither `10.0.0.01` nor `fe80::1%eth0` is one. */
export const isIp = (text: string) => isIPv4(text) || (isIPv6(text) && !text.includes('%'));

const ipv4Bits = (text: string) => text.split('.').reduce((bits, part) => bits * 256n + BigInt(part), 0n);

function ipv6Bits(text: string): bigint {
  // The last 32 bits may be written as IPv4.
  const lastColon = text.lastIndexOf(':');
  const tail = text.slice(lastColon + 1);
  const plain = tail.includes('.')
    ? `${text.slice(0, lastColon + 1)}${(ipv4Bits(tail) >> 16n).toString(16)}:${(ipv4Bits(tail) & 0xffffn).toString(16)}`
    : text;
  const [head = '', rest] = plain.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = rest === undefined || rest === '' ? [] : rest.split(':');
  const zeros = rest === undefined ? 0 : 8 - left.length - right.length;
  return [...left, ...Array.from({ length: zeros }, () => '0'), ...right].reduce(
    (bits, part) => (bits << 16n) + BigInt(`0x${part}`),
    0n,
  );
}

/** Undefined for text that is no address. */
export function parseIp(text: string): Ip | undefined {
  if (!isIp(text)) return undefined;
  return isIPv4(text) ? { family: 'IPv4', bits: ipv4Bits(text) } : { family: 'IPv6', bits: ipv6Bits(text) };
}

/** The canonical text: RFC 5952 for IPv6. */
export function formatIp({ family, bits }: Ip): string {
  if (family === 'IPv4') return [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 0xffn).join('.');
  const parts = Array.from({ length: 8 }, (_, part) => ((bits >> BigInt(112 - 16 * part)) & 0xffffn).toString(16));
  const zeros = [...parts.join(':').matchAll(/(?<![0-9a-f])0(?::0)+(?![0-9a-f])/g)];
  const longest = zeros.reduce((best, { 0: run }) => (run.length > best.length ? run : best), '');
  if (!longest) return parts.join(':');
  const whole = parts.join(':');
  const start = zeros.find(({ 0: run }) => run === longest)?.index ?? 0;
  return `${whole.slice(0, start).replace(/:$/, '')}::${whole.slice(start + longest.length).replace(/^:/, '')}`;
}

export interface Cidr {
  readonly family: IpFamily;
  /** The first address. */
  readonly base: bigint;
  /** How many addresses there are. */
  readonly size: bigint;
}

/** Undefined for text that is no range such as `10.0.0.0/24`. */
export function parseCidr(text: string): Cidr | undefined {
  const [address = '', length = '', ...more] = text.split('/');
  const ip = parseIp(address);
  if (!ip || more.length > 0 || !/^\d{1,3}$/.test(length)) return undefined;
  const width = ip.family === 'IPv4' ? 32 : 128;
  if (Number(length) > width) return undefined;
  const size = 1n << BigInt(width - Number(length));
  return { family: ip.family, base: ip.bits - (ip.bits % size), size };
}

export const contains = ({ family, base, size }: Cidr, ip: Ip) =>
  ip.family === family && ip.bits >= base && ip.bits < base + size;
