import { describe, expect, test } from 'vitest';
import type { EndpointSlice, Pod, Service } from '../runtime/resources.ts';
import { subsetsFor, withinCapacity } from './endpoints.ts';
import { planSlices } from './plan.ts';

const service = (spec: object = {}): Service =>
  ({
    metadata: { namespace: 'ns', name: 's', uid: 's' },
    spec: {
      selector: { app: 'a' },
      ports: [{ name: 'http', port: 80, targetPort: 'web', protocol: 'TCP' }],
      ipFamilies: ['IPv4'],
      ...spec,
    },
  }) as Service;

const pod = (
  name: string,
  more: { ready?: boolean; deleting?: boolean; ip?: string; phase?: string; port?: number; app?: string } = {},
): Pod =>
  ({
    metadata: {
      namespace: 'ns',
      name,
      uid: name,
      labels: { app: more.app ?? 'a' },
      ...(more.deleting && { deletionTimestamp: 'now' }),
    },
    spec: {
      nodeName: 'n',
      containers: [{ name: 'c', ports: [{ name: 'web', containerPort: more.port ?? 8080, protocol: 'TCP' }] }],
    },
    status: {
      phase: more.phase ?? 'Running',
      podIP: more.ip ?? '10.0.0.1',
      conditions: [{ type: 'Ready', status: (more.ready ?? true) ? 'True' : 'False' }],
    },
  }) as Pod;

const nodes = [
  { metadata: { name: 'n', labels: { 'topology.kubernetes.io/zone': 'west' } } },
  { metadata: { name: 'other' } },
];

/** A pod on this node, if any. */
const placed = (name: string, at: { readonly nodeName?: string }): Pod => {
  const { spec, ...rest } = pod(name);
  const { nodeName: _, ...others } = spec ?? {};
  return { ...rest, spec: { containers: [], ...others, ...at } };
};

let suffix = 0;
const plan = (subject: Service, pods: readonly Pod[], existing: readonly EndpointSlice[] = []) =>
  planSlices(
    subject,
    pods,
    existing,
    () => `x${suffix++}`,
    (name) => nodes.find(({ metadata }) => metadata.name === name),
  );

describe('endpoints', () => {
  test.each([
    ['ready', {}, { ready: true, serving: true, terminating: false }],
    ['not ready', { ready: false }, { ready: false, serving: false, terminating: false }],
    ['ready and going: never ready', { deleting: true }, { ready: false, serving: true, terminating: true }],
  ])('%s', (_, more, conditions) => {
    expect(plan(service(), [pod('p', more)]).create[0]?.endpoints?.[0]?.conditions).toEqual(conditions);
  });

  test('are those that fit the selector, have an address and have not ended', () => {
    const pods = [pod('a'), pod('b', { app: 'other' }), pod('c', { ip: '' }), pod('d', { phase: 'Succeeded' })];
    expect(
      plan(service(), pods).create.flatMap(({ endpoints = [] }) => endpoints.map(({ targetRef }) => targetRef?.name)),
    ).toEqual(['a']);
  });

  test.each([
    ['that is in a zone', { nodeName: 'n' }, { nodeName: 'n', zone: 'west' }],
    ['of which no zone is said', { nodeName: 'other' }, { nodeName: 'other', zone: undefined }],
  ])('say where a pod is that is on a node %s', (_, at, told) => {
    const [endpoint] = plan(service(), [placed('p', at)]).create[0]?.endpoints ?? [];
    expect({ nodeName: endpoint?.nodeName, zone: endpoint?.zone }).toEqual(told);
  });

  test.each([
    ['that is gone', { nodeName: 'gone' }],
    ['that it does not have yet', {}],
  ])('leave out a pod on a node %s, unless its service takes pods that are not ready as well', (_, at) => {
    const pods = [pod('a'), placed('b', at)];
    const names = (subject: Service) =>
      plan(subject, pods).create.flatMap(({ endpoints = [] }) => endpoints.map(({ targetRef }) => targetRef?.name));
    expect(names(service())).toEqual(['a']);
    expect(names(service({ publishNotReadyAddresses: true }))).toEqual(['a', 'b']);
  });

  test('with other ports behind the same name stand in slices of their own', () => {
    const { create } = plan(service(), [pod('a'), pod('b', { port: 9090 })]);
    expect(create.map(({ ports }) => ports?.[0]?.port).sort()).toEqual([8080, 9090]);
  });
});

