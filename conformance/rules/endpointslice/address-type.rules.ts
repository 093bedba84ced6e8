import { immutableRule, validityRule } from '../field-rules.ts';

const kind = 'endpointSlices';
const endpoint = (...addresses: string[]) => ({ endpoints: [{ addresses }] });

export default [
  // A slice must say its `addressType`.
  validityRule({
    id: 'endpointslice.address-type.required',
    kind,
    accepted: { 'with a type': {} },
    refused: { 'without a type': { addressType: undefined }, 'with an empty type': { addressType: '' } },
  }),

  // The type is `IPv4`, `IPv6` or `FQDN`.
  validityRule({
    id: 'endpointslice.address-type.values',
    kind,
    accepted: {
      IPv4: { addressType: 'IPv4', ...endpoint('10.1.2.3') },
      IPv6: { addressType: 'IPv6', ...endpoint('2001:db8::1') },
      FQDN: { addressType: 'FQDN', ...endpoint('host.example.com') },
    },
    refused: { 'another word': { addressType: 'IP' }, 'lower case': { addressType: 'ipv4' } },
  }),

  // All addresses of a slice are of its type.
  validityRule({
    id: 'endpointslice.address-type.all-addresses',
    kind,
    accepted: { 'IPv4 addresses': endpoint('10.1.2.3', '10.1.2.4') },
    refused: {
      'IPv6 among IPv4': endpoint('10.1.2.3', '2001:db8::1'),
      'a name among IPv4': endpoint('10.1.2.3', 'host.example.com'),
      'IPv4 among IPv6': { addressType: 'IPv6', ...endpoint('2001:db8::1', '10.1.2.3') },
    },
  }),

  // A slice keeps its type.
  immutableRule({
    id: 'endpointslice.address-type.immutable',
    kind,
    overs: [{}, { endpoints: [] }],
    change: { addressType: 'IPv6', ...endpoint('2001:db8::1') },
    path: 'addressType',
  }),
];
