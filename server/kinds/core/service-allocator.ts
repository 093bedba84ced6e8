import { randomInt } from 'node:crypto';
import { type Cidr, cidrContains, parseCidr, parseIp } from '../../base/ip.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { addressText, type IpFamily, ipFamilyOf, toBits } from './address-bits.ts';
import type { Claim, Refusal, ServiceAddresses } from './service-addresses.ts';
import type { Service } from './service-shape.ts';

export interface AllocatorOptions {
  /** One range, or two of different families with the preferred first: `10.0.0.0/24,fd00::/108`. */
  readonly clusterIpRange: string;
  /** First and last: `30000-32767`. */
  readonly nodePortRange: string;
  /** A number from 0 up to, not including, the bound. */
  readonly random?: (bound: number) => number;
}

/** How long a claim waits for its write. Longer than any request may take. */
const claimLife = 120_000;

/** @throws Error when a range does not parse */
export function serviceAllocator(options: AllocatorOptions): ServiceAddresses {
  const random = options.random ?? randomInt;
  const ranges = options.clusterIpRange.split(',').map((text) => new AddressRange(text, random));
  if (ranges.length > 2 || new Set(ranges.map(({ family }) => family)).size < ranges.length)
    throw new Error(`service cluster IP range: want one range of each family: ${options.clusterIpRange}`);
  return new Allocator(ranges, new PortRange(options.nodePortRange, random));
}

/** Numbers that holders have: for good, or claimed until a time. */
class Holdings {
  readonly #held = new Map<number, string>();
  readonly #claimed = new Map<number, { holder: string; until: number }>();

  isFree(number: number, { holder, now }: Claim): boolean {
    const owner = this.#held.get(number);
    if (owner !== undefined && owner !== holder) return false;
    const claim = this.#claimed.get(number);
    return !claim || claim.holder === holder || claim.until <= now;
  }

  /** Free for everybody, the claimant's own earlier claims included. */
  isUnused(number: number, { now }: Claim): boolean {
    const claim = this.#claimed.get(number);
    return !this.#held.has(number) && (!claim || claim.until <= now);
  }

  claim(number: number, { holder, now, dryRun }: Claim): void {
    if (!dryRun) this.#claimed.set(number, { holder, until: now + claimLife });
  }

