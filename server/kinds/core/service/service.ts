import { serviceName } from '../../../base/names.ts';
import type { KindTable } from '../../kind-table.ts';
import { checkedStatus } from '../../status-subresource.ts';
import { defineKind, type KindRules, type WriteContext } from '../../strategy.ts';
import { age, ageColumn, column, labelText, nameColumn, orNone, wideColumn } from '../../table-cells.ts';
import { proxyOptions } from '../connect-options.ts';
import type { ServiceAddresses } from './addresses.ts';
import { alignAddresses, allocate, dropForType, isExposed, keepAllocated, needsAddress, refuse } from './allocation.ts';
import { serviceAllocator } from './allocator.ts';
import { chooseFamilies, validateFamilies } from './families.ts';
import { followServices } from './follow.ts';
import { serviceProxy } from './proxy.ts';
import type { Service, ServicePort, ServiceSpec } from './shape.ts';
import { validateReleases, validateServiceSpec, validateServiceStatus, validateServiceUpdate } from './validation.ts';

const affinitySeconds = 10_800;

function defaults(service: Service): void {
  service.spec ??= {};
  service.status ??= {};
  service.status.loadBalancer ??= {};
  const { spec } = service;
  spec.sessionAffinity ||= 'None';
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity === 'ClientIP') {
    spec.sessionAffinityConfig ??= {};
    spec.sessionAffinityConfig.clientIP ??= {};
    spec.sessionAffinityConfig.clientIP.timeoutSeconds ??= affinitySeconds;
  }
  spec.type ||= 'ClusterIP';
  for (const port of spec.ports ?? []) {
    port.protocol ||= 'TCP';
    if (!port.targetPort) port.targetPort = port.port ?? 0;
  }
  if (isExposed(spec)) spec.externalTrafficPolicy ||= 'Cluster';
  if (isExposed(spec) || spec.type === 'ClusterIP') spec.internalTrafficPolicy ??= 'Cluster';
  if (spec.type === 'LoadBalancer') spec.allocateLoadBalancerNodePorts ??= true;
}

/** Whoever stored it before there were several addresses of one Service wrote clusterIP alone. In place. */
function completeAddresses(stored: ServiceSpec, addresses: ServiceAddresses): void {
  alignAddresses(stored, undefined);
  if (!stored.clusterIPs?.length || stored.ipFamilies?.length) return;
  if (stored.clusterIPs.length > 1) stored.ipFamilyPolicy ??= 'RequireDualStack';
  chooseFamilies(stored, addresses);
}

const portText = ({ port, nodePort, protocol }: ServicePort) =>
  nodePort ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`;

/** Where the Service can be reached from outside. */
function externalAddress({ spec = {}, status }: Service): string {
  const own = spec.externalIPs ?? [];
  if (spec.type === 'ExternalName') return orNone(spec.externalName);
  if (spec.type !== 'LoadBalancer') return orNone(own.join(','));
  const given = (status?.loadBalancer?.ingress ?? []).flatMap(({ ip, hostname }) => ip || hostname || []);
  return [...[...new Set(given)].sort(), ...own].join(',') || '<pending>';
}

const table: KindTable<Service> = {
  columns: [
    nameColumn,
    column('Type'),
    column('Cluster-IP'),
    column('External-IP'),
    column('Port(s)'),
    ageColumn,
    wideColumn('Selector'),
  ],
  cells: (object, now) => [
    object.metadata.name,
    object.spec?.type,
    orNone(object.spec?.clusterIPs?.[0]),
    externalAddress(object),
    orNone((object.spec?.ports ?? []).map(portText).join(',')),
    age(object, now),
    labelText(object.spec?.selector),
  ],
};

export interface ServiceOptions {
  /** One range, or two of different families with the preferred first: `10.0.0.0/24,fd00::/108`. */
  readonly serviceClusterIpRange: string;
  /** First and last: `30000-32767`. */
  readonly serviceNodePortRange: string;
}

/** Services, with addresses and node ports of their own. @throws Error when a range does not parse */
export const service = ({ serviceClusterIpRange, serviceNodePortRange }: ServiceOptions): KindRules =>
  serviceWith(serviceAllocator({ clusterIpRange: serviceClusterIpRange, nodePortRange: serviceNodePortRange }));

/** Services that get their addresses and node ports from these. */
export const serviceWith = (addresses: ServiceAddresses): KindRules =>
  defineKind<Service>({
    group: '',
    version: 'v1',
    kind: 'Service',
    resource: 'services',
    nameRule: serviceName,
    createOnUpdate: true,
    deleteAnswersObject: true,
    default: defaults,
    completeStored: ({ spec = {} }) => completeAddresses(spec, addresses),
    fitBootstrap({ spec = {} }) {
      const { first, families } = addresses;
      Object.assign(spec, { clusterIP: first, clusterIPs: [first], ipFamilies: families.slice(0, 1) });
    },
    prepareCreate: (next, context) => prepareNew(next, context, addresses),
    prepareUpdate: (next, previous, context) => prepareChange(next, previous, context, addresses),
    validate: ({ metadata, spec = {} }) => validateServiceSpec(spec, metadata.annotations),
    validateUpdate: (next, previous) => validateServiceUpdate(next.spec ?? {}, previous.spec ?? {}),
    operations: { proxy: { run: serviceProxy, connects: proxyOptions('ServiceProxyOptions') } },
    start: ({ store }) => followServices(addresses, store),
    subresources: { status: checkedStatus<Service>(validateServiceStatus) },
    table,
  });

/** A new Service gets addresses and ports, as its type wants them. @throws 422 what does not fit together or cannot be had */
function prepareNew(next: Service, context: WriteContext, addresses: ServiceAddresses): void {
  // What is made through the status gets no addresses.
  if (context.subresource) return;
  const spec: ServiceSpec = next.spec ?? {};
  alignAddresses(spec, undefined);
  // What does not fit together is told alone: nothing can be inferred from it.
  refuse(next, validateFamilies(spec));
  refuse(next, chooseFamilies(spec, addresses));
  allocate(next, undefined, context, addresses);
}

/** A Service keeps what it has, loses what its type does not have, and gets what it lacks. @throws as `prepareNew` */
function prepareChange(next: Service, previous: Service, context: WriteContext, addresses: ServiceAddresses): void {
  const [spec, before] = [next.spec ?? {}, previous.spec ?? {}];
  if (spec.type !== 'LoadBalancer') next.status = { ...next.status, loadBalancer: {} };
  // What is written of an address counts, whichever of the two fields it is written in.
  if (!needsAddress(spec)) alignAddresses(spec, before);
  dropForType(spec, before);
  keepAllocated(spec, before);
  alignAddresses(spec, before);
  refuse(next, validateFamilies(spec));
  refuse(next, chooseFamilies(spec, addresses, validateReleases(spec, before)));
  // An address that may not change is not claimed: validation refuses the write.
  if (validateServiceUpdate(spec, before).length === 0) allocate(next, previous, context, addresses);
}
