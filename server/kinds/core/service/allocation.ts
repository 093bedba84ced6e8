import { type FieldError, invalidValue } from '../../../base/field-error.ts';
import { FieldPath } from '../../../base/field-path.ts';
import { internalError, invalid } from '../../../base/status-error.ts';
import { sameValue } from '../../same-value.ts';
import type { WriteContext } from '../../strategy.ts';
import { type IpFamily, ipFamily } from './address-bits.ts';
import type { Claim, ServiceAddresses } from './addresses.ts';
import type { Service, ServicePort, ServiceSpec } from './shape.ts';

/** How a Service comes by its addresses and ports, keeps them and gives them back. */

const spec = FieldPath.of('spec');

export const needsAddress = ({ type }: ServiceSpec) => type !== 'ExternalName';
export const isHeadless = ({ clusterIP, clusterIPs }: ServiceSpec) => (clusterIPs?.[0] ?? clusterIP) === 'None';
export const isExposed = ({ type }: ServiceSpec) => type === 'NodePort' || type === 'LoadBalancer';
const wantsNodePorts = (service: ServiceSpec) =>
  service.type === 'NodePort' || (service.type === 'LoadBalancer' && service.allocateLoadBalancerNodePorts !== false);
export const needsHealthCheck = ({ type, externalTrafficPolicy }: ServiceSpec) =>
  type === 'LoadBalancer' && externalTrafficPolicy === 'Local';

const claimOf = ({ metadata }: Service, { dryRun, onAbandon }: WriteContext): Claim => ({
  holder: `${metadata.namespace}/${metadata.name}`,
  dryRun,
  onAbandon,
});

/** Claims what the Service asks for and picks what it leaves open. @throws 422 for what cannot be had, 500 for a port of health */
export function allocate(
  service: Service,
  previous: Service | undefined,
  context: WriteContext,
  addresses: ServiceAddresses,
): void {
  const wanted = service.spec ?? {};
  const claim = claimOf(service, context);
  if (needsAddress(wanted)) {
    refuse(service, allocateAddresses(wanted, previous?.spec, claim, addresses));
  }
  refuse(service, allocatePorts(wanted, previous?.spec, claim, addresses));
  allocateHealthPort(wanted, previous?.spec, claim, addresses);
}

/** @throws 422 with these alone, if there are any */
export function refuse(service: Service, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid({ group: '', resource: 'Service' }, service.metadata.name ?? '', errors);
}

function allocateAddresses(
  service: ServiceSpec,
  previous: ServiceSpec | undefined,
  claim: Claim,
  from: ServiceAddresses,
): FieldError[] {
  if (isHeadless(service)) {
    service.clusterIP = 'None';
    service.clusterIPs = ['None'];
    return [];
  }
  // A Service that has none although it could is left without.
  if (previous && needsAddress(previous) && !previous.clusterIPs?.length) return [];
  const given = service.clusterIPs ?? [];
  const had = new Set(previous?.clusterIPs);
  const addresses: string[] = [];
  for (const [position, family] of (service.ipFamilies ?? []).entries()) {
    const asked = given[position];
    if (asked === undefined || asked === '') {
      addresses.push(picked(family as IpFamily, claim, from));
      continue;
    }
    addresses.push(asked);
    if (had.has(asked) || !ipFamily(asked)) continue;
    const refusal = from.takeAddress(asked, claim);
    if (refusal) return [notAllocated(given, asked, refusal)];
  }
  service.clusterIPs = [...addresses, ...given.slice(addresses.length)];
  service.clusterIP ||= service.clusterIPs[0] ?? '';
  return [];
}

/** @throws 500 when none is left */
function picked(family: IpFamily, claim: Claim, from: ServiceAddresses): string {
  const address = from.pickAddress(family, claim);
  if (!address) throw internalError('failed to allocate a serviceIP: range is full');
  return address;
}

