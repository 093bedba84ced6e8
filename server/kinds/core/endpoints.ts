import { hostInUrl } from '../../../host-in-url.ts';
import { type FieldError, required } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { dnsLabel, dnsSubdomain, qualifiedName } from '../../base/names.ts';
import { eachOf, named, namedIfSet, portNumber, requiredOneOf } from '../field-rules.ts';
import { defineKind } from '../strategy.ts';
import { age, ageColumn, column, nameColumn } from '../table-cells.ts';
import { addressOfOthers } from './reachable-address.ts';

interface Address {
  ip?: string;
  hostname?: string;
  nodeName?: string;
}

interface Port {
  name?: string;
  port?: number;
  protocol?: string;
  appProtocol?: string;
}

interface Subset {
  addresses?: Address[];
  notReadyAddresses?: Address[];
  ports?: Port[];
}

export interface Endpoints extends KubeObject {
  subsets?: Subset[];
}

const validateAddress = ({ ip = '', hostname, nodeName }: Address, at: FieldPath): FieldError[] => [
  ...addressOfOthers(ip, at.child('ip')),
  ...named(hostname, dnsLabel, at.child('hostname')),
  ...namedIfSet(nodeName, dnsSubdomain, at.child('nodeName')),
];

const validateSubset = (
  { addresses = [], notReadyAddresses = [], ports = [] }: Subset,
  at: FieldPath,
): FieldError[] => [
  ...(addresses.length + notReadyAddresses.length === 0
    ? [required(at, 'must specify `addresses` or `notReadyAddresses`')]
    : []),
  ...eachOf(addresses, at.child('addresses'), validateAddress),
  ...eachOf(notReadyAddresses, at.child('notReadyAddresses'), validateAddress),
  ...eachOf(ports, at.child('ports'), (port, here) => [
    ...(port.name
      ? named(port.name, dnsLabel, here.child('name'))
      : ports.length > 1
        ? [required(here.child('name'))]
        : []),
    ...portNumber(port.port ?? 0, here.child('port')),
    ...requiredOneOf(port.protocol, ['SCTP', 'TCP', 'UDP'], here.child('protocol')),
    ...namedIfSet(port.appProtocol, qualifiedName, here.child('appProtocol')),
  ]),
];

const shown = 3;

/** Each `address:port`; addresses alone where there is no port. */
function* places(subsets: readonly Subset[]): Generator<string> {
  for (const { addresses = [], ports = [] } of subsets) {
    if (ports.length === 0) for (const { ip = '' } of addresses) yield ip;
    for (const { port } of ports) for (const { ip = '' } of addresses) yield `${hostInUrl(ip)}:${port}`;
  }
}

/** The first few of them. Their number is the product of two lists, so they are counted without being made. */
function endpointText(subsets: readonly Subset[]): string {
  if (subsets.length === 0) return '<none>';
  const first = [...places(subsets).take(shown)];
  const count = subsets.reduce(
    (sum, { addresses = [], ports = [] }) => sum + addresses.length * Math.max(1, ports.length),
    0,
  );
  return count > shown ? `${first.join(',')} + ${count - shown} more...` : first.join(',');
}

export const endpoints = defineKind<Endpoints>({
  group: '',
  version: 'v1',
  kind: 'Endpoints',
  resource: 'endpoints',
  createOnUpdate: true,
  default({ subsets }) {
    for (const { ports } of subsets ?? []) for (const port of ports ?? []) port.protocol ||= 'TCP';
  },
  validate: ({ subsets }) => eachOf(subsets, FieldPath.of('subsets'), validateSubset),
  table: {
    columns: [nameColumn, column('Endpoints'), ageColumn],
    cells: (object, now) => [object.metadata.name, endpointText(object.subsets ?? []), age(object, now)],
  },
});
