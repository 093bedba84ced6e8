/** An address: 4 bytes, or 16. An IPv4 address written as IPv6 (`::ffff:1.2.3.4`) is an IPv4 address. */
export type Ip = Uint8Array;

export interface Cidr {
  readonly ip: Ip;
  /** Leading bits that all addresses of the range share. */
  readonly bits: number;
}

const dot = 46;
const colon = 58;

/**
 * Reads an IP address as the API does: dotted decimals (leading zeros are decimal too) or RFC 4291 text without a
 * zone. Undefined when it is none. One pass over the characters, since a slice may hold a hundred thousand addresses.
 */
export function parseIp(text: string): Ip | undefined {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === colon) return parseIpv6(text);
    if (code !== dot) continue;
    const bytes = new Uint8Array(4);
    return readIpv4(text, 0, bytes, 0) ? bytes : undefined;
  }
  return undefined;
}

/** Reads the four decimals from `from` to the end of the text into `bytes` at `into`. */
function readIpv4(text: string, from: number, bytes: Uint8Array, into: number): boolean {
  let part = 0;
  let value = -1;
  for (let at = from; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : dot;
    if (code >= 48 && code <= 57) {
      value = Math.max(value, 0) * 10 + code - 48;
      if (value > 255) return false;
      continue;
    }
    if (code !== dot || value < 0 || part === 4) return false;
    bytes[into + part++] = value;
    value = -1;
  }
  return part === 4;
}

function hexDigit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const lower = code | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}

function parseIpv6(text: string): Ip | undefined {
  const bytes = new Uint8Array(16);
  let filled = 0;
  let gap = -1;
  let at = 0;
  if (text.startsWith('::')) {
    gap = 0;
    at = 2;
  }
  while (at < text.length) {
    if (filled === 16) return undefined;
    const group = at;
    let value = 0;
    for (let digit = 0; at < text.length; at++) {
      digit = hexDigit(text.charCodeAt(at));
      if (digit < 0) break;
      value = value * 16 + digit;
      if (value > 0xffff) return undefined;
    }
    if (at === group) return undefined;
    if (text.charCodeAt(at) === dot) {
      // Only the last four bytes may be written as IPv4.
      if (filled > 12 || (gap < 0 && filled !== 12) || !readIpv4(text, group, bytes, filled)) return undefined;
      filled += 4;
      break;
    }
    bytes[filled++] = value >> 8;
    bytes[filled++] = value & 0xff;
    if (at === text.length) break;
    if (text.charCodeAt(at) !== colon || ++at === text.length) return undefined;
    if (text.charCodeAt(at) !== colon) continue;
    if (gap >= 0) return undefined;
    gap = filled;
    at++;
  }
  return stretch(bytes, filled, gap);
}

/** Puts the zeros that `::` stands for where they belong: at least one group, at `gap`. */
function stretch(bytes: Uint8Array, filled: number, gap: number): Ip | undefined {
  if (gap < 0) return filled === 16 ? unmapped(bytes) : undefined;
  if (filled === 16) return undefined;
  bytes.copyWithin(16 - (filled - gap), gap, filled);
  bytes.fill(0, gap, 16 - (filled - gap));
  return unmapped(bytes);
}

/** An IPv4 address in its IPv6 form is an IPv4 address. */
function unmapped(bytes: Uint8Array): Ip {
  for (let at = 0; at < 12; at++) if (bytes[at] !== (at < 10 ? 0 : 0xff)) return bytes;
  return bytes.subarray(12);
}

export const isIpv4 = (ip: Ip) => ip.length === 4;

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

/** Whether all bytes but the last are zero, and that one is `last`. */
function ends(ip: Ip, last: number): boolean {
  for (let at = 0; at < ip.length - 1; at++) if (ip[at] !== 0) return false;
  return ip[ip.length - 1] === last;
}

/** Why an address cannot be that of an endpoint reached over the network; empty when it can. */
export function specialUse(ip: Ip): string {
  const first = ip[0] ?? 0;
  const second = ip[1] ?? 0;
  const third = ip[2] ?? 0;
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
