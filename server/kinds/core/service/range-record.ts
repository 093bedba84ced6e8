import { cidrContains, isIpv4, parseCidr, parseIp } from '../../../base/ip.ts';
import { TakenError } from '../../../store/store.ts';
import { toBits } from './address-bits.ts';

/** Which addresses or node ports of a range Services have, as a v1.25 server notes it: a RangeAllocation. */
export interface RangeRecord {
  /** `10.0.0.0/24` or `30000-32767` */
  readonly range?: string;
  /** One bit for each number of the range, as the bytes of a whole number, the highest first; base64. */
  readonly data?: string;
}

/**
 * The record with what a write takes and gives back, in the words of `heldBy`; the same one when it speaks of none of
 * it. @throws TakenError
 */
export function withNoted<T extends RangeRecord>(record: T, takes: readonly string[], returns: readonly string[]): T {
  const place = placesIn(record.range ?? '');
  const before = BigInt(`0x0${Buffer.from(record.data ?? '', 'base64').toString('hex')}`);
  let bits = before;
  for (const what of returns) bits &= ~bitOf(place(what));
  for (const what of takes) {
    const bit = bitOf(place(what));
    if ((before & bit) !== 0n) throw new TakenError(`${what} is noted as given to another Service`);
    bits |= bit;
  }
  return bits === before ? record : { ...record, data: bytesOf(bits).toString('base64') };
}

const bitOf = (place: bigint | undefined): bigint => (place === undefined ? 0n : 1n << place);

function bytesOf(bits: bigint): Buffer {
  const digits = bits === 0n ? '' : bits.toString(16);
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
}

/** Enough for any range that is noted; of a larger one only the beginning is. */
const mostPlaces = 65_536n;

/** Where in the range something stands, from 0; undefined: not in it. */
function placesIn(range: string): (what: string) => bigint | undefined {
  const ports = /^(\d{1,5})-(\d{1,5})$/.exec(range);
  if (ports) return (what) => within(numberIn(what, 'ports/'), BigInt(ports[1] ?? 0), BigInt(ports[2] ?? 0));
  const cidr = parseCidr(range);
  if (!cidr) return () => undefined;
  const size = 1n << BigInt(cidr.ip.length * 8 - cidr.bits);
  const base = toBits(cidr.ip) & ~(size - 1n);
  const last = base + size - (isIpv4(cidr.ip) ? 2n : 1n);
  return (what) => {
    const ip = what.startsWith('addresses/') ? parseIp(what.slice('addresses/'.length)) : undefined;
    return ip && cidrContains(cidr, ip) ? within(toBits(ip), base + 1n, last) : undefined;
  };
}

const numberIn = (what: string, kind: string): bigint | undefined =>
  what.startsWith(kind) ? BigInt(what.slice(kind.length)) : undefined;

function within(number: bigint | undefined, first: bigint, last: bigint): bigint | undefined {
  if (number === undefined || number < first || number > last) return undefined;
  const place = number - first;
  return place < mostPlaces ? place : undefined;
}
