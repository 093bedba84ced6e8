import { duplicate, type FieldError, invalidValue, notSupported, required, tooMany } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { dnsLabel, dnsSubdomain, labelValue, qualifiedName } from '../../base/names.ts';
import { emptyListsAreNull } from '../empty-lists.ts';
import { eachOf, immutable, named, namedIfSet } from '../field-rules.ts';
import { sameValue } from '../same-value.ts';
import { defineKind, type WriteContext } from '../strategy.ts';
import { age, ageColumn, column, nameColumn } from '../table-cells.ts';
import { checkAddress } from './endpoint-address.ts';
import { sliceOfV1Beta1 } from './endpoint-slice-v1beta1.ts';

interface Endpoint {
  addresses?: string[];
  conditions?: Record<string, boolean>;
  deprecatedTopology?: unknown;
  hints?: { forZones?: { name?: string }[] };
  hostname?: string;
  nodeName?: string;
}

interface EndpointPort {
  name?: string;
  port?: number;
  protocol?: string;
  appProtocol?: string;
}

interface EndpointSlice extends KubeObject {
  addressType?: string;
  endpoints?: Endpoint[] | null;
  ports?: EndpointPort[] | null;
}

const maxEndpoints = 1000;
const maxAddresses = 100;
const maxPorts = 100;
const maxZoneHints = 8;

const addressTypes = ['FQDN', 'IPv4', 'IPv6'];
const protocols = ['SCTP', 'TCP', 'UDP'];

const addressTypeAt = FieldPath.of('addressType');
const endpointsAt = FieldPath.of('endpoints');
const portsAt = FieldPath.of('ports');

function setDefaults(slice: EndpointSlice): void {
  for (const endpoint of slice.endpoints ?? []) endpoint.conditions ??= {};
  for (const port of slice.ports ?? []) {
    port.name ??= '';
    port.protocol ??= 'TCP';
  }
}

/** A topology in the deprecated form is a change, but nothing is kept of it. */
const withoutDeprecated = (slice: EndpointSlice): EndpointSlice =>
  slice.endpoints?.some(({ deprecatedTopology }) => deprecatedTopology !== undefined)
    ? { ...slice, endpoints: slice.endpoints.map(({ deprecatedTopology: _, ...endpoint }) => endpoint) }
    : slice;

const tellsTermination = (slice: EndpointSlice | undefined) =>
  (slice?.endpoints ?? []).some(
    ({ conditions }) => conditions?.['serving'] !== undefined || conditions?.['terminating'] !== undefined,
  );

/** Conditions of a feature that is off are dropped, unless the slice already has them. In place. */
function dropTermination(next: EndpointSlice, previous: EndpointSlice | undefined, { features }: WriteContext): void {
  if (features.enabled('EndpointSliceTerminatingCondition') || tellsTermination(previous)) return;
  for (const { conditions } of next.endpoints ?? []) {
    delete conditions?.['serving'];
    delete conditions?.['terminating'];
  }
}

function validate({ addressType = '', ...slice }: EndpointSlice): FieldError[] {
  const endpoints = slice.endpoints ?? [];
  const ports = slice.ports ?? [];
  return [
    ...validateAddressType(addressType),
    ...(endpoints.length > maxEndpoints
      ? [tooMany(endpointsAt, endpoints.length, maxEndpoints)]
      : eachOf(endpoints, endpointsAt, (endpoint, here) => validateEndpoint(endpoint, addressType, here))),
    ...(ports.length > maxPorts ? [tooMany(portsAt, ports.length, maxPorts)] : validatePorts(ports)),
  ];
}

function validateAddressType(addressType: string): FieldError[] {
  if (addressType === '') return [required(addressTypeAt)];
  return addressTypes.includes(addressType) ? [] : [notSupported(addressTypeAt, addressType, addressTypes)];
}

function validateEndpoint(endpoint: Endpoint, addressType: string, at: FieldPath): FieldError[] {
  const { addresses = [], nodeName, hostname, hints } = endpoint;
  const errors = validateAddresses(addresses, addressType, at.child('addresses'));
  if (nodeName !== undefined)
    for (const problem of dnsSubdomain(nodeName)) errors.push(invalidValue(at.child('nodeName'), nodeName, problem));
  if (hostname !== undefined)
    for (const problem of dnsLabel(hostname)) errors.push(invalidValue(at.child('hostname'), hostname, problem));
  if (hints?.forZones) errors.push(...validateZoneHints(hints.forZones, at.child('hints').child('forZones')));
  return errors;
}