function notAllocated(given: readonly string[], asked: string, refusal: 'taken' | 'outside'): FieldError {
  const why = refusal === 'taken' ? 'provided IP is already allocated' : 'the provided IP is not in the valid range';
  return invalidValue(spec.child('clusterIPs'), given, `failed to allocate IP ${asked}: ${why}`);
}

/** Why a port that is asked for cannot be had. */
const unavailable = {
  taken: 'provided port is already allocated',
  outside: 'provided port is not in the valid range',
} as const;

function allocatePorts(
  service: ServiceSpec,
  previous: ServiceSpec | undefined,
  claim: Claim,
  from: ServiceAddresses,
): FieldError[] {
  const ports = service.ports ?? [];
  const had = new Set((previous?.ports ?? []).map(({ nodePort }) => nodePort));
  const errors: FieldError[] = [];
  const take = (port: number, path: FieldPath) => {
    const refusal = from.takePort(port, claim);
    if (refusal) errors.push(invalidValue(path, port, unavailable[refusal]));
  };
  if (isExposed(service)) {
    ports.forEach(({ nodePort }, position) => {
      if (nodePort && !had.has(nodePort)) take(nodePort, spec.child('ports').index(position).child('nodePort'));
    });
    if (errors.length === 0 && wantsNodePorts(service)) pickPorts(ports, claim, from, !previous);
  }
  return errors;
}

/** The port by which a balancer asks for its health. @throws 500, as v1.25 does, where the one that is asked for cannot be had */
function allocateHealthPort(
  service: ServiceSpec,
  previous: ServiceSpec | undefined,
  claim: Claim,
  from: ServiceAddresses,
): void {
  // One that has its port already keeps it: that it may be no other is for validation to say.
  if (!needsHealthCheck(service) || (previous && needsHealthCheck(previous) && service.healthCheckNodePort)) return;
  const asked = service.healthCheckNodePort;
  const refusal = asked ? from.takePort(asked, claim) : undefined;
  if (refusal)
    throw internalError(`failed to allocate requested HealthCheck NodePort ${asked}: ${unavailable[refusal]}`);
  service.healthCheckNodePort = asked || pick(claim, new Set(), from);
}

/**
 * A port number that is served by several protocols gets one node port for all of them. `begins`: for a new Service also
 * where it stands twice with one protocol, which validation refuses.
 */
function pickPorts(ports: readonly ServicePort[], claim: Claim, from: ServiceAddresses, begins: boolean): void {
  const byNumber = new Map<number | undefined, number>();
  const used = new Set<number>();
  for (const { port, nodePort } of ports) {
    if (!nodePort) continue;
    if (!byNumber.has(port)) byNumber.set(port, nodePort);
    used.add(nodePort);
  }
  const pairs = new Set(
    ports.filter(({ nodePort }) => nodePort).map(({ protocol, nodePort }) => `${protocol}/${nodePort}`),
  );
  for (const port of ports) {
    if (port.nodePort) continue;
    const shared = byNumber.get(port.port);
    const free = shared !== undefined && (begins || !pairs.has(`${port.protocol}/${shared}`));
    port.nodePort = free ? shared : pick(claim, used, from);
    byNumber.set(port.port, port.nodePort);
    used.add(port.nodePort);
    pairs.add(`${port.protocol}/${port.nodePort}`);
  }
}

function pick(claim: Claim, except: ReadonlySet<number>, from: ServiceAddresses): number {
  const port = from.pickPort(claim, except);
  if (port === undefined) throw internalError('failed to allocate a nodePort: range is full');
  return port;
}

/** Lets clusterIP and clusterIPs agree where only one of them was changed. In place. */
export function alignAddresses(next: ServiceSpec, previous: ServiceSpec | undefined): void {
  if (!previous) {
    if (next.clusterIP && !next.clusterIPs?.length) next.clusterIPs = [next.clusterIP];
    return;
  }
  const listChanged = !sameValue(next.clusterIPs, previous.clusterIPs);
  // Who empties the list gives up the address, unless it is kept.
  if (next.clusterIP === previous.clusterIP && !next.clusterIPs?.length && previous.clusterIPs?.length)
    delete next.clusterIP;
  if (next.clusterIP === previous.clusterIP || listChanged) {
    if (next.clusterIP && !next.clusterIPs?.length && !previous.clusterIPs?.length) next.clusterIPs = [next.clusterIP];
    return;
  }
  if (next.clusterIP) next.clusterIPs = [next.clusterIP];
  else delete next.clusterIPs;
}

