import { describe, expect, test } from 'vitest';
import type { ServiceSpec } from './shape.ts';
import { addresses, create, update } from './written-service.fixture.ts';

describe('a change of a service', () => {
  test.each<[string, object, (spec: ServiceSpec) => unknown, readonly string[], object]>([
    ['of nothing keeps everything', {}, () => {}, [], { clusterIP: '10.0.0.17' }],
    [
      'that leaves the address out keeps it',
      {},
      (spec) => {
        delete spec.clusterIP;
        delete spec.clusterIPs;
        delete spec.ipFamilies;
        delete spec.ipFamilyPolicy;
      },
      [],
      { clusterIPs: ['10.0.0.17'], ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' },
    ],
    [
      'of the address is refused',
      {},
      (spec) => Object.assign(spec, { clusterIP: '10.0.0.9' }),
      ['spec.clusterIPs[0] Invalid'],
      {},
    ],
    [
      'to an address, of one without and of any family',
      { clusterIP: 'None' },
      (spec) => Object.assign(spec, { clusterIP: '10.0.0.9' }),
      ['spec.ipFamilyPolicy Invalid', 'spec.ipFamilies[1] Invalid'],
      {},
    ],
    [
      'of the order of families where there is no address',
      { clusterIP: 'None' },
      (spec) => Object.assign(spec, { ipFamilies: ['IPv6', 'IPv4'] }),
      [],
      { ipFamilies: ['IPv6', 'IPv4'] },
    ],
    [
      'that gives up the second family while two are asked for',
      { clusterIP: 'None' },
      (spec) => Object.assign(spec, { ipFamilies: ['IPv4'] }),
      ['spec.ipFamilyPolicy Invalid'],
      {},
    ],
    [
      'that gives up the second family for a single stack',
      { clusterIP: 'None' },
      (spec) => Object.assign(spec, { ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' }),
      [],
      { ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' },
    ],
    [
      'to a type with node ports gets them',
      {},
      (spec) => Object.assign(spec, { type: 'NodePort' }),
      [],
      { ports: [{ nodePort: 30000 }], externalTrafficPolicy: 'Cluster' },
    ],
    [
      'from a type with node ports gives them back',
      { type: 'NodePort' },
      (spec) => Object.assign(spec, { type: 'ClusterIP' }),
      [],
      { ports: [{ port: 80, targetPort: 80, protocol: 'TCP' }] },
    ],
    [
      'of a port keeps the node ports of the others',
      {
        type: 'NodePort',
        ports: [
          { name: 'a', port: 1 },
          { name: 'b', port: 2 },
        ],
      },
      (spec) =>
        Object.assign(spec, {
          ports: [
            { name: 'b', port: 2 },
            { name: 'c', port: 3 },
          ],
        }),
      [],
      { ports: [{ nodePort: 30001 }, { nodePort: 30002 }] },
    ],
    [
      'of the number of a port keeps its node port',
      { type: 'NodePort' },
      (spec) => Object.assign(spec, { ports: [{ port: 81 }] }),
      [],
      { ports: [{ port: 81, nodePort: 30000 }] },
    ],
  ])('%s', async (_title, before, change, causes, expected) => {
    const from = addresses();
    const stored = await create(before, from);
    const outcome = await update(stored.object, change, from);
    expect(outcome.causes).toEqual(causes);
    expect(outcome.spec).toMatchObject(expected);
  });

  test('to a mere name gives the address back', async () => {
    const from = addresses();
    const stored = await create({}, from);
    const { spec, object } = await update(
      stored.object,
      (next) => Object.assign(next, { type: 'ExternalName', externalName: 'b.c' }),
      from,
    );
    expect([spec.clusterIP, spec.ipFamilies, spec.internalTrafficPolicy]).toEqual([undefined, undefined, undefined]);
    from.follow(stored.object, object);
    expect((await create({ clusterIP: '10.0.0.17' }, from, 'y')).causes).toEqual([]);
  });

  test.each<[string, object, readonly string[]]>([
    ['with another address is refused', { clusterIP: 'None' }, ['spec.clusterIPs Forbidden']],
    ['without a list of addresses has none', { clusterIPs: undefined }, []],
  ])('to a mere name %s', async (_title, fields, causes) => {
    const from = addresses();
    const stored = await create({}, from);
    const name = { type: 'ExternalName', externalName: 'b.c', ...fields };
    const outcome = await update(stored.object, (next) => Object.assign(next, name), from);
    expect(outcome.causes).toEqual(causes);
    if (causes.length === 0) expect([outcome.spec.clusterIP, outcome.spec.clusterIPs]).toEqual([undefined, undefined]);
  });

  test('that asks for what another has is refused', async () => {
    const from = addresses();
    await create({ type: 'NodePort', ports: [{ port: 1, nodePort: 30005 }] }, from, 'a');
    const stored = await create({ type: 'NodePort' }, from, 'b');
    const { causes } = await update(
      stored.object,
      ({ ports }) => Object.assign(ports?.[0] ?? {}, { nodePort: 30005 }),
      from,
    );
    expect(causes).toEqual(['spec.ports[0].nodePort Invalid']);
  });

  test('of the port of health is refused, also to one that another has', async () => {
    const from = addresses();
    const local = { type: 'LoadBalancer', externalTrafficPolicy: 'Local' };
    await create({ ...local, healthCheckNodePort: 30050 }, from, 'a');
    const stored = await create(local, from, 'b');
    for (const healthCheckNodePort of [30050, 30060]) {
      const { causes } = await update(stored.object, (spec) => Object.assign(spec, { healthCheckNodePort }), from);
      expect(causes).toEqual(['spec.healthCheckNodePort Forbidden']);
    }
  });
});
