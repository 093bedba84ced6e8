import { type Creations, creations } from '../../write-tables.fixture.ts';
import { container, spec, withContainer } from './pod.fixture.ts';
import { pod } from './pod.ts';

const first = 'spec.containers[0]';

const claim = (name: string) => ({ name, persistentVolumeClaim: { claimName: name } });
const withVolumes = (volumes: object[], fields: object) => spec({ volumes, containers: [{ ...container, ...fields }] });
const environment = (valueFrom: object) => withContainer({ env: [{ name: 'V', valueFrom }] });
const field = (fieldPath: string, apiVersion = 'v1') => environment({ fieldRef: { apiVersion, fieldPath } });
const resource = (name: string, divisor?: string) => environment({ resourceFieldRef: { resource: name, divisor } });
const user = (runAsUserName: string) => spec({ securityContext: { windowsOptions: { runAsUserName } } });
const spread = (fields: object) => ({
  maxSkew: 1,
  topologyKey: 'zone',
  whenUnsatisfiable: 'DoNotSchedule',
  ...fields,
});
const onNodes = (requirement: object) =>
  spec({
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields: [requirement] }] },
      },
    },
  });
const nodeField =
  'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0]';
const windows = 'spec.securityContext.windowsOptions.runAsUserName';

const mounts: Creations = [
  [
    'a mount that shows its own mounts to others',
    withVolumes([{ name: 'v', emptyDir: {} }], {
      volumeMounts: [{ name: 'v', mountPath: '/v', mountPropagation: 'Bidirectional' }],
    }),
    [`${first}.volumeMounts.mountPropagation Forbidden`],
  ],
  [
    'such a mount of a privileged container',
    withVolumes([{ name: 'v', emptyDir: {} }], {
      securityContext: { privileged: true },
      volumeMounts: [{ name: 'v', mountPath: '/v', mountPropagation: 'Bidirectional' }],
    }),
    [],
  ],
  [
    'a device twice, and two at one path',
    withVolumes([claim('a'), claim('b')], {
      volumeDevices: [
        { name: 'a', devicePath: '/a' },
        { name: 'a', devicePath: '/other' },
        { name: 'b', devicePath: '/a' },
      ],
    }),
    [`${first}.volumeDevices[1].name Invalid`, `${first}.volumeDevices[2].devicePath Invalid`],
  ],
  [
    'a device that is no claim',
    withVolumes([{ name: 'v', emptyDir: {} }], { volumeDevices: [{ name: 'v', devicePath: '/v' }] }),
    [`${first}.volumeDevices[0].name Invalid`],
  ],
];

const target = { targetPortal: 'p'.repeat(60), iqn: 'iqn.2020-01.com.example:a' };
const claimOfItsOwn = {
  volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } } } },
};

const volumes: Creations = [
  ['a target that is far away', spec({ volumes: [{ name: 'long', iscsi: target }] }), []],
  [
    'a target with an initiator of its own, and a name of 64 letters with it',
    spec({ volumes: [{ name: 'abc', iscsi: { ...target, initiatorName: target.iqn } }] }),
    [],
  ],
  [
    'and one of 65',
    spec({ volumes: [{ name: 'abcd', iscsi: { ...target, initiatorName: target.iqn } }] }),
    ['spec.volumes[0].name Invalid'],
  ],
  [
    'the claim that another volume makes',
    spec({ volumes: [{ name: 'v', ephemeral: claimOfItsOwn }, claim('x-v'), claim('x-w')] }),
    ['spec.volumes[1].persistentVolumeClaim.claimName Invalid'],
  ],
  [
    'the token of nobody',
    spec({
      serviceAccountName: '',
      volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } }],
    }),
    ['spec.volumes[0].projected.sources[0].serviceAccountToken Forbidden'],
  ],
  [
    'the token of somebody',
    spec({
      serviceAccountName: 'a',
      volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } }],
    }),
    [],
  ],
  [
    'huge pages of a size that is not whole',
    withContainer({ resources: { limits: { cpu: '1', 'hugepages-1500m': '4' } } }),
    [`${first}.resources.limits[hugepages-1500m] Invalid`, `${first}.resources.requests[hugepages-1500m] Invalid`],
  ],
];

