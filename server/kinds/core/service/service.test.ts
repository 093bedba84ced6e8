import { describe, expect, test } from 'vitest';
import { StatusError } from '../../../base/status-error.ts';
import { allOf } from '../../faults.fixture.ts';
import { sample } from '../../kind-write.fixture.ts';
import type { WriteContext } from '../../strategy.ts';
import { serviceAllocator } from './allocator.ts';
import { serviceWith } from './service.ts';
import type { Service, ServiceSpec } from './shape.ts';

const addresses = (clusterIpRange = '10.0.0.0/24') =>
  serviceAllocator({ clusterIpRange, nodePortRange: '30000-30100', random: () => 0 });

const service = serviceWith(addresses());

const context = (dryRun = false) => ({ dryRun, clock: { now: () => 0 }, onAbandon() {} }) as unknown as WriteContext;

const causesOf = (error: unknown) => {
  if (!(error instanceof StatusError)) throw error;
  return (error.status.details?.causes ?? []).map(
    ({ field, reason }) => `${field} ${reason?.slice('FieldValue'.length)}`,
  );
};

interface Outcome {
  readonly spec: ServiceSpec;
  readonly object: Service;
  readonly causes: readonly string[];
}

async function create(spec: object, from = addresses(), name = 'x'): Promise<Outcome> {
  const object = sample(service, { spec: { ports: [{ port: 80 }], ...spec } }, { name, namespace: 'n' }) as Service;
  service.default?.(object);
  try {
    await serviceWith(from).prepareCreate?.(object, context());
  } catch (error) {
    return { object, spec: object.spec ?? {}, causes: causesOf(error) };
  }
  const causes = allOf(service.validate?.(object, context())).map(
    ({ field, reason }) => `${field} ${reason.slice('FieldValue'.length)}`,
  );
  if (causes.length === 0) from.follow(undefined, object);
  return { object, spec: object.spec ?? {}, causes };
}

async function update(stored: Service, change: (spec: ServiceSpec) => unknown, from = addresses()): Promise<Outcome> {
  const object = structuredClone(stored);
  change(object.spec ?? {});
  service.default?.(object);
  try {
    await serviceWith(from).prepareUpdate?.(object, stored, context());
  } catch (error) {
    return { object, spec: object.spec ?? {}, causes: causesOf(error) };
  }
  const errors = [
    ...allOf(service.validate?.(object, context())),
    ...allOf(service.validateUpdate?.(object, stored, context())),
  ];
  const causes = errors.map(({ field, reason }) => `${field} ${reason.slice('FieldValue'.length)}`);
  return { object, spec: object.spec ?? {}, causes };
}