  abandon(holder: string): void {
    for (const [number, claim] of this.#claimed) if (claim.holder === holder) this.#claimed.delete(number);
  }

  hold(numbers: Iterable<number>, holder: string): void {
    for (const number of numbers) if (!this.#held.has(number)) this.#held.set(number, holder);
  }

  release(numbers: Iterable<number>, holder: string): void {
    for (const number of numbers) if (this.#held.get(number) === holder) this.#held.delete(number);
  }
}

type Random = (bound: number) => number;

/** The first unused number at or after a random one, within first and last. */
function pickFrom(
  first: number,
  last: number,
  random: Random,
  unused: (number: number) => boolean,
): number | undefined {
  const count = last - first + 1;
  if (count <= 0) return undefined;
  const start = random(count);
  for (let step = 0; step < count; step++) {
    const number = first + ((start + step) % count);
    if (unused(number)) return number;
  }
  return undefined;
}

/** No range needs more than so many addresses; larger ones are used from their beginning. */
const mostAddresses = 65_536;

class AddressRange {
  readonly family: IpFamily;
  readonly holdings = new Holdings();
  readonly #cidr: Cidr;
  readonly #random: Random;
  readonly #last: number;
  /** Addresses up to this one are left to those who ask for them by name, as long as there are others. */
  readonly #reserved: number;

  constructor(text: string, random: Random) {
    const cidr = parseCidr(text.trim());
    if (!cidr) throw new Error(`service cluster IP range: not a range: ${text}`);
    if (cidr.size < 4n) throw new Error(`service cluster IP range: too small: ${text}`);
    this.family = cidr.family;
    this.#cidr = cidr;
    this.#random = random;
    // Neither the network's own address nor, for IPv4, the broadcast address.
    const usable = cidr.size - (cidr.family === 'IPv4' ? 2n : 1n);
    this.#last = usable > BigInt(mostAddresses) ? mostAddresses : Number(usable);
    this.#reserved = this.#last < 17 ? 0 : Math.min(256, Math.max(16, Math.floor(this.#last / 16)));
  }

  /** The position of an address in the range; undefined when it is outside or may not be given out. */
  positionOf(address: string): number | undefined {
    const ip = parseIp(address);
    if (!ip || !contains(this.#cidr, ip)) return undefined;
    const position = ip.bits - this.#cidr.base;
    const usable = this.#cidr.size - (this.family === 'IPv4' ? 2n : 1n);
    return position >= 1n && position <= usable && position <= BigInt(Number.MAX_SAFE_INTEGER)
      ? Number(position)
      : undefined;
  }

  pick(claim: Claim): string | undefined {
    const unused = (number: number) => this.holdings.isUnused(number, claim);
    const position =
      pickFrom(this.#reserved + 1, this.#last, this.#random, unused) ??
      pickFrom(1, this.#reserved, this.#random, unused);
    if (position === undefined) return undefined;
    this.holdings.claim(position, claim);
    return formatIp({ family: this.family, bits: this.#cidr.base + BigInt(position) });
  }
}

class PortRange {
  readonly holdings = new Holdings();
  readonly #first: number;
  readonly #last: number;
  readonly #random: Random;

  constructor(text: string, random: Random) {
    const [, first, last] = /^(\d{1,5})-(\d{1,5})$/.exec(text.trim()) ?? [];
    this.#first = Number(first ?? Number.NaN);
    this.#last = Number(last ?? Number.NaN);
    if (!(this.#first >= 1 && this.#last <= 65_535 && this.#first <= this.#last))
      throw new Error(`service node port range: not a range of ports: ${text}`);
    this.#random = random;
  }

  contains(port: number): boolean {
    return port >= this.#first && port <= this.#last;
  }

  pick(claim: Claim, except: ReadonlySet<number>): number | undefined {
    const port = pickFrom(
      this.#first,
      this.#last,
      this.#random,
      (number) => !except.has(number) && this.holdings.isUnused(number, claim),
    );
    if (port !== undefined) this.holdings.claim(port, claim);
    return port;
  }
}

class Allocator implements ServiceAddresses {
  readonly families: readonly IpFamily[];
  readonly #ranges: readonly AddressRange[];
  readonly #ports: PortRange;

  constructor(ranges: readonly AddressRange[], ports: PortRange) {
    this.#ranges = ranges;
    this.#ports = ports;
    this.families = ranges.map(({ family }) => family);
  }

  pickAddress(family: IpFamily, claim: Claim): string | undefined {
    return this.#ranges.find((range) => range.family === family)?.pick(claim);
  }

  takeAddress(address: string, claim: Claim): Refusal | undefined {
    for (const range of this.#ranges) {
      const position = range.positionOf(address);
      if (position !== undefined) return take(range.holdings, position, claim);
    }
    return 'outside';
  }

  pickPort(claim: Claim, except: ReadonlySet<number>): number | undefined {
    return this.#ports.pick(claim, except);
  }

  takePort(port: number, claim: Claim): Refusal | undefined {
    return this.#ports.contains(port) ? take(this.#ports.holdings, port, claim) : 'outside';
  }

  abandon(holder: string): void {
    for (const { holdings } of [...this.#ranges, this.#ports]) holdings.abandon(holder);
  }

  follow(previous: KubeObject | undefined, current: KubeObject | undefined): void {
    const { metadata } = current ?? previous ?? {};
    if (!metadata) return;
    const holder = `${metadata.namespace}/${metadata.name}`;
    this.abandon(holder);
    for (const range of this.#ranges) {
      range.holdings.release(positionsOf(range, previous), holder);
      range.holdings.hold(positionsOf(range, current), holder);
    }
    this.#ports.holdings.release(portsOf(previous), holder);
    this.#ports.holdings.hold(portsOf(current), holder);
  }
}

function take(holdings: Holdings, number: number, claim: Claim): Refusal | undefined {
  if (claim.dryRun) return undefined;
  if (!holdings.isFree(number, claim)) return 'taken';
  holdings.claim(number, claim);
  return undefined;
}

function positionsOf(range: AddressRange, service: KubeObject | undefined): number[] {
  const { clusterIPs = [] } = (service as Service | undefined)?.spec ?? {};
  return clusterIPs.flatMap((address) => range.positionOf(address) ?? []);
}

function portsOf(service: KubeObject | undefined): number[] {
  const { ports = [], healthCheckNodePort } = (service as Service | undefined)?.spec ?? {};
  return [...ports.map(({ nodePort }) => nodePort), healthCheckNodePort].flatMap((port) => port || []);
}
