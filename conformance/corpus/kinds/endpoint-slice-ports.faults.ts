import { edited } from '../../sabotage/edited.ts';
import { changeAnswer } from '../../sabotage/transforms.ts';
import { fault, slip } from '../fault.ts';
import { itemsOf, merging } from '../matches.ts';
import { lenient } from '../meddling.ts';

const endpointSlice = 'kinds/discovery/endpoint-slice.ts';

/** Ports of an EndpointSlice. */
export default [
  fault(
    'two ports of a slice may have one name',
    'endpointslice',
    lenient({ method: 'POST', path: /\/endpointslices$/ }),
  ),
  fault(
    'a merge patch of a slice forgets the protocol of its applications',
    ['endpointslice', 'verbs'],
    changeAnswer('', (body) => edited(body, ['ports', '*', 'appProtocol'], () => undefined), {
      method: 'PATCH',
      path: itemsOf('endpointslices'),
      header: merging,
    }),
  ),
  slip(
    'the second port of a slice speaks nothing unless it is said',
    ['endpointslice'],
    endpointSlice,
    'for (const port of slice.ports ?? []) {',
    "for (const port of slice.ports?.slice(1) ?? []) port.protocol ??= 'UDP';\n  for (const port of slice.ports ?? []) {",
  ),
  slip(
    'several ports of a slice may have no name',
    ['endpointslice'],
    endpointSlice,
    'const errors = seen.has(name) ? [duplicate(here.child',
    "const errors = name !== '' && seen.has(name) ? [duplicate(here.child",
  ),
  slip(
    'a hundred ports of a slice are too many',
    ['endpointslice'],
    endpointSlice,
    'ports.length > maxPorts',
    'ports.length >= maxPorts',
  ),
  slip(
    'a port of a slice may not speak SCTP',
    ['endpointslice'],
    endpointSlice,
    "['SCTP', 'TCP', 'UDP']",
    "['TCP', 'UDP']",
  ),
  slip(
    'a port of a slice that is any port is port nought',
    ['endpointslice'],
    endpointSlice,
    "port.protocol ??= 'TCP';",
    "port.protocol ??= 'TCP';\n    port.port ??= 0;",
  ),
  slip(
    'ports of a slice speak TCP only when it is said',
    'endpointslice',
    endpointSlice,
    "port.protocol ??= 'TCP';",
    "port.protocol ??= 'UDP';",
  ),
  slip(
    'a slice may have a thousand ports',
    ['endpointslice'],
    endpointSlice,
    'const maxPorts = 100;',
    'const maxPorts = 1000;',
  ),
  slip(
    'the protocol of an application may be any word',
    ['endpointslice'],
    endpointSlice,
    'namedIfSet(appProtocol, qualifiedName,',
    'namedIfSet(appProtocol, (word) => (word.length > 316 ? qualifiedName(word) : []),',
  ),
  slip(
    'a port of a slice may have any name',
    ['endpointslice'],
    endpointSlice,
    "    errors.push(...named(name, dnsLabel, here.child('name')));\n",
    '',
  ),
  slip(
    'ports of an endpoint slice without a name may be many',
    ['endpointslice'],
    'kinds/discovery/endpoint-slice.ts',
    'const errors = seen.has(name) ? [duplicate(',
    "const errors = seen.has(name) && name !== '' ? [duplicate(",
  ),
  slip(
    'ports of a slice are looked at up to the first',
    ['endpointslice'],
    'kinds/discovery/endpoint-slice.ts',
    'return eachOf(ports, portsAt, (',
    'return eachOf(ports.slice(0, 1), portsAt, (',
  ),
  slip(
    'the protocol of an application may have no domain',
    ['endpointslice'],
    'kinds/discovery/endpoint-slice.ts',
    "errors.push(...namedIfSet(appProtocol, qualifiedName, here.child('appProtocol')));",
    "errors.push(...namedIfSet(appProtocol, dnsLabel, here.child('appProtocol')));",
  ),
  slip(
    'port nought of a slice is any port',
    ['endpointslice', 'content'],
    'kinds/discovery/endpoint-slice.ts',
    "    port.protocol ??= 'TCP';",
    "    port.protocol ??= 'TCP';\n    if (port.port === 0) delete port.port;",
  ),
  slip(
    'two ports of a slice may have one name unless they stand side by side',
    ['endpointslice'],
    'kinds/discovery/endpoint-slice.ts',
    '    seen.add(name);\n    errors.push(',
    '    seen.clear();\n    seen.add(name);\n    errors.push(',
  ),
  slip(
    'an endpoint slice takes several ports without a name',
    ['endpointslice'],
    endpointSlice,
    "const errors = seen.has(name) ? [duplicate(here.child('name'), name)] : [];",
    "const errors = name && seen.has(name) ? [duplicate(here.child('name'), name)] : [];",
  ),
  slip(
    'the name of a port of a slice needs a letter',
    'endpointslice',
    endpointSlice,
    "errors.push(...named(name, dnsLabel, here.child('name')));",
    "errors.push(...(name && !/[a-z]/.test(name) ? [required(here.child('name'))] : named(name, dnsLabel, here.child('name'))));",
  ),
  slip(
    'the protocol of a port of a slice may be written small',
    ['endpointslice'],
    'kinds/discovery/endpoint-slice.ts',
    'if (!protocols.includes(protocol))',
    'if (!protocols.includes(protocol.toUpperCase()))',
  ),
  slip(
    'the name of a port of a slice may have capitals',
    ['endpointslice'],
    'kinds/discovery/endpoint-slice.ts',
    "errors.push(...named(name, dnsLabel, here.child('name')));",
    "errors.push(...named(name.toLowerCase(), dnsLabel, here.child('name')));",
  ),
  slip(
    'the name of a port of a slice has fifteen letters at most',
    ['endpointslice', 'limits'],
    'kinds/discovery/endpoint-slice.ts',
    "errors.push(...named(name, dnsLabel, here.child('name')));",
    "errors.push(...named(name, dnsLabel, here.child('name')));\n    if (name.length > 15) errors.push(notSupported(here.child('name'), name, []));",
  ),
  slip(
    'ports of a slice may have one name where their protocols differ',
    ['endpointslice', 'component'],
    endpointSlice,
    "    const errors = seen.has(name) ? [duplicate(here.child('name'), name)] : [];\n    seen.add(name);\n    errors.push",
    "    const errors = seen.has(name + protocol) ? [duplicate(here.child('name'), name)] : [];\n    seen.add(name + protocol);\n    errors.push",
  ),
];
