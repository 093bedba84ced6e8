import { describe, expect, test } from 'vitest';
import { allOf } from '../faults.fixture.ts';
import { sample, tryCreate, tryUpdate } from '../kind-write.fixture.ts';
import type { WriteContext } from '../strategy.ts';
import { endpointSlice } from './endpoint-slice.ts';

const many = <T>(length: number, make: (position: number) => T) =>
  Array.from({ length }, (_, position) => make(position));
const ip = '10.0.0.1';
const endpoint = (fields: object) => ({ addressType: 'IPv4', endpoints: [{ addresses: [ip], ...fields }] });
const addresses = (addressType: string, ...list: string[]) => ({ addressType, endpoints: [{ addresses: list }] });
const ports = (...list: object[]) => ({ addressType: 'IPv4', ports: list });
const [first, second] = ['endpoints[0].addresses[0] Invalid', 'endpoints[0].addresses[1] Invalid'];

const table: readonly [string, object, readonly string[]][] = [
  ['no address type', {}, ['addressType Required']],
  ['one in lower case', { addressType: 'ipv4' }, ['addressType NotSupported']],
  ['no endpoints', { addressType: 'IPv4' }, []],
  ['1000 endpoints', { addressType: 'IPv4', endpoints: many(1000, () => ({ addresses: [ip] })) }, []],
  ['1001 endpoints', { addressType: 'IPv4', endpoints: many(1001, () => ({})) }, ['endpoints TooMany']],
  ['an endpoint without addresses', { addressType: 'IPv4', endpoints: [{}] }, ['endpoints[0].addresses Required']],
  ['100 addresses', addresses('IPv4', ...many(100, () => ip)), []],
  ['101 addresses', addresses('IPv4', ...many(101, () => ip)), ['endpoints[0].addresses TooMany']],
  ['no IP at all', addresses('IPv4', 'foo'), [first, first]],
  ['the other family', addresses('IPv6', ip), [first]],
  ['IPv4 written as IPv6', addresses('IPv6', '::ffff:10.0.0.1'), [first]],
  ['leading zeros', addresses('IPv4', '010.0.0.1'), []],
  ['addresses that lead nowhere', addresses('IPv4', '127.0.0.1', '169.254.0.1'), [first, second]],
  ['names', addresses('FQDN', 'a.example.com', 'single'), [second]],
  ['no name', addresses('FQDN', ''), ['endpoints[0].addresses[0] Required']],
  ['an IP among names', addresses('FQDN', ip), []],
  [
    'names of host and node',
    endpoint({ hostname: 'A', nodeName: '' }),
    ['endpoints[0].nodeName Invalid', 'endpoints[0].hostname Invalid'],
  ],
  ['any zone', endpoint({ zone: 'Zone One!' }), []],
  [
    'zone hints',
    endpoint({ hints: { forZones: [{ name: 'a' }, { name: 'a' }, { name: 'a b' }, { name: '' }] } }),
    ['endpoints[0].hints.forZones[1].name Duplicate', 'endpoints[0].hints.forZones[2].name Invalid'],
  ],
  [
    '9 zone hints',
    endpoint({ hints: { forZones: many(9, (n) => ({ name: `z${n}` })) } }),
    ['endpoints[0].hints.forZones TooMany'],
  ],
  ['two ports without a name', ports({ port: 1 }, { port: 2 }), ['ports[1].name Duplicate']],
  [
    'a bad port',
    ports({ name: 'HTTP', protocol: 'tcp', appProtocol: '' }),
    [
      'ports[0].name Invalid',
      'ports[0].protocol NotSupported',
      'ports[0].appProtocol Invalid',
      'ports[0].appProtocol Invalid',
    ],
  ],
  ['any port number', ports({ port: 65_536 }, { name: 'b', port: -1 }), []],
  ['100 ports', ports(...many(100, (n) => ({ name: `p${n}` }))), []],
  ['101 ports', ports(...many(101, (n) => ({ name: `p${n}` }))), ['ports TooMany']],
];

describe('a slice with', () => {
  test.each(table)('%s', async (_, fields, causes) => {
    expect((await tryCreate(endpointSlice, sample(endpointSlice, fields))).causes).toEqual(causes);
  });
});

test('a deprecated topology is a change of which nothing is kept', async () => {
  const fields = { ...endpoint({ deprecatedTopology: { a: 'b' } }), ports: [{}] };
  const { object } = await tryCreate(endpointSlice, sample(endpointSlice, fields));
  expect(object).toMatchObject({
    endpoints: [{ addresses: [ip], conditions: {} }],
    ports: [{ name: '', protocol: 'TCP' }],
  });
  const without = sample(endpointSlice, { ...endpoint({}), ports: [{}] });
  expect(endpointSlice.generationRises?.(object, without)).toBe(true);
  expect(JSON.stringify(endpointSlice.kept?.(object))).not.toContain('deprecatedTopology');
});

test('the address type stays', async () => {
  const { causes } = await tryUpdate(endpointSlice, sample(endpointSlice, { addressType: 'IPv4' }), (next) => {
    next.addressType = 'FQDN';
  });
  expect(causes).toEqual(['addressType Invalid']);
});

test.each([
  ['labels', { metadata: { labels: { a: 'b' } } }, true],
  ['annotations', { metadata: { annotations: { a: 'b' } } }, false],
  ['ports', { ports: [{ port: 1 }] }, true],
])('the generation follows %s: %s', (_, change, rises) => {
  const stored = sample(endpointSlice, { addressType: 'IPv4' });
  expect(endpointSlice.generationRises?.({ ...stored, ...change }, stored)).toBe(rises);
});

test.each([
  [{}, '<unset>', '<unset>'],
  [{ ports: [{ name: '' }] }, '<unset>', '<unset>'],
  [{ ports: [{ port: 80 }, { name: 'any' }, { port: 1 }, { port: 2 }] }, '80,any,1 + 1 more...', '<unset>'],
  [addresses('IPv4', 'a', 'b', 'c', 'd', 'e'), '<unset>', 'a,b,c + 2 more...'],
])('the table abridges ports and endpoints', (fields, portsCell, endpointsCell) => {
  expect(endpointSlice.table?.cells(sample(endpointSlice, fields), 0).slice(2, 4)).toEqual([portsCell, endpointsCell]);
});

test('a megabyte of endpoints is checked within 50 ms of work', async () => {
  const slice = sample(endpointSlice, {
    addressType: 'IPv6',
    endpoints: many(1000, (n) => ({
      addresses: many(36, (m) => `2001:db8::${n.toString(16)}:${m.toString(16)}:1`),
      nodeName: `node-${n}.${'example.'.repeat(20)}com`,
      hostname: `host-${n}`,
      hints: { forZones: [{ name: 'a' }, { name: 'b' }] },
    })),
  });
  expect(JSON.stringify(slice).length).toBeGreaterThan(1_000_000);
  const { object, causes } = await tryCreate(endpointSlice, slice);
  expect(causes).toEqual([]);
  let quickest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5; round++) {
    const start = process.threadCpuUsage();
    allOf(endpointSlice.validate?.(object, {} as WriteContext));
    const { user, system } = process.threadCpuUsage(start);
    quickest = Math.min(quickest, (user + system) / 1000);
  }
  expect(quickest).toBeLessThan(50);
});
