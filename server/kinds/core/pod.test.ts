import { describe, expect, test } from 'vitest';
import type { Reached } from '../trial-tables.ts';
import { sample, tryCreate, tryUpdate } from '../trial-write.ts';
import { pod } from './pod.ts';
import type { Pod } from './pod-shape.ts';

const container = { name: 'c', image: 'i:1' };
const spec = (fields: object = {}) => ({ spec: { containers: [container], ...fields } });
const withContainer = (fields: object) => spec({ containers: [{ ...container, ...fields }] });
const created = async (fields: object) => (await tryCreate(pod, sample(pod, fields))).object as Pod;

const first = 'spec.containers[0]';

const creations: readonly [string, object, readonly string[]][] = [
  ['one container', spec(), []],
  ['nothing', {}, ['spec.containers Required']],
  [
    'a container without name and image',
    spec({ containers: [{}] }),
    [`${first}.name Required`, `${first}.image Required`],
  ],
  [
    'a name twice and a bad one',
    spec({ containers: [container, container, { ...container, name: 'C_' }] }),
    ['spec.containers[1].name Duplicate', 'spec.containers[2].name Invalid'],
  ],
  [
    'an init container named as another',
    spec({ initContainers: [container] }),
    ['spec.initContainers[0].name Duplicate'],
  ],
  [
    'a probe of an init container',
    spec({ initContainers: [{ name: 'i', image: 'i', readinessProbe: { exec: { command: ['a'] } } }] }),
    ['spec.initContainers[0].readinessProbe Forbidden'],
  ],
  [
    'unknown policies',
    spec({ restartPolicy: 'No', dnsPolicy: 'No' }),
    ['spec.restartPolicy NotSupported', 'spec.dnsPolicy NotSupported'],
  ],
  [
    'ports',
    withContainer({ ports: [{ containerPort: 0 }, { containerPort: 70_000 }, { containerPort: 1, protocol: 'X' }] }),
    [
      `${first}.ports[0].containerPort Required`,
      `${first}.ports[1].containerPort Invalid`,
      `${first}.ports[2].protocol NotSupported`,
    ],
  ],
  [
    'one port of the host twice',
    withContainer({
      ports: [
        { containerPort: 1, hostPort: 5 },
        { containerPort: 2, hostPort: 5 },
      ],
    }),
    [`${first}.ports[1].hostPort Duplicate`],
  ],
  [
    'a port name twice',
    withContainer({
      ports: [
        { containerPort: 1, name: 'web' },
        { containerPort: 2, name: 'web' },
      ],
    }),
    [`${first}.ports[1].name Duplicate`],
  ],
  [
    'a request above its limit',
    withContainer({ resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } }),
    [`${first}.resources.requests Invalid`],
  ],
  [
    'a resource that is none, in both lists since limits stand for requests',
    withContainer({ resources: { limits: { gold: '1' } } }),
    [
      `${first}.resources.limits[gold] Invalid`,
      `${first}.resources.limits[gold] Invalid`,
      `${first}.resources.requests[gold] Invalid`,
      `${first}.resources.requests[gold] Invalid`,
    ],
  ],
  ['a resource of a vendor', withContainer({ resources: { limits: { 'example.com/gpu': '1' } } }), []],
  [
    'a fraction of a device',
    withContainer({ resources: { limits: { 'example.com/gpu': '500m' } } }),
    [`${first}.resources.limits[example.com/gpu] Invalid`, `${first}.resources.requests[example.com/gpu] Invalid`],
  ],
  [
    'huge pages alone',
    withContainer({ resources: { limits: { 'hugepages-2Mi': '2Mi' } } }),
    [`${first}.resources Forbidden`],
  ],
  [
    'a mount without volume',
    withContainer({ volumeMounts: [{ name: 'v', mountPath: '/v' }] }),
    [`${first}.volumeMounts[0].name NotFound`],
  ],
  [
    'a mount path twice',
    {
      spec: {
        volumes: [{ name: 'v' }],
        containers: [
          {
            ...container,
            volumeMounts: [
              { name: 'v', mountPath: '/v' },
              { name: 'v', mountPath: '/v' },
            ],
          },
        ],
      },
    },
    [`${first}.volumeMounts[1].mountPath Invalid`],
  ],
  ['a volume twice', spec({ volumes: [{ name: 'w' }, { name: 'w' }] }), ['spec.volumes[1].name Duplicate']],
  [
    'two sources',
    spec({ volumes: [{ name: 'w', secret: { secretName: 's' }, emptyDir: {} }] }),
    ['spec.volumes[0].secret Forbidden'],
  ],
  [
    'a climbing host path',
    spec({ volumes: [{ name: 'w', hostPath: { path: '/a/../b' } }] }),
    ['spec.volumes[0].hostPath.path Invalid'],
  ],
  [
    'a secret without name',
    spec({ volumes: [{ name: 'w', secret: {} }] }),
    ['spec.volumes[0].secret.secretName Required'],
  ],
  [
    'environment',
    withContainer({
      env: [
        { name: '1=2' },
        { name: 'A', value: 'x', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
        { name: 'B', valueFrom: { fieldRef: { fieldPath: 'spec.secret' } } },
        { name: 'C', valueFrom: { configMapKeyRef: { name: 'm', key: 'a b' } } },
      ],
    }),
    [
      `${first}.env[0].name Invalid`,
      `${first}.env[1].valueFrom Invalid`,
      `${first}.env[2].valueFrom.fieldRef.fieldPath Invalid`,
      `${first}.env[3].valueFrom.configMapKeyRef.key Invalid`,
    ],
  ],
  [
    'a probe without and one with too many handlers',
    withContainer({ livenessProbe: {}, readinessProbe: { httpGet: { port: 80 }, tcpSocket: { port: 'web' } } }),
    [`${first}.livenessProbe Required`, `${first}.readinessProbe.tcpSocket Forbidden`],
  ],
  [
    'two successes before a container counts as alive',
    withContainer({ livenessProbe: { exec: { command: ['a'] }, successThreshold: 2 } }),
    [`${first}.livenessProbe.successThreshold Invalid`],
  ],
  [
    'privilege that may not grow',
    withContainer({ securityContext: { privileged: true, allowPrivilegeEscalation: false } }),
    [`${first}.securityContext Invalid`],
  ],
  ['no time', spec({ activeDeadlineSeconds: 0 }), ['spec.activeDeadlineSeconds Invalid']],
  [
    'names',
    spec({ nodeName: 'A_', hostname: 'a.b', subdomain: '-' }),
    ['spec.nodeName Invalid', 'spec.hostname Invalid', 'spec.subdomain Invalid'],
  ],
  [
    'tolerations',
    spec({
      tolerations: [
        { key: 'k', operator: 'Exists', value: 'v' },
        { operator: 'Equal', value: 'v' },
        { key: 'k', effect: 'Sometimes' },
        { key: 'k', tolerationSeconds: 1 },
      ],
    }),
    [
      'spec.tolerations[0].operator Invalid',
      'spec.tolerations[1].operator Invalid',
      'spec.tolerations[2].effect NotSupported',
      'spec.tolerations[3].effect Invalid',
    ],
  ],
  ['own name servers that are not there', spec({ dnsPolicy: 'None' }), ['spec.dnsConfig Required']],
  [
    'a spread that is none',
    spec({ topologySpreadConstraints: [{ maxSkew: 0, topologyKey: 'zone', whenUnsatisfiable: 'Cry' }] }),
    [
      'spec.topologySpreadConstraints[0].maxSkew Invalid',
      'spec.topologySpreadConstraints[0].whenUnsatisfiable NotSupported',
    ],
  ],
  [
    'an affinity without weight',
    spec({ affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ preference: {} }] } } }),
    ['spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight Invalid'],
  ],
  [
    'ephemeral containers',
    spec({ ephemeralContainers: [{ name: 'e', image: 'i' }] }),
    ['spec.ephemeralContainers Forbidden'],
  ],
  [
    'a port of the host that is another',
    spec({ hostNetwork: true, containers: [{ ...container, ports: [{ containerPort: 80, hostPort: 81 }] }] }),
    [`${first}.ports[0].containerPort Invalid`],
  ],
  ['Linux settings for Windows', spec({ os: { name: 'windows' }, hostPID: true }), ['spec.hostPID Forbidden']],
  [
    'keys that objects have anyway',
    withContainer({ resources: { limits: { constructor: '1' } } }),
    [
      `${first}.resources.limits[constructor] Invalid`,
      `${first}.resources.limits[constructor] Invalid`,
      `${first}.resources.requests[constructor] Invalid`,
      `${first}.resources.requests[constructor] Invalid`,
    ],
  ],
];