describe('a new service', () => {
  test.each<[string, object, object]>([
    [
      'of the usual type',
      {},
      {
        type: 'ClusterIP',
        clusterIP: '10.0.0.17',
        clusterIPs: ['10.0.0.17'],
        ipFamilies: ['IPv4'],
        ipFamilyPolicy: 'SingleStack',
        internalTrafficPolicy: 'Cluster',
        sessionAffinity: 'None',
        ports: [{ port: 80, targetPort: 80, protocol: 'TCP' }],
      },
    ],
    [
      'without address',
      { clusterIP: 'None', selector: { a: 'b' } },
      { clusterIPs: ['None'], ipFamilyPolicy: 'SingleStack' },
    ],
    [
      'without address and selector',
      { clusterIP: 'None' },
      { clusterIPs: ['None'], ipFamilies: ['IPv4', 'IPv6'], ipFamilyPolicy: 'RequireDualStack' },
    ],
    ['on the nodes', { type: 'NodePort' }, { externalTrafficPolicy: 'Cluster', ports: [{ nodePort: 30000 }] }],
    [
      'behind a load balancer, for local traffic',
      { type: 'LoadBalancer', externalTrafficPolicy: 'Local' },
      { allocateLoadBalancerNodePorts: true, healthCheckNodePort: 30001, ports: [{ nodePort: 30000 }] },
    ],
    [
      'with one number for two protocols',
      {
        type: 'NodePort',
        ports: [
          { name: 't', port: 53 },
          { name: 'u', port: 53, protocol: 'UDP' },
        ],
      },
      { ports: [{ nodePort: 30000 }, { nodePort: 30000 }] },
    ],
    ['with an address it asks for', { clusterIP: '10.0.0.5' }, { clusterIPs: ['10.0.0.5'] }],
    [
      'that keeps to its clients',
      { sessionAffinity: 'ClientIP' },
      { sessionAffinityConfig: { clientIP: { timeoutSeconds: 10800 } } },
    ],
  ])('%s', async (_title, spec, expected) => {
    const { causes, spec: filled } = await create(spec);
    expect(causes).toEqual([]);
    expect(filled).toMatchObject(expected);
  });

  test('that is only another name has neither address nor families', async () => {
    const { spec, causes } = await create({ type: 'ExternalName', externalName: 'a.example.com', ports: undefined });
    expect(causes).toEqual([]);
    expect(Object.keys(spec).sort()).toEqual(['externalName', 'ports', 'sessionAffinity', 'type']);
  });

  test('of two families', async () => {
    const { spec, causes } = await create({ ipFamilyPolicy: 'PreferDualStack' }, addresses('10.0.0.0/24,fd00::/108'));
    expect(causes).toEqual([]);
    expect(spec).toMatchObject({ ipFamilies: ['IPv4', 'IPv6'], clusterIPs: ['10.0.0.17', 'fd00::101'] });
  });

  test.each<[string, object, readonly string[]]>([
    ['no ports', { ports: [] }, ['spec.ports Required']],
    [
      'a port that is none',
      { ports: [{ port: 0, protocol: 'X' }] },
      ['spec.ports[0].port Invalid', 'spec.ports[0].protocol NotSupported', 'spec.ports[0].targetPort Invalid'],
    ],
    [
      'a name that is none, twice',
      {
        ports: [
          { name: 'A', port: 1 },
          { name: 'A', port: 2 },
        ],
      },
      ['spec.ports[0].name Invalid', 'spec.ports[1].name Invalid', 'spec.ports[1].name Duplicate'],
    ],
    [
      'ports without names',
      { ports: [{ port: 1 }, { port: 2 }] },
      ['spec.ports[0].name Required', 'spec.ports[1].name Required'],
    ],
    [
      'a port twice',
      {
        ports: [
          { name: 'a', port: 1 },
          { name: 'b', port: 1 },
        ],
      },
      ['spec.ports[1] Duplicate'],
    ],
    [
      'unknown words',
      { type: 'Magic', sessionAffinity: 'Sticky' },
      ['spec.sessionAffinity NotSupported', 'spec.type NotSupported'],
    ],
    ['no name to point to', { type: 'ExternalName', ports: undefined }, ['spec.externalName Required']],
    ['an address beside none', { clusterIP: 'None', clusterIPs: ['None', '10.0.0.9'] }, ['spec.clusterIPs Invalid']],
    [
      'none behind an address',
      { clusterIP: '10.0.0.9', clusterIPs: ['10.0.0.9', 'None'] },
      ['spec.clusterIPs[1] Invalid'],
    ],
    ['an address elsewhere', { clusterIP: '192.168.1.1' }, ['spec.clusterIPs Invalid']],
    ['an address that is none', { clusterIP: 'ten' }, ['spec.clusterIPs[0] Invalid']],
    [
      'what does not fit together, which is told alone',
      { clusterIPs: ['ten'], sessionAffinity: 'Maybe' },
      ['spec.clusterIPs Invalid', 'spec.clusterIPs[0] Invalid'],
    ],
    [
      'an address of another family than said',
      { clusterIP: 'fe80::1', ipFamilies: ['IPv4'] },
      ['spec.clusterIPs[0] Invalid'],
    ],
    ['an address of a family that is not there', { clusterIP: 'fe80::1' }, ['spec.clusterIPs[0] Invalid']],
    ['a family that is not there', { ipFamilies: ['IPv6'] }, ['spec.ipFamilies[0] Invalid']],
    ['a family twice', { ipFamilies: ['IPv4', 'IPv4'] }, ['spec.ipFamilies[1] Duplicate']],
    [
      'a node port elsewhere',
      { type: 'NodePort', ports: [{ port: 1, nodePort: 99 }] },
      ['spec.ports[0].nodePort Invalid'],
    ],
    ['a node port without nodes', { ports: [{ port: 1, nodePort: 30000 }] }, ['spec.ports[0].nodePort Forbidden']],
    ['two families where there is one', { ipFamilyPolicy: 'RequireDualStack' }, ['spec.ipFamilyPolicy Invalid']],
    ['a family that is not there', { ipFamilies: ['IPv6'] }, ['spec.ipFamilies[0] Invalid']],
    ['a loopback address', { externalIPs: ['127.0.0.1'] }, ['spec.externalIPs[0] Invalid']],
    [
      'traffic from outside where none comes',
      { externalTrafficPolicy: 'Local' },
      ['spec.externalTrafficPolicy Invalid'],
    ],
    ['no address on the nodes', { type: 'NodePort', clusterIP: 'None' }, ['spec.clusterIPs[0] Invalid']],
    [
      'sources without balancer',
      { loadBalancerSourceRanges: ['10.0.0.0/8'] },
      ['spec.LoadBalancerSourceRanges Forbidden'],
    ],
    [
      'a very long affinity',
      { sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 86401 } } },
      ['spec.sessionAffinityConfig.clientIP.timeoutSeconds Invalid'],
    ],
  ])('with %s is refused', async (_title, spec, causes) => {
    expect((await create(spec)).causes).toEqual(causes);
  });

  test('cannot have the address or port of another', async () => {
    const from = addresses();
    await create({ type: 'NodePort', clusterIP: '10.0.0.5', ports: [{ port: 1, nodePort: 30005 }] }, from, 'a');
    expect((await create({ clusterIP: '10.0.0.5' }, from, 'b')).causes).toEqual(['spec.clusterIPs Invalid']);
    expect((await create({ type: 'NodePort', ports: [{ port: 1, nodePort: 30005 }] }, from, 'b')).causes).toEqual([
      'spec.ports[0].nodePort Invalid',
    ]);
  });
});

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
});

