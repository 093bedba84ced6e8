import { type Ip, isIpv4, parseIp } from '../../../base/ip.ts';

export type IpFamily = 'IPv4' | 'IPv6';

export const ipFamilyOf = (ip: Ip): IpFamily => (isIpv4(ip) ? 'IPv4' : 'IPv6');

/** Undefined for text that is no address. */
export function ipFamily(text: string): IpFamily | undefined {
  const ip = parseIp(text);
  return ip && ipFamilyOf(ip);
}

/** An address as a number, so that one can count from it. */
export const toBits = (ip: Ip): bigint => ip.reduce((bits, byte) => (bits << 8n) + BigInt(byte), 0n);

/** The canonical text of an address: RFC 5952 for IPv6. */
export function addressText(family: IpFamily, bits: bigint): string {
  if (family === 'IPv4') return [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 0xffn).join('.');
  const groups = Array.from({ length: 8 }, (_, group) => ((bits >> BigInt(112 - 16 * group)) & 0xffffn).toString(16));
  const { start, length } = longestZeros(groups);
  if (length < 2) return groups.join(':');
  return `${groups.slice(0, start).join(':')}::${groups.slice(start + length).join(':')}`;
}

/** The first of the longest runs of zeros. */
function longestZeros(groups: readonly string[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  let length = 0;
  for (const [position, group] of groups.entries()) {
    length = group === '0' ? length + 1 : 0;
    if (length > best.length) best = { start: position - length + 1, length };
  }
  return best;
}