describe('a new pod', () => {
  test.each(creations)('%s', async (_title, fields, causes) => {
    expect((await tryCreate(pod, sample(pod, fields))).causes).toEqual(causes);
  });

  test('gets its defaults, and is pending', async () => {
    const { spec: filled, status } = await created(spec());
    expect(filled).toMatchObject({
      restartPolicy: 'Always',
      dnsPolicy: 'ClusterFirst',
      schedulerName: 'default-scheduler',
      enableServiceLinks: true,
      terminationGracePeriodSeconds: 30,
      containers: [{ imagePullPolicy: 'IfNotPresent', terminationMessagePolicy: 'File', resources: {} }],
    });
    expect(status).toEqual({ phase: 'Pending', qosClass: 'BestEffort' });
  });

  test.each([
    ['i', 'Always'],
    ['i:latest', 'Always'],
    ['host:5000/i', 'Always'],
    ['host:5000/i:2', 'IfNotPresent'],
    ['i@sha256:00', 'IfNotPresent'],
  ])('an image %s is pulled %s', async (image, policy) => {
    const { spec: filled } = await created(spec({ containers: [{ name: 'c', image }] }));
    expect(filled?.containers?.[0]?.imagePullPolicy).toBe(policy);
  });

  test.each([
    ['limits alone', { limits: { cpu: '500m', memory: '1Gi' } }, 'Guaranteed'],
    [
      'the same amount written differently',
      { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '1000m' } },
      'Guaranteed',
    ],
    ['no limit of memory', { limits: { cpu: '1' } }, 'Burstable'],
    ['requests alone', { requests: { memory: '1Mi' } }, 'Burstable'],
    ['amounts of nothing', { requests: { cpu: '0' } }, 'BestEffort'],
  ])('with %s it is %s', async (_title, resources, qosClass) => {
    expect((await created(withContainer({ resources }))).status?.qosClass).toBe(qosClass);
  });

  test('the newer name of the account decides', async () => {
    const { spec: filled } = await created(spec({ serviceAccount: 'old', serviceAccountName: 'new' }));
    expect([filled?.serviceAccount, filled?.serviceAccountName]).toEqual(['new', 'new']);
  });
});