test('the status of a service holds addresses and host names', () => {
  const object = sample(service, { status: { loadBalancer: { ingress: [{ ip: 'x' }, { hostname: '1.2.3.4' }] } } });
  const errors = allOf(service.subresources?.status?.validateUpdate?.(object, object, context()));
  expect(errors.map(({ field }) => field)).toEqual([
    'status.loadBalancer.ingress[0].ip',
    'status.loadBalancer.ingress[1].hostname',
  ]);
});

describe('the table of services', () => {
  const cells = (spec: object, status: object = {}) =>
    service.table?.cells(sample(service, { spec, status }), 0).slice(1, 5);

  test.each<[string, object, object, unknown[]]>([
    [
      'ports',
      {
        type: 'NodePort',
        clusterIPs: ['10.0.0.1'],
        ports: [
          { port: 80, nodePort: 30000, protocol: 'TCP' },
          { port: 53, protocol: 'UDP' },
        ],
      },
      {},
      ['NodePort', '10.0.0.1', '<none>', '80:30000/TCP,53/UDP'],
    ],
    ['a name', { type: 'ExternalName', externalName: 'a.b' }, {}, ['ExternalName', '<none>', 'a.b', '<none>']],
    ['a balancer to come', { type: 'LoadBalancer' }, {}, ['LoadBalancer', '<none>', '<pending>', '<none>']],
    [
      'a balancer',
      { type: 'LoadBalancer' },
      { loadBalancer: { ingress: ['5.6.7.8', '1.2.3.4', '1.2.3.4'].map((ip) => ({ ip })) } },
      ['LoadBalancer', '<none>', '1.2.3.4,5.6.7.8', '<none>'],
    ],
  ])('shows %s', (_title, spec, status, expected) => {
    expect(cells(spec, status)).toEqual(expected);
  });
});

test('the class of a load balancer stands, and nothing of another family is said beside what is no family', async () => {
  const { object } = await create({ type: 'LoadBalancer', loadBalancerClass: 'example.com/a' });
  const changed = await update(object, (spec) => {
    delete spec.loadBalancerClass;
  });
  expect(changed.causes).toEqual(['spec.loadBalancerClass Invalid']);
  const family = await update(object, (spec) => {
    spec.ipFamilies = ['*'];
  });
  expect(family.causes).toEqual(['spec.ipFamilies[0] NotSupported']);
});
