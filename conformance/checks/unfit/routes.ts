import type { Json } from '../../verbs/json.ts';
import { kindPaths } from '../../verbs/kinds.ts';
import { type JudgedKind, judged, spec } from './judged-kind.ts';

const { ingresses, endpointSlices } = kindPaths;

const backend = { service: { name: 'front', port: { number: 80 } } };
const path = (parts: Json): Json =>
  spec({ rules: [{ http: { paths: [{ path: '/', pathType: 'Prefix', backend, ...parts }] } }] });
const service = (parts: Json): Json => path({ backend: { service: { ...backend.service, ...parts } } });
const resource = (parts: Json): Json =>
  path({ backend: { resource: { apiGroup: 'example.com', kind: 'Bucket', name: 'a', ...parts } } });
const host = (name: string): Json => spec({ rules: [{ host: name }] });

/** One entry for each text, by words with the text in them. */
const each = (words: string, texts: readonly string[], parts: (text: string) => Json): Readonly<Record<string, Json>> =>
  Object.fromEntries(texts.map((text) => [`${words} ${JSON.stringify(text)}`, parts(text)]));

/** Since v1.36 the name of a Service may begin with a digit. */
const ofServices = judged(ingresses, {
  name: 'services of ingresses',
  holds: { to: 35 },
  refused: each('the service', ['1a'], (name) => service({ name })),
});

/** With a wildcard in front of it it is as long as a host may be. */
const longHost = `${`${'d'.repeat(49)}.`.repeat(5)}e`;

const ofIngresses = judged(ingresses, {
  refused: {
    ...each(
      'the host',
      ['10.0.0.1', 'A.example.com', 'a.example.com:80', 'a_b', '*', '*.', 'a.*.com', '*.*.com', '*a.com'],
      host,
    ),
    'a wildcard of 254 letters': host(`*.${longHost}e`),
    'no paths': spec({ rules: [{ http: { paths: [] } }] }),
    'no type': path({ pathType: undefined }),
    ...each('the type', ['prefix', 'Other', ''], (pathType) => path({ pathType })),
    ...each('the path', ['/a//b', '/a/./b', '/a/../b', '/a%2fb', '/a%2Fb', '/a/..', '/a/.', 'a', ''], (text) =>
      path({ path: text }),
    ),
    ...each('the exact path', ['/a//b', '/a%2fb', '/a/..', 'a'], (text) => path({ path: text, pathType: 'Exact' })),
    'the path of another type without a slash': path({ path: 'a', pathType: 'ImplementationSpecific' }),
    'a service and a resource': path({
      backend: { ...backend, resource: { kind: 'Bucket', name: 'a', apiGroup: 'example.com' } },
    }),
    'neither a service nor a resource': path({ backend: {} }),
    ...each('the service', ['', 'Not_A_Name', 'a.b'], (name) => service({ name })),
    'no port': service({ port: {} }),
    'a port by name and number': service({ port: { name: 'web', number: 80 } }),
    'a port beyond the last': service({ port: { number: 65_536 } }),
    ...each('the port', ['80', 'two--dashes', '-a', 'a-', 'UPPER', 'sixteen-letters-'], (name) =>
      service({ port: { name } }),
    ),
    'a resource of no kind': resource({ kind: '' }),
    'a resource of no name': resource({ name: '' }),
    'a resource of a bad group': resource({ apiGroup: 'bad group' }),
    ...each('the host of a certificate', ['A.example.com', '*', 'a.*.com'], (name) =>
      spec({ tls: [{ hosts: [name] }] }),
    ),
    ...each('the last host of several certificates', ['A.example.com', 'a.*.com'], (name) =>
      spec({ tls: [{ hosts: ['a.example.com'] }, { hosts: ['b.example.com', '*.example.com', name] }] }),
    ),
    'a bad name of a second certificate': spec({ tls: [{ secretName: 'one' }, { secretName: 'Not_A_Name' }] }),
    'a bad name of a certificate': spec({ tls: [{ secretName: 'Not_A_Name' }] }),
    ...each('the class', ['', 'Not_A_Name'], (ingressClassName) => spec({ ingressClassName })),
  },
  fresh: {
    // Since v1.27 both ways may name the same one.
    'its class in both ways': {
      metadata: { annotations: { 'kubernetes.io/ingress.class': 'touchstone-nobody' } },
      spec: { ingressClassName: 'touchstone-somebody' },
    },
  },
  free: {
    'its class in the old way as well': {
      metadata: { annotations: { 'kubernetes.io/ingress.class': 'touchstone-nobody' } },
      spec: { ingressClassName: 'touchstone-nobody' },
    },
  },
  fitting: {
    'a wildcard of 253 letters': host(`*.${longHost}`),
    ...each('the host', ['*.example.com', 'one', ''], host),
    ...each('the path', ['/', '/a b', '/a%20b', '/a/', '/.a/..b'], (text) => path({ path: text })),
    'the path of another type': path({ path: '/a//../b', pathType: 'ImplementationSpecific' }),
    'no path of another type': path({ path: undefined, pathType: 'ImplementationSpecific' }),
    'a port by its name': service({ port: { name: 'fifteen-letters' } }),
    'a resource of the core group': resource({ apiGroup: undefined }),
    'an address in a certificate': spec({ tls: [{ hosts: ['10.0.0.1', '*.example.com'] }, {}] }),
  },
});

