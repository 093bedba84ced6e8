import { describe, expect, test } from 'vitest';
import { sample, tryCreate } from '../../kind-write.fixture.ts';
import { container, created, spec, withContainer } from './pod.fixture.ts';
import { pod } from './pod.ts';

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
    'two init containers without a name',
    spec({ initContainers: [{ image: 'i' }, { image: 'i' }] }),
    ['spec.initContainers[0].name Required', 'spec.initContainers[1].name Required'],
  ],
  [
    'kernel settings beside those of the host',
    spec({ hostIPC: true, securityContext: { sysctls: [{ name: 'kernel.sem', value: '1' }] } }),
    [],
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
    'a port name that is none twice',
    withContainer({ ports: [1, 2].map((containerPort) => ({ containerPort, name: 'A' })) }),
    [0, 1].flatMap((at) => [`${first}.ports[${at}].name Invalid`, `${first}.ports[${at}].name Invalid`]),
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
        { name: 'D', valueFrom: { fieldRef: { fieldPath: 'spec.host' } } },
        { name: 'E', valueFrom: { fieldRef: { fieldPath: "metadata.labels['a'b']" } } },
      ],
    }),
    [
      `${first}.env[0].name Invalid`,
      `${first}.env[1].valueFrom Invalid`,
      `${first}.env[2].valueFrom.fieldRef.fieldPath Invalid`,
      `${first}.env[3].valueFrom.configMapKeyRef.key Invalid`,
      `${first}.env[5].valueFrom.fieldRef Invalid`,
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
  [
    'more to search names in than there is room for',
    spec({ dnsConfig: { searches: Array.from({ length: 5 }, (_, i) => `${i}.${'a'.repeat(50)}`) } }),
    ['spec.dnsConfig.searches Invalid'],
  ],
  ['a runtime without a name', spec({ runtimeClassName: '' }), ['spec.runtimeClassName Invalid']],
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