const references: Creations = [
  ['a field of no version', field('metadata.name', ''), []],
  ['a label by its key', field("metadata.labels['a.b/c']"), []],
  ['an annotation by a key in capitals', field("metadata.annotations['A.B/c']"), []],
  ['a label by a key that is none', field("metadata.labels['a b']"), [`${first}.env[0].valueFrom.fieldRef Invalid`]],
  [
    'a field of another version',
    field('metadata.name', 'v2'),
    [`${first}.env[0].valueFrom.fieldRef.fieldPath Invalid`],
  ],
  ['a limit of processor time in thousandths', resource('limits.cpu', '1m'), []],
  ['a limit of memory in megabytes', resource('limits.memory', '1Mi'), []],
  [
    'a limit of memory in thousandths',
    resource('limits.memory', '1m'),
    [`${first}.env[0].valueFrom.resourceFieldRef.divisor Invalid`],
  ],
  [
    'a limit of processor time in thousands',
    resource('requests.cpu', '1k'),
    [`${first}.env[0].valueFrom.resourceFieldRef.divisor Invalid`],
  ],
];

const scheduling: Creations = [
  ['a node by its name', onNodes({ key: 'metadata.name', operator: 'In', values: ['n'] }), []],
  [
    'a node by a name that none can have',
    onNodes({ key: 'metadata.name', operator: 'In', values: ['N_'] }),
    [`${nodeField}.values[0] Invalid`],
  ],
  [
    'two nodes by name',
    onNodes({ key: 'metadata.name', operator: 'In', values: ['a', 'b'] }),
    [`${nodeField}.values Required`],
  ],
  [
    'neighbours in a namespace that there cannot be',
    spec({
      affinity: {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone', namespaces: ['N_'] }],
        },
      },
    }),
    ['spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].namespace Invalid'],
  ],
  [
    'one way to spread twice',
    spec({ topologySpreadConstraints: [spread({}), spread({ maxSkew: 2 }), spread({ topologyKey: 'host' })] }),
    ['spec.topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable} Duplicate'],
  ],
];

const names: Creations = [
  [
    'own name servers, and none of them',
    spec({ dnsPolicy: 'None', dnsConfig: { searches: ['a.example'] } }),
    ['spec.dnsConfig.nameservers Required'],
  ],
  [
    'own name servers, none of them, and what is then not told',
    spec({ dnsPolicy: 'None', dnsConfig: { searches: ['b_'], options: [{}] } }),
    ['spec.dnsConfig.nameservers Required'],
  ],
  [
    'a choice of pods to displace that says nothing',
    spec({ preemptionPolicy: '' }),
    ['spec.preemptionPolicy Required'],
  ],
  [
    'seven names to search in',
    spec({ dnsConfig: { searches: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] } }),
    ['spec.dnsConfig.searches Invalid'],
  ],
  [
    'a name to search in that is none',
    spec({ dnsConfig: { searches: ['a.', 'b_'] } }),
    ['spec.dnsConfig.searches[1] Invalid'],
  ],
  [
    'a name of a host that is none',
    spec({ hostAliases: [{ ip: '127.0.0.1', hostnames: ['a', 'B_'] }] }),
    ['spec.hostAliases.hostnames Invalid'],
  ],
];

const security: Creations = [
  [
    'rights that are not to be had',
    withContainer({ securityContext: { allowPrivilegeEscalation: false, capabilities: { add: ['CAP_SYS_ADMIN'] } } }),
    [`${first}.securityContext Invalid`],
  ],
  ['a user of a domain', user('a.example\\somebody'), []],
  ['a user of an old domain', user('OFFICE\\some body'), []],
  ['a user with a control character', user('some\u0007body'), [`${windows} Invalid`]],
  ['a user of a domain that is none', user('a/b\\somebody'), [`${windows} Invalid`]],
  ['a domain without a user', user('a.example\\'), [`${windows} Invalid`]],
];

creations(pod, [...mounts, ...volumes, ...references, ...scheduling, ...names, ...security]);