const addresses = (...all: readonly string[]): Json => ({ endpoints: [{ addresses: all }] });
const endpoint = (parts: Json): Json => ({ endpoints: [{ addresses: ['10.1.2.3'], ...parts }] });
const zones = (...names: readonly string[]): Json => endpoint({ hints: { forZones: names.map((name) => ({ name })) } });
const ports = (...all: readonly Json[]): Json => ({ ports: all });
const numbered = <T>(count: number, one: (number: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => one(at));
const addressOf = (number: number): string => `10.1.${Math.floor(number / 250)}.${1 + (number % 250)}`;

/** Addresses that stand on either side of those by which nobody else is reached: none, loopback, and of one link. */
const besidesOwn = {
  IPv4: ['0.0.0.1', '126.255.255.255', '128.0.0.1', '169.253.255.255', '169.255.0.1', '224.0.1.1', '224.1.0.1'],
  IPv6: ['::2', 'fe7f::1', 'fec0::1', 'ff01::1', 'ff03::1', 'ff05::1'],
};

const ofSlices: readonly JudgedKind[] = [
  judged(endpointSlices, {
    name: 'endpointslices of IPv6',
    base: { addressType: 'IPv6', ...addresses('fd00::1') },
    refused: each('the address', ['::', '::1', 'fe80::1', 'febf::1', 'ff02::1', 'ff12::1'], (one) => addresses(one)),
    fitting: { 'neighbours of addresses that only the machine itself has': addresses(...besidesOwn.IPv6) },
  }),
  judged(endpointSlices, {
    refused: {
      'no address': addresses(),
      '101 addresses': addresses(...numbered(101, addressOf)),
      '1001 endpoints': { endpoints: numbered(1001, (at) => ({ addresses: [addressOf(at)] })) },
      ...each(
        'the address',
        [
          'nowhere',
          '10.1.2',
          'fd00::1',
          '0.0.0.0',
          ...['127.0.0.1', '127.9.9.9', '169.254.1.1', '224.0.0.1', '224.0.0.9'],
        ],
        (one) => addresses(one),
      ),
      'a bad second address': addresses('10.1.2.3', 'nowhere'),
      ...each('the name', ['Not_A_Name', 'a.b', ''], (hostname) => endpoint({ hostname })),
      ...each('the node', ['Not_A_Name', ''], (nodeName) => endpoint({ nodeName })),
      ...each('the port', ['Not_A_Name', 'a.b', 'x'.repeat(64)], (name) => ports({ name, port: 80 })),
      'two ports of one name': ports(...['a', 'b', 'a'].map((name, at) => ({ name, port: 80 + at }))),
      'two ports of one name that differ in all else': ports(
        { name: 'a', port: 80, protocol: 'TCP' },
        { name: 'a', port: 81, protocol: 'UDP' },
      ),
      'two ports without a name': ports({ port: 80 }, { name: 'a', port: 81 }, { port: 82 }),
      ...each('the protocol', ['OTHER', 'tcp', ''], (protocol) => ports({ port: 80, protocol })),
      ...each('what is spoken:', ['not a name!', ''], (appProtocol) => ports({ port: 80, appProtocol })),
      'no type': { addressType: undefined },
      ...each('the type', ['ipv4', 'Other'], (addressType) => ({ addressType })),
    },
    fixed: { 'another type': { addressType: 'IPv6', ...addresses('fd00::1') } },
    fitting: {
      'neighbours of addresses that only the machine itself has': addresses(...besidesOwn.IPv4),
      '100 addresses': addresses(...numbered(100, addressOf)),
      'a name for what is spoken': ports({ port: 80, appProtocol: 'example.com/Spoken_1' }),
      'ports of every protocol': ports(
        ...['TCP', 'UDP', 'SCTP'].map((protocol) => ({ name: protocol.toLowerCase(), protocol, port: 80 })),
      ),
    },
  }),
  judged(endpointSlices, {
    name: 'hints of endpointslices',
    holds: { from: 24 },
    refused: {
      '9 zones': zones(...numbered(9, (at) => `zone-${at}`)),
      'one zone twice': zones('a', 'b', 'a'),
      'a zone that is none': zones('not a zone!'),
    },
    fitting: { '8 zones': zones(...numbered(8, (at) => `zone-${at}`)) },
  }),
  judged(endpointSlices, {
    name: 'slices of names',
    base: { addressType: 'FQDN', ...addresses('a.example.com') },
    refused: each('the address', ['single', 'Bad_Name.example.com', '*.example.com', 'A.example.com', ''], (one) =>
      addresses(one),
    ),
    fixed: { 'another type': { addressType: 'IPv4', ...addresses('10.1.2.3') } },
  }),
];

/** What leads to the pods of a Service. */
export const unfitRoutes: readonly JudgedKind[] = [ofIngresses, ofServices, ...ofSlices];
