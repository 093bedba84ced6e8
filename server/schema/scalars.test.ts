import { describe, expect, test } from 'vitest';
import { configMap, deployment, pod, read, structure } from './check.fixture.ts';
import { checkStructure } from './check.ts';
import { fillWritten } from './zero-values.ts';

describe('values take the form of a typed server', () => {
  const time = (text: string) => {
    const { value } = read(configMap, JSON.stringify({ metadata: { creationTimestamp: text } }));
    return (value as { metadata: { creationTimestamp?: string } }).metadata.creationTimestamp;
  };

  test('a time that may be missing is set to the zero time, though that is written as none', () => {
    const { value } = read(configMap, JSON.stringify({ metadata: { deletionTimestamp: '0001-01-01T00:00:00Z' } }));
    expect(value).toMatchObject({ metadata: { deletionTimestamp: null } });
    const { value: unset } = read(configMap, JSON.stringify({ metadata: { deletionTimestamp: null } }));
    expect(unset['metadata']).not.toHaveProperty('deletionTimestamp');
  });

  test('times are in UTC with whole seconds, and the zero time is null', () => {
    expect(time('2020-02-29T23:59:59Z')).toBe('2020-02-29T23:59:59Z');
    expect(time('2020-01-01T00:30:00.987654321+02:00')).toBe('2019-12-31T22:30:00Z');
    expect(time('0001-01-01T00:00:00Z')).toBeNull();
  });

  test.each([
    'yesterday',
    '',
    '2020-01-01',
    '2021-02-29T00:00:00Z',
    '2020-01-01T24:00:00Z',
    '2020-01-01T00:00:60Z',
    '2020-01-01 00:00:00Z',
    '2020-01-01T00:00:00',
    '2020-01-01T00:00:00+2400',
    '9999-12-31T23:59:59-01:00',
  ])('%j is no time', (text) => {
    expect(() => time(text)).toThrow('metadata.creationTimestamp: parsing time');
  });

  test('microtimes have exactly six digits and are in UTC', () => {
    const lease = structure('coordination.k8s.io/v1', 'Lease');
    const renewed = (text: string) => read(lease, `{"spec":{"renewTime":${JSON.stringify(text)}}}`).value;
    expect(renewed('2020-01-01T01:00:00.123456+01:00')).toMatchObject({
      spec: { renewTime: '2020-01-01T00:00:00.123456Z' },
    });
    expect(() => renewed('2020-01-01T00:00:00Z')).toThrow('six fraction digits');
    expect(() => renewed('2020-01-01T00:00:00.123456789Z')).toThrow('six fraction digits');
  });

  test('quantities are canonical text', () => {
    const { value } = read(
      pod,
      '{"spec":{"containers":[{"name":"c","resources":{"limits":{"a":"1000m","b":0.5,"c":2,"d":null}}}]}}',
    );
    expect(value).toMatchObject({
      spec: { containers: [{ resources: { limits: { a: '1', b: '500m', c: '2', d: '0' } } }] },
    });
  });

  test('base64 is canonical', () => {
    const { value } = read(configMap, '{"binaryData":{"a":"YW\\nI=","b":"YR==","c":""}}');
    expect(value.binaryData).toEqual({ a: 'YWI=', b: 'YQ==', c: '' });
  });

  test('bytes may be given one by one', () => {
    const dataOf = (list: string) => read(configMap, `{"binaryData":{"a":${list}}}`).value.binaryData;
    expect(dataOf('[97,null,255]')).toEqual({ a: 'YQD/' });
    expect(dataOf('[]')).toEqual({ a: '' });
    for (const list of ['[256]', '[-1]', '[1.5]', '["a"]', '[[]]'])
      expect(() => dataOf(list), list).toThrow('a field of type byte');
  });

  test('null is absent in an object, and the zero value in a map or list', () => {
    const { value } = read(
      configMap,
      '{"metadata":{"labels":null,"annotations":{"a":null},"finalizers":[null],"ownerReferences":[null]},"data":{"k":null},"immutable":null}',
    );
    expect(value).toEqual({
      metadata: {
        creationTimestamp: null,
        annotations: { a: '' },
        finalizers: [''],
        ownerReferences: [{ apiVersion: '', kind: '', name: '', uid: '' }],
      },
      data: { k: '' },
    });
  });

  test('null as a whole is an empty object', () => {
    expect(read(configMap, 'null').value).toEqual({ metadata: { creationTimestamp: null } });
  });

  test('empty optional fields are dropped, but not those whose emptiness says something', () => {
    const { value } = read(
      deployment,
      '{"metadata":{"labels":{},"finalizers":[],"generateName":""},"spec":{"replicas":0,"paused":false,"minReadySeconds":0,"selector":{},"template":{"spec":{"containers":[],"hostNetwork":false,"automountServiceAccountToken":false}}}}',
    );
    expect(value).toEqual({
      metadata: { creationTimestamp: null },
      spec: {
        replicas: 0,
        selector: {},
        strategy: {},
        template: { metadata: { creationTimestamp: null }, spec: { automountServiceAccountToken: false } },
      },
      status: {},
    });
  });

  test('fields that are always there are filled in', () => {
    const daemons = structure('apps/v1', 'DaemonSet');
    expect(read(daemons, '{}').value).toMatchObject({
      metadata: {},
      status: { numberReady: 0, desiredNumberScheduled: 0 },
    });
  });

  test('a part that was taken away afterwards can be filled in again', () => {
    expect(fillWritten({ spec: {} }, structure('v1', 'Service'))).toEqual({
      spec: {},
      metadata: { creationTimestamp: null },
      status: { loadBalancer: {} },
    });
  });

  test('it is told where lists and maps were dropped', () => {
    const emptied = (text: string) => [...checkStructure(JSON.parse(text), pod).emptied];
    expect(
      emptied('{"metadata":{"labels":{}},"spec":{"containers":[{"args":[],"image":""}],"hostAliases":[]}}'),
    ).toEqual(['metadata.labels', 'spec.containers.args', 'spec.hostAliases']);
    expect(emptied('{"spec":{"containers":[{"image":"","resources":{}}]}}')).toEqual([]);
  });

  test('a second walk changes nothing', () => {
    const { value } = read(
      pod,
      '{"spec":{"containers":[{"ports":[{}],"env":[{"name":"a","valueFrom":{"resourceFieldRef":{"resource":"x"}}}]}]}}',
    );
    expect(checkStructure(structuredClone(value), pod).value).toEqual(value);
    expect(value).toMatchObject({
      spec: {
        containers: [
          { name: '', ports: [{ containerPort: 0 }], env: [{ valueFrom: { resourceFieldRef: { divisor: '0' } } }] },
        ],
      },
    });
  });
});
