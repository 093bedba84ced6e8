import { describe, expect, test } from 'vitest';
import type { EndpointSlice, Service } from '../runtime/resources.ts';
import { endpointsOf } from './endpoints.ts';

const service = (spec: Service['spec'] = { ports: [{ port: 80, targetPort: 8080 }] }): Service => ({
  spec: spec ?? {},
});

const slice = (over: Partial<EndpointSlice> = {}): EndpointSlice => ({
  addressType: 'IPv4',
  ports: [{ port: 8080 }],
  endpoints: [{ addresses: ['10.0.0.1'] }],
  ...over,
});

const origins = (slices: readonly EndpointSlice[], port: string | number = 80, of = service()) =>
  endpointsOf(of, slices)
    .get(port)
    ?.map(({ origin }) => origin);

const conditioned = (conditions: object, address = '10.0.0.1') => ({ addresses: [address], conditions });

describe('conditions', () => {
  test.each([
    [{}, true],
    [{ ready: true }, true],
    [{ ready: false }, false],
    [{ ready: false, serving: true }, false],
    [{ ready: false, terminating: true }, false],
    [{ ready: false, serving: true, terminating: true }, true],
    [{ serving: false }, true],
  ])('%j alone', (conditions, used) => {
    expect(origins([slice({ endpoints: [conditioned(conditions)] })])).toHaveLength(used ? 1 : 0);
  });

  test('one that is going is used only while none is ready', () => {
    const going = conditioned({ ready: false, serving: true, terminating: true });
    const slices = [slice({ endpoints: [going, conditioned({ ready: true }, '10.0.0.2')] })];
    expect(origins(slices)).toEqual(['http://10.0.0.2:8080']);
  });
});

describe('ports', () => {
  test.each<[string, EndpointSlice['ports'], readonly string[]]>([
    ['none', [], []],
    ['without a number', [{}], ['http://10.0.0.1:8080']],
    ['of another name', [{ name: 'other', port: 1 }], []],
    ['of another protocol', [{ protocol: 'UDP', port: 1 }], []],
    ['with a number', [{ name: '', port: 9 }], ['http://10.0.0.1:9']],
  ])('%s', (_, ports, expected) => expect(origins([slice({ ports: ports ?? [] })])).toEqual(expected));

  test('a missing list is none', () => {
    const { ports: _, ...without } = slice();
    expect(origins([without])).toEqual([]);
  });

  test('by name and by number', () => {
    const of = service({ ports: [{ name: 'web', port: 80, targetPort: 'http' }] });
    const slices = [slice({ ports: [{ name: 'web' }] })];
    expect(origins(slices, 'web', of)).toEqual(['http://10.0.0.1:80']);
    expect(origins(slices, 80, of)).toEqual(['http://10.0.0.1:80']);
    expect(origins(slices, 81, of)).toBeUndefined();
  });
});

test('slices are joined, and an address that comes twice counts once', () => {
  const more = slice({ endpoints: [{ addresses: ['10.0.0.1'] }, { addresses: ['10.0.0.2', '10.0.0.3'] }] });
  expect(origins([slice(), more])).toEqual(['http://10.0.0.1:8080', 'http://10.0.0.2:8080']);
});

test('an address of version 6 stands in brackets', () => {
  expect(origins([slice({ endpoints: [{ addresses: ['fd00::1'] }] })])).toEqual(['http://[fd00::1]:8080']);
});

test('a Service that is only another name leads there', () => {
  const of = service({ type: 'ExternalName', externalName: 'web.example.com', ports: [{ port: 80 }] });
  expect(origins([], 80, of)).toEqual(['http://web.example.com:80']);
});