const doubled = (...causes: string[]) => [...causes, ...causes];

const updates: readonly [string, (next: Reached) => void, readonly string[]][] = [
  [
    'an image',
    ({ spec: { containers } }) => {
      containers[0].image = 'i:2';
    },
    [],
  ],
  [
    'an earlier deadline',
    (next) => {
      next.spec.activeDeadlineSeconds = 50;
    },
    [],
  ],
  [
    'a later deadline',
    (next) => {
      next.spec.activeDeadlineSeconds = 200;
    },
    ['spec.activeDeadlineSeconds Invalid'],
  ],
  [
    'no deadline any more',
    (next) => {
      delete next.spec.activeDeadlineSeconds;
    },
    ['spec.activeDeadlineSeconds Invalid'],
  ],
  [
    'one more toleration',
    (next) => {
      next.spec.tolerations.push({ key: 'b', operator: 'Exists' });
    },
    [],
  ],
  [
    'a toleration less',
    (next) => {
      next.spec.tolerations = [];
    },
    ['spec.tolerations Forbidden'],
  ],
  [
    'a longer toleration',
    (next) => {
      next.spec.tolerations[0].tolerationSeconds = 9;
    },
    [],
  ],
  [
    'a node',
    (next) => {
      next.spec.nodeName = 'n';
    },
    ['spec Forbidden'],
  ],
  [
    'a command',
    (next) => {
      next.spec.containers[0].command = ['a'];
    },
    ['spec Forbidden'],
  ],
  [
    'another container',
    (next) => {
      next.spec.containers.push({ name: 'd', image: 'i' });
    },
    ['spec.containers Forbidden'],
  ],
  [
    'a bad node name, told twice',
    (next) => {
      next.spec.nodeName = 'A_';
    },
    [...doubled('spec.nodeName Invalid'), 'spec Forbidden'],
  ],
];