function validateAddresses(addresses: readonly string[], addressType: string, at: FieldPath): FieldError[] {
  if (addresses.length === 0) return [required(at, 'an endpoint needs at least one address')];
  const errors = addresses.length > maxAddresses ? [tooMany(at, addresses.length, maxAddresses)] : [];
  for (const [position, address] of addresses.entries())
    for (const error of checkAddress(address, addressType, at, position)) errors.push(error);
  return errors;
}

function validateZoneHints(zones: readonly { name?: string }[], at: FieldPath): FieldError[] {
  if (zones.length > maxZoneHints) return [tooMany(at, zones.length, maxZoneHints)];
  const seen = new Set<string>();
  return eachOf(zones, at, ({ name = '' }, here) => {
    const repeated = seen.has(name) ? [duplicate(here.child('name'), name)] : [];
    seen.add(name);
    return [...repeated, ...named(name, labelValue, here.child('name'))];
  });
}

function validatePorts(ports: readonly EndpointPort[]): FieldError[] {
  const seen = new Set<string>();
  return eachOf(ports, portsAt, ({ name = '', protocol = '', appProtocol }, here) => {
    const errors = seen.has(name) ? [duplicate(here.child('name'), name)] : [];
    seen.add(name);
    errors.push(...named(name, dnsLabel, here.child('name')));
    if (!protocols.includes(protocol)) errors.push(notSupported(here.child('protocol'), protocol, protocols));
    errors.push(...namedIfSet(appProtocol, qualifiedName, here.child('appProtocol')));
    return errors;
  });
}

const shown = 3;

/** The first few of `all`, and how many more there are. */
function abridged(all: readonly string[]): string {
  if (all.length === 0 || (all.length === 1 && all[0] === '')) return '<unset>';
  const more = all.length > shown ? ` + ${all.length - shown} more...` : '';
  return all.slice(0, shown).join(',') + more;
}

export const endpointSlice = defineKind<EndpointSlice>({
  group: 'discovery.k8s.io',
  version: 'v1',
  kind: 'EndpointSlice',
  resource: 'endpointslices',
  generationRises: (next, previous) =>
    !(
      sameValue(next.addressType, previous.addressType) &&
      sameValue(next.endpoints, previous.endpoints) &&
      sameValue(next.ports, previous.ports) &&
      sameValue(next.metadata.labels ?? {}, previous.metadata.labels ?? {})
    ),
  storedVersions: { v1beta1: sliceOfV1Beta1 },
  default: setDefaults,
  withEmptyLists: (slice) => emptyListsAreNull(slice, ['endpoints', 'ports']),
  prepareCreate: (slice, context) => dropTermination(slice, undefined, context),
  prepareUpdate: dropTermination,
  validate,
  kept: withoutDeprecated,
  validateUpdate: (next, previous) => immutable(next.addressType, previous.addressType, addressTypeAt),
  table: {
    columns: [
      nameColumn,
      column(
        'AddressType',
        'addressType specifies the type of address carried by this EndpointSlice. All addresses in this slice must be the same type. This field is immutable after creation. The following address types are currently supported: * IPv4: Represents an IPv4 Address. * IPv6: Represents an IPv6 Address. * FQDN: Represents a Fully Qualified Domain Name.',
      ),
      column(
        'Ports',
        'ports specifies the list of network ports exposed by each endpoint in this slice. Each port must have a unique name. When ports is empty, it indicates that there are no defined ports. When a port is defined with a nil port value, it indicates "all ports". Each slice may include a maximum of 100 ports.',
      ),
      column(
        'Endpoints',
        'endpoints is a list of unique endpoints in this slice. Each slice may include a maximum of 1000 endpoints.',
      ),
      ageColumn,
    ],
    cells: (slice, now) => [
      slice.metadata.name,
      slice.addressType ?? '',
      abridged((slice.ports ?? []).map(({ port, name }) => (port === undefined ? (name ?? '*') : String(port)))),
      abridged((slice.endpoints ?? []).flatMap(({ addresses }) => addresses ?? [])),
      age(slice, now),
    ],
  },
});
