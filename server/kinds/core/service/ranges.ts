import { type Cidr, cidrContains, isIpv4, parseCidr, parseIp } from '../../../base/ip.ts';
import { addressText, type IpFamily, ipFamilyOf, toBits } from './address-bits.ts';
import type { Claim } from './addresses.ts';
import { NumberHoldings, pickNumber, type Random } from './claimed-numbers.ts';

/** Enough for any server; of a larger range only the beginning is picked from. */
const mostPicked = 65_536n;

/** The cluster addresses of one family. An address is held as its distance from the first of the range. */
export class AddressRange {
  readonly family: IpFamily;
  readonly holdings = new NumberHoldings();
  readonly #cidr: Cidr;
  readonly #base: bigint;
  /** The last distance that can be held: neither the network's own address nor, for IPv4, the broadcast address. */
  readonly #last: bigint;
  readonly #lastPicked: number;
  /** Up to here addresses are left to those who ask for them, as long as there are others. */
  readonly #reserved: number;
  readonly #random: Random;

  /** @throws Error when the text is no range, or a very small one */
  constructor(text: string, random: Random) {
    const cidr = parseCidr(text.trim());
    if (!cidr) throw new Error(`--service-cluster-ip-range: not a range: ${text}`);
    const size = 1n << BigInt(cidr.ip.length * 8 - cidr.bits);
    if (size < 4n) throw new Error(`--service-cluster-ip-range: too small: ${text}`);
    this.family = ipFamilyOf(cidr.ip);
    this.#cidr = cidr;
    this.#random = random;
    this.#base = toBits(cidr.ip) & ~(size - 1n);
    this.#last = size - (isIpv4(cidr.ip) ? 2n : 1n);
    this.#lastPicked = Number(this.#last > mostPicked ? mostPicked : this.#last);
    this.#reserved = this.#lastPicked < 17 ? 0 : Math.min(256, Math.max(16, Math.floor(this.#lastPicked / 16)));
  }

  get first(): string {
    return addressText(this.family, this.#base + 1n);
  }

  /** Undefined when the address is outside or may not be given out. */
  distanceOf(address: string): number | undefined {
    const ip = parseIp(address);
    if (!ip || !cidrContains(this.#cidr, ip)) return undefined;
    const distance = toBits(ip) - this.#base;
    const fits = distance >= 1n && distance <= this.#last && distance <= BigInt(Number.MAX_SAFE_INTEGER);
    return fits ? Number(distance) : undefined;
  }

  pick(claim: Claim): string | undefined {
    const unused = (number: number) => this.holdings.isUnused(number);
    const distance =
      pickNumber(this.#reserved + 1, this.#lastPicked, this.#random, unused) ??
      pickNumber(1, this.#reserved, this.#random, unused);
    if (distance === undefined) return undefined;
    this.holdings.claim(distance, claim);
    return addressText(this.family, this.#base + BigInt(distance));
  }
}

/** The ports of nodes that Services may be reached by. */
export class PortRange {
  readonly holdings = new NumberHoldings();
  readonly #first: number;
  readonly #last: number;
  readonly #random: Random;

  /** @throws Error when the text is not such as `30000-32767` */
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
    const fits = (port: number) => !except.has(port) && this.holdings.isUnused(port);
    const port = pickNumber(this.#first, this.#last, this.#random, fits);
    if (port !== undefined) this.holdings.claim(port, claim);
    return port;
  }
}
