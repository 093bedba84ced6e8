/** An address: 4 bytes, or 16. An IPv4 address written as IPv6 (`::ffff:1.2.3.4`) is an IPv4 address. */
export type Ip = Uint8Array;

export interface Cidr {
  readonly ip: Ip;
  /** Leading bits that all addresses of the range share. */
  readonly bits: number;
}

/**
 * Reads an IP address as the API does: dotted decimals (leading zeros are decimal too) or RFC 4291 text without a
 * zone. Undefined when it is none.
 */
export function parseIp(text: string): Ip | undefined {
  for (const character of text) {
    if (character === '.') return parseIpv4(text);
    if (character === ':') return mapped(parseIpv6(text));
  }
  return undefined;
}

function parseIpv4(text: string): Ip | undefined {
  const parts = text.split('.', 5);
  if (parts.length !== 4) return undefined;
  const bytes = new Uint8Array(4);
  for (const [position, part] of parts.entries()) {
    const value = /^[0-9]+$/.test(part) ? Number(part) : 256;
    if (value > 255) return undefined;
    bytes[position] = value;
  }
  return bytes;
}

function parseIpv6(text: string): Ip | undefined {
  const halves = text.split('::', 3);
  if (halves.length > 2) return undefined;
  const head = groups(halves[0] ?? '', halves.length === 1);
  const tail = halves.length === 2 ? groups(halves[1] ?? '', true) : [];
  if (!head || !tail) return undefined;
  const gap = 16 - head.length - tail.length;
  if (halves.length === 2 ? gap < 2 : gap !== 0) return undefined;
  const bytes = new Uint8Array(16);
  bytes.set(head);
  bytes.set(tail, 16 - tail.length);
  return bytes;
}

/** The bytes of groups between colons. Only at the end may an IPv4 address stand. */
function groups(text: string, atEnd: boolean): number[] | undefined {
  if (text === '') return [];
  const parts = text.split(':', 9);
  const bytes: number[] = [];
  for (const [position, part] of parts.entries()) {
    if (atEnd && position === parts.length - 1 && part.includes('.')) {
      const last = parseIpv4(part);
      if (!last) return undefined;
      bytes.push(...last);
      continue;
    }
    const value = /^[0-9A-Fa-f]+$/.test(part) ? Number.parseInt(part, 16) : 0x10000;
    if (value > 0xffff) return undefined;
    bytes.push(value >> 8, value & 0xff);
  }
  return bytes.length > 16 ? undefined : bytes;
}

const mappedPrefix = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];

function mapped(ip: Ip | undefined): Ip | undefined {
  return ip && mappedPrefix.every((byte, position) => ip[position] === byte) ? ip.subarray(12) : ip;
}

export const isIpv4 = (ip: Ip) => ip.length === 4;
export const isIpv6 = (ip: Ip) => ip.length === 16;

/** Reads `address/bits`. The address need not be the first of its range. Undefined when it is no range. */
export function parseCidr(text: string): Cidr | undefined {
  const slash = text.indexOf('/');
  if (slash < 0) return undefined;
  const [address, length] = [text.slice(0, slash), text.slice(slash + 1)];
  const ip = parseIp(address);
  const bits = /^[0-9]{1,9}$/.test(length) ? Number(length) : 129;
  if (!ip) return undefined;
  // An IPv4 address written as IPv6 counts its bits from the beginning of the IPv6 form.
  if (isIpv4(ip) && address.includes(':')) return bits >= 96 && bits <= 128 ? { ip, bits: bits - 96 } : undefined;
  return bits <= ip.length * 8 ? { ip, bits } : undefined;
}

/** Whether the address lies in the range. */
export function cidrContains({ ip: base, bits }: Cidr, ip: Ip): boolean {
  if (base.length !== ip.length) return false;
  const whole = bits >> 3;
  for (let position = 0; position < whole; position++) if (base[position] !== ip[position]) return false;
  const rest = bits & 7;
  return rest === 0 || ((base[whole] ?? 0) ^ (ip[whole] ?? 0)) >> (8 - rest) === 0;
}

const ends = (ip: Ip, last: number) => ip.every((byte, position) => byte === (position === ip.length - 1 ? last : 0));

/** Why an address cannot be that of an endpoint reached over the network; empty when it can. */
export function specialUse(ip: Ip): string {
  const [first = 0, second = 0, third = 0] = ip;
  const four = isIpv4(ip);
  if (ends(ip, 0)) return 'must not be the unspecified address (0.0.0.0, ::)';
  if (four ? first === 127 : ends(ip, 1)) return 'must not be a loopback address (127.0.0.0/8, ::1/128)';
  if (four ? first === 169 && second === 254 : first === 0xfe && (second & 0xc0) === 0x80)
    return 'must not be a link-local address (169.254.0.0/16, fe80::/10)';
  if (four ? first === 224 && second === 0 && third === 0 : first === 0xff && (second & 0x0f) === 2)
    return 'must not be a link-local multicast address (224.0.0.0/24, ff02::/10)';
  return '';
}

/** The problems of an address given as text, as the checks of `names.ts`. */
export const ipAddress = (text: string): readonly string[] => (parseIp(text) ? [] : ['must be a valid IP address']);
