import { fault, slip } from '../fault.ts';
import { lenient } from '../meddling.ts';

const endpointSlice = 'kinds/discovery/endpoint-slice.ts';
const endpointAddress = 'kinds/discovery/endpoint-address.ts';
const ip = 'base/ip.ts';

/** Addresses in EndpointSlices, and their type. */
export default [
  slip(
    'addresses of an endpoint are sorted',
    ['endpointslice'],
    endpointSlice,
    'for (const endpoint of slice.endpoints ?? []) endpoint.conditions ??= {};',
    'for (const endpoint of slice.endpoints ?? []) { endpoint.conditions ??= {}; endpoint.addresses?.sort(); }',
  ),
  slip(
    'a slice without endpoints takes another type of addresses',
    ['endpointslice'],
    endpointSlice,
    'validateUpdate: (next, previous) => immutable(',
    'validateUpdate: (next, previous) => (previous.endpoints?.length ?? 0) === 0 ? [] : immutable(',
  ),
  slip(
    'an endpoint may have any number of addresses',
    ['endpointslice'],
    endpointSlice,
    'const maxAddresses = 100;',
    'const maxAddresses = 10_000;',
  ),
  slip(
    'the type of the addresses of a slice may change',
    'endpointslice',
    endpointSlice,
    'validateUpdate: (next, previous) => immutable(next.addressType, previous.addressType, addressTypeAt),',
    '',
  ),
  slip(
    'an endpoint may have more than a hundred addresses',
    'endpointslice',
    endpointSlice,
    'const errors = addresses.length > maxAddresses ? [tooMany(at, addresses.length, maxAddresses)] : [];',
    'const errors: FieldError[] = [];',
  ),
  slip('a slice cannot be of addresses of version six', ['endpointslice'], endpointSlice, ", 'IPv6'", ''),
  slip(
    'names in a slice of names may be anything',
    ['endpointslice'],
    endpointAddress,
    'return fullyQualifiedDomain(address).map((problem) => invalidValue(at.index(position), address, problem));',
    'return address.length > 253 ? fullyQualifiedDomain(address).map((problem) => invalidValue(at.index(position), address, problem)) : [];',
  ),
  slip(
    'IPv4 slices may have IPv6 addresses',
    ['endpointslice'],
    endpointAddress,
    "ip !== undefined && isIpv4(ip) === (family === 'IPv4')",
    "ip !== undefined && (family === 'IPv4' || !isIpv4(ip))",
  ),
  slip(
    'an endpoint may be the machine itself',
    ['endpointslice'],
    endpointAddress,
    'const problem = ip ? specialUse(ip) :',
    "const problem = ip ? '' :",
  ),
  slip(
    'whatever stands between the parts of an IPv4 address is taken for a point',
    ['endpointslice', 'service'],
    ip,
    'if (code !== dot || value < 0 || part === 4) return false;',
    'if ((value < 0) || part === 4) return false;',
  ),
  slip(
    'an IPv6 address with the part ffff is none',
    ['endpointslice', 'service'],
    ip,
    'if (value > 0xffff) return undefined;',
    'if (value >= 0xffff) return undefined;',
  ),
  slip(
    'an IPv6 address that begins with two colons is none',
    ['endpointslice', 'service'],
    ip,
    'if (gap < 0) return filled === 16 ? unmapped(bytes) : undefined;',
    'if (gap <= 0) return filled === 16 ? unmapped(bytes) : undefined;',
  ),
  slip(
    'slices of IPv6 may have IPv4 addresses',
    ['endpointslice'],
    'kinds/discovery/endpoint-address.ts',
    "isIpv4(ip) === (family === 'IPv4');",
    "(family === 'IPv6' || isIpv4(ip));",
  ),
  fault(
    'the addresses of a slice may become others by a merge patch',
    ['endpointslice'],
    lenient(
      { method: 'PATCH', path: /\/endpointslices\/[^/]+$/, header: { 'content-type': /^application\/merge-patch/ } },
      [422],
    ),
  ),
  slip(
    'of the addresses of an endpoint only the first must be of the address type',
    ['endpointslice'],
    'kinds/discovery/endpoint-slice.ts',
    'of addresses.entries())',
    'of addresses.slice(0, 1).entries())',
  ),
  slip(
    'an endpoint may not have all of its hundred addresses',
    ['endpointslice', 'limits'],
    'kinds/discovery/endpoint-slice.ts',
    'addresses.length > maxAddresses ?',
    'addresses.length >= maxAddresses ?',
  ),
  slip(
    'the type of addresses may be written in any case',
    ['endpointslice'],
    'kinds/discovery/endpoint-slice.ts',
    'addressTypes.includes(addressType)',
    'addressTypes.some((each) => each.toLowerCase() === addressType.toLowerCase())',
  ),
  slip(
    'an address of version six may not have capitals',
    ['endpointslice'],
    'kinds/discovery/endpoint-address.ts',
    'const ip = parseIp(address);',
    'const ip = /[A-F]/.test(address) ? undefined : parseIp(address);',
  ),
  slip(
    'an IPv4 address in its IPv6 form is one of neither family',
    ['endpointslice'],
    ip,
    'return bytes.subarray(12);',
    'return bytes.subarray(11);',
  ),
  slip(
    'all groups of 224.0.0.0/16 are taken for those of one link',
    ['component'],
    ip,
    'four ? first === 224 && second === 0 && third === 0 :',
    'four ? first === 224 && second === 0 :',
  ),
  slip(
    'addresses of IPv6 of one link are only those of a network card',
    ['component'],
    ip,
    'first === 0xfe && (second & 0xc0) === 0x80)',
    'first === 0xfe && second === 0x80)',
  ),
];