/** What a writer leaves out but the Service has already is kept. In place. */
export function keepAllocated(next: ServiceSpec, previous: ServiceSpec): void {
  if (needsAddress(next) && needsAddress(previous)) {
    if (!next.clusterIP && previous.clusterIP) next.clusterIP = previous.clusterIP;
    const headless = isHeadless(next);
    if (!next.clusterIPs?.length && previous.clusterIPs) next.clusterIPs = [...previous.clusterIPs];
    if (previous.ipFamilyPolicy) next.ipFamilyPolicy ??= previous.ipFamilyPolicy;
    if (!next.ipFamilies?.length && previous.ipFamilies && !headless) next.ipFamilies = [...previous.ipFamilies];
    trimToOneFamily(next, previous);
  }
  if (isExposed(next) && isExposed(previous)) keepNodePorts(next, previous);
  const { healthCheckNodePort } = previous;
  if (needsHealthCheck(next) && healthCheckNodePort && !next.healthCheckNodePort)
    next.healthCheckNodePort = healthCheckNodePort;
}

/** Going to a single stack, the second address and family are given up. */
function trimToOneFamily(next: ServiceSpec, previous: ServiceSpec): void {
  if (next.ipFamilyPolicy !== 'SingleStack' || previous.ipFamilyPolicy === 'SingleStack') return;
  for (const field of ['clusterIPs', 'ipFamilies'] as const) {
    const list = next[field];
    if (list && sameValue(list, previous[field])) next[field] = list.slice(0, 1);
  }
}

/** A port is known by its name, whatever else of it changes. */
function keepNodePorts(next: ServiceSpec, previous: ServiceSpec): void {
  const had = new Map((previous.ports ?? []).map(({ name = '', nodePort }) => [name, nodePort]));
  const used = new Set((next.ports ?? []).map(({ nodePort }) => nodePort));
  for (const port of next.ports ?? []) {
    if (port.nodePort) continue;
    const old = had.get(port.name ?? '');
    if (!old || used.has(old)) continue;
    port.nodePort = old;
    used.add(old);
  }
}

/** What only made sense for the old type goes, unless the writer changed it just now. In place. */
export function dropForType(next: ServiceSpec, previous: ServiceSpec): void {
  const drop = (field: keyof ServiceSpec, fitted: boolean, fits: boolean) => {
    if (fitted && !fits && sameValue(next[field], previous[field])) delete next[field];
  };
  const sameAddresses = next.clusterIP === previous.clusterIP && sameValue(next.clusterIPs, previous.clusterIPs);
  if (needsAddress(previous) && !needsAddress(next) && sameAddresses) {
    delete next.clusterIP;
    delete next.clusterIPs;
  }
  if (needsAddress(previous) && !needsAddress(next)) {
    delete next.ipFamilies;
    delete next.ipFamilyPolicy;
    delete next.internalTrafficPolicy;
  }
  if (isExposed(previous) && !isExposed(next)) {
    const before = new Set((previous.ports ?? []).map(({ nodePort }) => nodePort));
    // Ports may come and go, as long as no node port is asked for anew.
    if ((next.ports ?? []).every(({ nodePort }) => !nodePort || before.has(nodePort)))
      for (const port of next.ports ?? []) delete port.nodePort;
  }
  const balanced = (service: ServiceSpec) => service.type === 'LoadBalancer';
  drop('healthCheckNodePort', needsHealthCheck(previous), needsHealthCheck(next));
  drop('allocateLoadBalancerNodePorts', balanced(previous), balanced(next));
  drop('loadBalancerClass', balanced(previous), balanced(next));
  drop('externalTrafficPolicy', isExposed(previous), isExposed(next));
}