describe('a change of a pod', () => {
  const stored = () =>
    created(
      spec({
        activeDeadlineSeconds: 100,
        tolerations: [{ key: 'a', effect: 'NoExecute', operator: 'Exists', tolerationSeconds: 5 }],
      }),
    );

  test.each(updates)('%s', async (_title, change, causes) => {
    expect((await tryUpdate(pod, await stored(), change)).causes).toEqual(causes);
  });

  test('through its status leaves spec and owners alone, and pairs the addresses', async () => {
    const { object } = await tryUpdate(
      pod,
      await stored(),
      (next) => {
        next.spec.nodeName = 'n';
        next.metadata.ownerReferences = [{ kind: 'X' }];
        next.status.podIP = '10.1.1.1';
      },
      { subresource: 'status' },
    );
    expect(object.metadata.ownerReferences).toBeUndefined();
    expect((object as Pod).spec?.nodeName).toBeUndefined();
    expect((object as Pod).status?.podIPs).toEqual([{ ip: '10.1.1.1' }]);
  });

  test('an ephemeral container joins, but not under a name that is taken, and does not change', async () => {
    const add = (name: string, stand: Pod | Promise<Pod>) =>
      Promise.resolve(stand).then((from) =>
        tryUpdate(pod, from, (next) => (next.spec.ephemeralContainers = [{ name, image: 'i' }]), {
          subresource: 'ephemeralcontainers',
        }),
      );
    const added = await add('e', stored());
    expect(added.causes).toEqual([]);
    expect((await add('c', stored())).causes).toEqual(['spec.ephemeralContainers[0].name Duplicate']);
    expect((await add('f', added.object as Pod)).causes).toEqual(['spec.ephemeralContainers Forbidden']);
  });

  test('a container that ended for good does not run again', async () => {
    const ended = await created(spec({ restartPolicy: 'Never' }));
    ended.status = { containerStatuses: [{ name: 'c', state: { terminated: { exitCode: 1 } } }] };
    const { causes } = await tryUpdate(
      pod,
      ended,
      (next) => {
        next.status.containerStatuses[0].state = { running: {} };
      },
      { subresource: 'status' },
    );
    expect(causes).toEqual(['status.containerStatuses[0].state Forbidden']);
  });
});

describe('the end of a pod', () => {
  const grace = (fields: object, asked?: number) => pod.gracePeriod?.(sample(pod, fields), asked);
  const bound = { spec: { nodeName: 'n', terminationGracePeriodSeconds: 30 } };

  test.each<[string, object, number | undefined, number | undefined]>([
    ['not bound: at once', { spec: {} }, 10, undefined],
    ['bound: as its spec says', bound, undefined, 30],
    ['bound: as asked', bound, 5, 5],
    ['at once when asked', bound, 0, 0],
    ['less than nothing is one second', bound, -3, 1],
    ['over already', { ...bound, status: { phase: 'Failed' } }, undefined, undefined],
  ])('%s', (_title, fields, asked, seconds) => {
    expect(grace(fields, asked)).toBe(seconds);
  });
});

describe('the table of pods', () => {
  const cells = (fields: object, metadata: object = {}) =>
    pod.table?.cells(
      sample(pod, { ...spec(), ...fields }, { creationTimestamp: '2024-01-01T00:00:00Z', ...metadata }),
      Date.UTC(2024, 0, 1, 0, 5),
    );
  const status = (containerStatuses: object[], more: object = {}) => ({
    status: { phase: 'Running', containerStatuses, ...more },
  });

  test.each<[string, object, unknown[]]>([
    ['a new one', { status: { phase: 'Pending' } }, ['0/1', 'Pending', '0']],
    ['a running one', status([{ ready: true, restartCount: 2, state: { running: {} } }]), ['1/1', 'Running', '2']],
    [
      'one that crashes',
      status([
        {
          restartCount: 3,
          state: { waiting: { reason: 'CrashLoopBackOff' } },
          lastState: { terminated: { finishedAt: '2024-01-01T00:04:00Z' } },
        },
      ]),
      ['0/1', 'CrashLoopBackOff', '3 (60s ago)'],
    ],
    ['one that was killed', status([{ state: { terminated: { signal: 9 } } }]), ['0/1', 'Signal:9', '0']],
    [
      'one that prepares itself',
      status([], { initContainerStatuses: [{ state: { terminated: { exitCode: 0 } } }, { state: { running: {} } }] }),
      ['0/1', 'Init:1/0', '0'],
    ],
  ])('%s', (_title, fields, expected) => {
    expect(cells(fields)?.slice(1, 4)).toEqual(expected);
  });

  test('what is being deleted is terminating', () => {
    expect(cells({}, { deletionTimestamp: '2024-01-01T00:00:00Z' })?.[2]).toBe('Terminating');
  });
});
