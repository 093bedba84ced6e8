import { describe, expect, test } from 'vitest';
import { allOf } from '../../faults.fixture.ts';
import { sample } from '../../kind-write.fixture.ts';
import { addresses, context, create, service, update } from './written-service.fixture.ts';

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

  test('asks in vain for a port of health that another has: the server calls that its own failure', async () => {
    const from = addresses();
    const local = { type: 'LoadBalancer', externalTrafficPolicy: 'Local' };
    expect((await create({ ...local, healthCheckNodePort: 30050 }, from)).spec.healthCheckNodePort).toBe(30050);
    await expect(create({ ...local, healthCheckNodePort: 30050 }, from, 'y')).rejects.toMatchObject({
      status: {
        code: 500,
        message:
          'Internal error occurred: failed to allocate requested HealthCheck NodePort 30050: provided port is already allocated',
      },
    });
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
    ['two families and no word that there are two', { ipFamilies: ['IPv4', 'IPv6'] }, ['spec.ipFamilyPolicy Invalid']],
    [
      'two families for a single stack, even without address and selector',
      { clusterIP: 'None', ipFamilies: ['IPv6', 'IPv4'], ipFamilyPolicy: 'SingleStack' },
      ['spec.ipFamilyPolicy Invalid'],
    ],
    [
      'two families that are preferred',
      { ipFamilies: ['IPv4', 'IPv6'], ipFamilyPolicy: 'PreferDualStack' },
      ['spec.ipFamilies[1] Invalid'],
    ],
    [
      'an address of a family that is not there, which hides that two are needed',
      { clusterIP: '10.0.0.9', clusterIPs: ['10.0.0.9', 'fd00::1'], ipFamilyPolicy: 'RequireDualStack' },
      ['spec.clusterIPs[1] Invalid'],
    ],
    [
      'one address twice, beside other faults',
      { clusterIP: '10.0.0.9', clusterIPs: ['10.0.0.9', '10.0.0.9'], ipFamilies: ['IPv4', 'IPv6'], ipFamilyPolicy: '' },
      ['spec.ipFamilyPolicy NotSupported', 'spec.clusterIPs Invalid', 'spec.clusterIPs[1] Invalid'],
    ],
    [
      'a policy of families for a mere name',
      { type: 'ExternalName', externalName: 'a.b', ports: undefined, ipFamilyPolicy: '' },
      ['spec.ipFamilyPolicy Forbidden'],
    ],
    [
      'unknown traffic from outside where none comes',
      { externalTrafficPolicy: 'Bogus' },
      ['spec.externalTrafficPolicy Invalid'],
    ],
    [
      'unknown traffic from outside',
      { type: 'NodePort', externalTrafficPolicy: 'Bogus' },
      ['spec.externalTrafficPolicy NotSupported'],
    ],
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

test('the status of a service holds addresses and host names', () => {
  const object = sample(service, { status: { loadBalancer: { ingress: [{ ip: 'x' }, { hostname: '1.2.3.4' }] } } });
  const errors = allOf(service.subresources?.status?.validateUpdate?.(object, object, context()));
  expect(errors.map(({ field }) => field)).toEqual([
    'status.loadBalancer.ingress[0].ip',
    'status.loadBalancer.ingress[1].hostname',
  ]);
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