describe('slices', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => pod(`p${index}`, { ip: `10.0.${index >> 8}.${index & 255}` }));

  test('hold a hundred endpoints', () => {
    expect(plan(service(), many(250)).create.map(({ endpoints }) => endpoints?.length)).toEqual([100, 100, 50]);
  });

  test('that say what is so are left alone, and one change changes one slice', () => {
    const { create } = plan(service(), many(250));
    expect(plan(service(), many(250), create)).toEqual({ create: [], update: [], delete: [] });
    const fewer = many(250).filter((_, index) => index !== 120);
    const next = plan(service(), fewer, create);
    expect([next.create.length, next.update.length, next.delete.length]).toEqual([0, 1, 0]);
    expect(next.update[0]?.after.endpoints).toHaveLength(99);
  });

  test('a service without pods has one empty slice', () => {
    const { create } = plan(service(), []);
    expect(create.map(({ endpoints }) => endpoints)).toEqual([[]]);
    expect(plan(service(), [], create)).toEqual({ create: [], update: [], delete: [] });
  });

  test('have the labels of their service, also when it gets others, and tell that it has no address', () => {
    const labelled = (spec: object, labels: Record<string, string>): Service => {
      const { metadata, ...rest } = service(spec);
      return { ...rest, metadata: { ...metadata, labels } };
    };
    const { create } = plan(labelled({ clusterIP: '10.0.0.1' }, { team: 'a' }), [pod('a')]);
    const own = {
      'kubernetes.io/service-name': 's',
      'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
    };
    expect(create[0]?.metadata?.labels).toEqual({ ...own, team: 'a' });
    const { update } = plan(labelled({ clusterIP: 'None' }, { team: 'b' }), [pod('a')], create);
    const headless = { 'service.kubernetes.io/headless': '' };
    expect(update.map(({ after }) => after.metadata?.labels)).toEqual([{ ...own, ...headless, team: 'b' }]);
  });

  test('of an earlier service of the name go, and others take their place: they would go with that one', () => {
    const { create } = plan(service(), [pod('a')]);
    const another = { ...service(), metadata: { ...service().metadata, uid: 'another' } };
    const next = plan(another, [pod('a')], create);
    expect([next.create.length, next.update.length, next.delete]).toEqual([1, 0, create]);
  });

  test('that nothing is left for go', () => {
    const { create } = plan(service(), many(150));
    const next = plan(service(), many(50), create);
    expect([next.create.length, next.delete.length]).toEqual([0, 1]);
  });
});

test.each<[string, object, string[][]]>([
  ['without the port that is named is left out', {}, [['10.0.0.1']]],
  [
    'is told of all the same where the service has no port',
    { clusterIP: 'None', ports: [] },
    [['10.0.0.1', '10.0.0.2']],
  ],
  [
    'is told of by the ports that it has',
    { ports: [{ port: 80, targetPort: 'web' }, { port: 81 }] },
    [['10.0.0.1'], ['10.0.0.2']],
  ],
])('in the older form a pod %s', (_, spec, expected) => {
  const { spec: _spec, ...bare } = pod('b', { ip: '10.0.0.2' });
  const subsets = subsetsFor(service(spec), [pod('a'), bare]);
  expect(subsets.map(({ addresses = [] }) => addresses.map(({ ip }) => ip))).toEqual(expected);
});

test.each([
  [['IPv4'], ['10.0.0.1']],
  [['IPv6'], ['fd00::1']],
  [['IPv6', 'IPv4'], ['fd00::1']],
])('the older form tells the address of the first family of %j', (ipFamilies, expected) => {
  const two = pod('two');
  two.status = { ...two.status, podIPs: [{ ip: '10.0.0.1' }, { ip: 'fd00::1' }] };
  const [subset] = subsetsFor(service({ ipFamilies }), [two]);
  expect(subset?.addresses?.map(({ ip }) => ip)).toEqual(expected);
});

test('the older form leaves out a pod that has no address of the family', () => {
  expect(subsetsFor(service({ ipFamilies: ['IPv6'] }), [pod('a')])).toEqual([]);
});

test('the older form names pods that have a name below their service', () => {
  const { spec, ...rest } = pod('a');
  const named = { ...rest, spec: { containers: [], ...spec, hostname: 'web-0', subdomain: 's' } };
  expect(subsetsFor(service(), [named])[0]?.addresses).toMatchObject([{ hostname: 'web-0' }]);
});

test('the older form keeps ready addresses apart', () => {
  const subsets = subsetsFor(service(), [
    pod('b', { ip: '10.0.0.2' }),
    pod('a', { ip: '10.0.0.1' }),
    pod('c', { ready: false, ip: '10.0.0.3' }),
  ]);
  expect(subsets).toHaveLength(1);
  expect([subsets[0]?.addresses?.map(({ ip }) => ip), subsets[0]?.notReadyAddresses?.map(({ ip }) => ip)]).toEqual([
    ['10.0.0.1', '10.0.0.2'],
    ['10.0.0.3'],
  ]);
});

describe('the older form tells of 1000 addresses at most:', () => {
  const addresses = (count: number) => Array.from({ length: count }, (_, index) => ({ ip: `10.0.0.${index}` }));
  const subset = ([ready, notReady]: readonly number[]) => ({
    addresses: addresses(ready ?? 0),
    notReadyAddresses: addresses(notReady ?? 0),
  });
  const sizes = ({ subsets }: ReturnType<typeof withinCapacity>) =>
    subsets.map((each) => [each.addresses?.length ?? 0, each.notReadyAddresses?.length ?? 0]);

  test.each<[string, number[][], number[][]]>([
    [
      'all, where there are no more',
      [
        [600, 200],
        [200, 0],
      ],
      [
        [600, 200],
        [200, 0],
      ],
    ],
    [
      'all that are ready, and of the others each set of ports a share',
      [
        [500, 200],
        [400, 100],
      ],
      [
        [500, 67],
        [400, 33],
      ],
    ],
    [
      'of those that are ready each set of ports a share, and none of the others',
      [
        [900, 9],
        [600, 0],
      ],
      [
        [600, 0],
        [400, 0],
      ],
    ],
    [
      'shares rounded up while there is room, so that a set may have none',
      [
        [667, 0],
        [667, 0],
        [667, 0],
        [0, 5],
      ],
      [
        [334, 0],
        [334, 0],
        [332, 0],
      ],
    ],
  ])('%s', (_, given, kept) => {
    expect(sizes(withinCapacity(given.map(subset)))).toEqual(kept);
  });
});
