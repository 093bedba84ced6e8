import { type FieldError, required } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { dnsLabel, dnsSubdomain, qualifiedName } from '../../base/names.ts';
import { eachOf, named, portNumber, requiredOneOf } from '../field-rules.ts';
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
  ...named(nodeName, dnsSubdomain, at.child('nodeName')),
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
    ...named(port.appProtocol, qualifiedName, here.child('appProtocol')),
  ]),
];

const shown = 3;

/** The first few `address:port`. */
function endpointText(subsets: readonly Subset[]): string {
  const all = subsets.flatMap(({ addresses = [], ports = [] }) =>
    ports.length === 0
      ? addresses.map(({ ip = '' }) => ip)
      : ports.flatMap(({ port }) =>
          addresses.map(({ ip = '' }) => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`)),
        ),
  );
  if (all.length === 0) return '<none>';
  const more = all.length - shown;
  return more > 0 ? `${all.slice(0, shown).join(',')} + ${more} more...` : all.join(',');
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
