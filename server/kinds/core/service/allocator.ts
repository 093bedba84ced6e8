import { randomInt } from 'node:crypto';
import type { KubeObject } from '../../../base/kube-object.ts';
import type { IpFamily } from './address-bits.ts';
import type { Claim, Refusal, ServiceAddresses } from './addresses.ts';
import type { NumberHoldings, Random } from './claimed-numbers.ts';
import { AddressRange, PortRange } from './ranges.ts';
import type { Service } from './shape.ts';

export interface AllocatorOptions {
  /** One range, or two of different families with the preferred first: `10.0.0.0/24,fd00::/108`. */
  readonly clusterIpRange: string;
  /** First and last: `30000-32767`. */
  readonly nodePortRange: string;
  readonly random?: Random;
}

/** @throws Error when a range does not parse */
export function serviceAllocator(options: AllocatorOptions): ServiceAddresses {
  const random = options.random ?? randomInt;
  const ranges = options.clusterIpRange.split(',').map((text) => new AddressRange(text, random));
  if (ranges.length > 2 || new Set(ranges.map(({ family }) => family)).size < ranges.length)
    throw new Error(`--service-cluster-ip-range: want at most one range of each family: ${options.clusterIpRange}`);
  return new Allocator(ranges, new PortRange(options.nodePortRange, random));
}

class Allocator implements ServiceAddresses {
  readonly families: readonly IpFamily[];
  readonly first: string;
  readonly #ranges: readonly AddressRange[];
  readonly #ports: PortRange;

  constructor(ranges: readonly AddressRange[], ports: PortRange) {
    this.#ranges = ranges;
    this.#ports = ports;
    this.families = ranges.map(({ family }) => family);
    this.first = ranges[0]?.first ?? '';
  }

  pickAddress(family: IpFamily, claim: Claim): string | undefined {
    return this.#ranges.find((range) => range.family === family)?.pick(claim);
  }

  takeAddress(address: string, claim: Claim): Refusal | undefined {
    for (const range of this.#ranges) {
      const distance = range.distanceOf(address);
      if (distance !== undefined) return take(range.holdings, distance, claim);
    }
    return 'outside';
  }

  pickPort(claim: Claim, except: ReadonlySet<number>): number | undefined {
    return this.#ports.pick(claim, except);
  }

  takePort(port: number, claim: Claim): Refusal | undefined {
    if (this.#ports.contains(port)) return take(this.#ports.holdings, port, claim);
    // As a genuine server does: the range is looked at when the port is taken, and a dry run takes none.
    return claim.dryRun ? undefined : 'outside';
  }

  follow(previous: KubeObject | undefined, current: KubeObject | undefined): void {
    const metadata = (current ?? previous)?.metadata;
    if (!metadata) return;
    const holder = `${metadata.namespace}/${metadata.name}`;
    for (const range of this.#ranges) {
      range.holdings.release(distancesOf(range, previous), holder);
      range.holdings.hold(distancesOf(range, current), holder);
    }
    this.#ports.holdings.release(portsOf(previous), holder);
    this.#ports.holdings.hold(portsOf(current), holder);
  }
}

function take(holdings: NumberHoldings, number: number, claim: Claim): Refusal | undefined {
  if (claim.dryRun) return undefined;
  if (!holdings.isFree(number, claim)) return 'taken';
  holdings.claim(number, claim);
  return undefined;
}

function distancesOf(range: AddressRange, service: KubeObject | undefined): number[] {
  const { clusterIPs = [] } = (service as Service | undefined)?.spec ?? {};
  return clusterIPs.flatMap((address) => range.distanceOf(address) ?? []);
}

function portsOf(service: KubeObject | undefined): number[] {
  const { ports = [], healthCheckNodePort } = (service as Service | undefined)?.spec ?? {};
  return [...ports.map(({ nodePort }) => nodePort), healthCheckNodePort].flatMap((port) => port || []);
}
