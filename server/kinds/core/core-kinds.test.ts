import { describe, expect, test } from 'vitest';
import { creations, type Reached, updates } from '../trial-tables.ts';
import { sample, tryCreate } from '../trial-write.ts';
import { configMap } from './config-map.ts';
import { endpoints } from './endpoints.ts';
import { limitRange } from './limit-range.ts';
import { node } from './node.ts';
import { persistentVolume } from './persistent-volume.ts';
import { persistentVolumeClaim } from './persistent-volume-claim.ts';
import { podTemplate } from './pod-template.ts';
import { replicationController } from './replication-controller.ts';
import { resourceQuota } from './resource-quota.ts';
import { secret } from './secret.ts';
import { serviceAccount } from './service-account.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const mebibyte = 1_048_576;

describe('ConfigMap', () => {
  creations(configMap, [
    ['nothing', {}, []],
    ['good keys', { data: { 'a.b_c-D': 'x' }, binaryData: { b: 'AA==' } }, []],
    ['a key in both', { data: { same: 'x' }, binaryData: { same: 'AA==' } }, ['data[same] Invalid']],
    ['bad keys', { data: { 'a b': '', '..x': '' } }, ['data[a b] Invalid', 'data[..x] Invalid']],
    ['as much as fits', { data: { a: 'x'.repeat(mebibyte) } }, []],
    ['too much in all', { data: { a: 'x'.repeat(mebibyte) }, binaryData: { b: 'AA==' } }, ['[] TooLong']],
    ['names that objects have anyway', { data: { constructor: 'x', toString: 'y' } }, []],
  ]);
  const frozen = { immutable: true, data: { a: '1' } };
  updates(configMap, [
    ['data', { data: { a: '1' } }, (next) => Object.assign(next, { data: { a: '2' } }), []],
    ['made immutable', { data: { a: '1' } }, (next) => Object.assign(next, { immutable: true }), []],
    ['labels of an immutable one', frozen, (next) => Object.assign(next.metadata, { labels: { a: 'b' } }), []],
    ['data of an immutable one', frozen, (next) => Object.assign(next, { data: { a: '2' } }), ['data Forbidden']],
    ['the flag taken away', frozen, (next) => Reflect.deleteProperty(next, 'immutable'), ['immutable Forbidden']],
  ]);
});

describe('Secret', () => {
  creations(secret, [
    ['nothing', {}, []],
    [
      'an account token of nobody',
      { type: 'kubernetes.io/service-account-token' },
      ['metadata.annotations[kubernetes.io/service-account.name] Required'],
    ],
    ['a registry without its key', { type: 'kubernetes.io/dockerconfigjson' }, ['data[.dockerconfigjson] Required']],
    [
      'a registry that is no JSON',
      { type: 'kubernetes.io/dockercfg', data: { '.dockercfg': base64('x') } },
      ['data[.dockercfg] Invalid'],
    ],
    ['a registry', { type: 'kubernetes.io/dockercfg', data: { '.dockercfg': base64('{}') } }, []],
    [
      'a login with neither',
      { type: 'kubernetes.io/basic-auth' },
      ['data[username] Required', 'data[password] Required'],
    ],
    ['a login with one', { type: 'kubernetes.io/basic-auth', stringData: { password: 'p' } }, []],
    ['a shell without key', { type: 'kubernetes.io/ssh-auth' }, ['data[ssh-privatekey] Required']],
    [
      'a certificate without its parts',
      { type: 'kubernetes.io/tls' },
      ['data[tls.crt] Required', 'data[tls.key] Required'],
    ],
    ['a certificate of nothing', { type: 'kubernetes.io/tls', data: { 'tls.crt': '', 'tls.key': '' } }, []],
    ['a bad key', { data: { 'a b': '' } }, ['data[a b] Invalid']],
    ['too much', { data: { a: base64('x'.repeat(mebibyte + 1)) } }, ['data TooLong']],
  ]);
  updates(secret, [
    ['another type', {}, (next) => Object.assign(next, { type: 'example.com/other' }), ['type Invalid']],
    [
      'an immutable one',
      { immutable: true, data: { a: 'AA==' } },
      (next) => Object.assign(next, { data: {}, immutable: false }),
      ['immutable Forbidden', 'data Forbidden'],
    ],
  ]);

  test('texts win over data and are not kept', async () => {
    const fields = { data: { a: base64('one') }, stringData: { a: 'two', b: 'three' } };
    const { object } = await tryCreate(secret, sample(secret, fields));
    expect(object).toMatchObject({ type: 'Opaque', data: { a: base64('two'), b: base64('three') } });
    expect(object).not.toHaveProperty('stringData');
  });

  test('is found by its type', () => {
    expect(secret.selectable?.type?.(sample(secret, { type: 'Opaque' }))).toBe('Opaque');
  });
});

describe('Endpoints', () => {
  const subset = (fields: object) => ({ subsets: [fields] });
  creations(endpoints, [
    ['nothing', {}, []],
    ['nobody in it', subset({ ports: [{ port: 1 }] }), ['subsets[0] Required']],
    ['no address', subset({ addresses: [{ ip: 'x' }] }), ['subsets[0].addresses[0].ip Invalid']],
    [
      'an address of the machine itself',
      subset({ notReadyAddresses: [{ ip: '127.0.0.1' }] }),
      ['subsets[0].notReadyAddresses[0].ip Invalid'],
    ],
    [
      'ports without name, number, protocol',
      subset({ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 0 }, { name: 'a', port: 1, protocol: 'X' }] }),
      [
        'subsets[0].ports[0].name Required',
        'subsets[0].ports[0].port Invalid',
        'subsets[0].ports[1].protocol NotSupported',
      ],
    ],
  ]);

  test.each([
    ['none', [], '<none>'],
    [
      'each with its port',
      [{ addresses: [{ ip: '10.0.0.1' }, { ip: '10.0.0.2' }], ports: [{ port: 80 }] }],
      '10.0.0.1:80,10.0.0.2:80',
    ],
    [
      'the first three',
      [{ addresses: [1, 2, 3, 4, 5].map((last) => ({ ip: `10.0.0.${last}` })) }],
      '10.0.0.1,10.0.0.2,10.0.0.3 + 2 more...',
    ],
  ])('the table shows %s', (_title, subsets, text) => {
    expect(endpoints.table?.cells(sample(endpoints, { subsets }), 0)[1]).toBe(text);
  });
});

describe('LimitRange', () => {
  const limits = (...items: object[]) => ({ spec: { limits: items } });
  creations(limitRange, [
    ['what fits', limits({ type: 'Container', min: { cpu: '100m' }, max: { cpu: '1' }, default: { cpu: '500m' } }), []],
    [
      'a least above the most, and so the defaults',
      limits({ type: 'Container', min: { cpu: '2' }, max: { cpu: '1' } }),
      [
        'spec.limits[0].min[cpu] Invalid',
        'spec.limits[0].defaultRequest[cpu] Invalid',
        'spec.limits[0].default[cpu] Invalid',
      ],
    ],
    [
      'a default above the most',
      limits({ type: 'Container', max: { cpu: '1' }, default: { cpu: '3' } }),
      ['spec.limits[0].defaultRequest[cpu] Invalid', 'spec.limits[0].default[cpu] Invalid'],
    ],
    ['an unknown type', limits({ type: 'Thing' }), ['spec.limits[0].type Invalid']],
    ['a type twice', limits({ type: 'Pod' }, { type: 'Pod' }), ['spec.limits[1].type Duplicate']],
    ['defaults of pods', limits({ type: 'Pod', default: { cpu: '1' } }), ['spec.limits[0].default Forbidden']],
    [
      'a claim without storage',
      limits({ type: 'PersistentVolumeClaim', min: { cpu: '1' } }),
      ['spec.limits[0].limits Required'],
    ],
    [
      'a ratio below one',
      limits({ type: 'Container', maxLimitRequestRatio: { cpu: '500m' } }),
      ['spec.limits[0].maxLimitRequestRatio[cpu] Invalid'],
    ],
    [
      'a ratio that the bounds do not allow',
      limits({ type: 'Container', min: { cpu: '1' }, max: { cpu: '2' }, maxLimitRequestRatio: { cpu: '3' } }),
      ['spec.limits[0].maxLimitRequestRatio[cpu] Invalid'],
    ],
  ]);

  test('defaults follow from what is given', async () => {
    const item = {
      type: 'Container',
      min: { cpu: '100m', memory: '1Mi' },
      max: { cpu: '1' },
      defaultRequest: { cpu: '200m' },
    };
    const { object } = await tryCreate(limitRange, sample(limitRange, limits(item)));
    expect(object).toMatchObject(limits({ default: { cpu: '1' }, defaultRequest: { cpu: '200m', memory: '1Mi' } }));
  });
});

describe('ResourceQuota', () => {
  const hard = (amounts: object, more: object = {}) => ({ spec: { hard: amounts, ...more } });
  creations(resourceQuota, [
    [
      'objects and amounts',
      hard({ pods: '1', 'requests.cpu': '500m', 'count/secrets': '2', 'requests.example.com/gpu': '1' }),
      [],
    ],
    ['less than nothing', hard({ pods: '-1' }), ['spec.hard[pods] Invalid']],
    ['half an object', hard({ pods: '1500m' }), ['spec.hard[pods] Invalid']],
    ['unknown things', hard({ things: '1' }), ['spec.hard[things] Invalid', 'spec.hard[things] Invalid']],
    [
      'scopes against each other',
      hard({ pods: '1' }, { scopes: ['BestEffort', 'NotBestEffort'] }),
      ['spec.scopes Invalid'],
    ],
    ['an unknown scope', hard({ pods: '1' }, { scopes: ['Best'] }), ['spec.scopes Invalid']],
    ['a scope that only counts', hard({ cpu: '1' }, { scopes: ['BestEffort'] }), ['spec.scopes Invalid']],
    [
      'a selector without values',
      hard({ pods: '1' }, { scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In' }] } }),
      ['spec.scopeSelector.matchExpressions.values Required'],
    ],
  ]);
  updates(resourceQuota, [
    ['amounts', hard({ pods: '1' }), (next) => Object.assign(next.spec.hard, { pods: '2' }), []],
    [
      'scopes',
      hard({ pods: '1' }),
      (next) => Object.assign(next.spec, { scopes: ['Terminating'] }),
      ['spec.scopes Invalid'],
    ],
    [
      'what is used, less than nothing',
      hard({ pods: '1' }),
      (next) => Object.assign(next, { status: { used: { pods: '-1' } } }),
      ['status.used[pods] Invalid'],
      'status',
    ],
  ]);
});

describe('Node', () => {
  const taint = { key: 'k', effect: 'NoSchedule' };
  creations(node, [
    ['nothing', {}, []],
    ['a taint twice', { spec: { taints: [taint, { ...taint, value: 'v' }] } }, ['metadata.taints[1] Duplicate']],
    ['a taint without key', { spec: { taints: [{ effect: 'NoExecute' }] } }, ['metadata.taints[0].key Required']],
    ['a bad range', { spec: { podCIDR: '10.9.0.0' } }, ['spec.podCIDRs[0] Invalid']],
    ['two ranges of a family', { spec: { podCIDRs: ['10.9.0.0/24', '10.8.0.0/24'] } }, ['spec.podCIDRs Invalid']],
  ]);
  const stored = { spec: { podCIDR: '10.9.0.0/24', providerID: 'a' } };
  updates(node, [
    ['cordoned', stored, (next) => Object.assign(next.spec, { unschedulable: true }), []],
    [
      'another range',
      stored,
      (next) => Object.assign(next.spec, { podCIDR: '10.8.0.0/24', podCIDRs: ['10.8.0.0/24'] }),
      ['spec.podCIDRs Forbidden'],
    ],
    [
      'another provider',
      stored,
      (next) => Object.assign(next.spec, { providerID: 'b' }),
      ['spec.providerID Forbidden'],
    ],
    [
      'an unknown effect, told twice',
      stored,
      (next) => Object.assign(next.spec, { taints: [{ key: 'k', effect: 'Never' }] }),
      ['metadata.taints[0].effect NotSupported', 'metadata.taints[0].effect NotSupported'],
    ],
    [
      'an address twice',
      stored,
      (next) =>
        Object.assign(next, {
          status: {
            addresses: [
              { type: 'A', address: 'a' },
              { type: 'A', address: 'a' },
            ],
          },
        }),
      ['status.addresses[1] Duplicate'],
      'status',
    ],
  ]);

  test('what it has may be used, and all of its facts are there', async () => {
    const { object } = await tryCreate(node, sample(node, { ...stored, status: { capacity: { cpu: '4' } } }));
    expect(object).toMatchObject({
      spec: { podCIDRs: ['10.9.0.0/24'] },
      status: {
        allocatable: { cpu: '4' },
        nodeInfo: { kubeletVersion: '' },
        daemonEndpoints: { kubeletEndpoint: { Port: 0 } },
      },
    });
  });

  test.each<[string, object, unknown[]]>([
    ['nobody knows', {}, ['Unknown', '<none>']],
    [
      'ready, but closed',
      { spec: { unschedulable: true }, status: { conditions: [{ type: 'Ready', status: 'True' }] } },
      ['Ready,SchedulingDisabled', '<none>'],
    ],
    [
      'a worker',
      {
        metadata: { name: 'x', labels: { 'node-role.kubernetes.io/worker': '' } },
        status: { conditions: [{ type: 'Ready', status: 'False' }] },
      },
      ['NotReady', 'worker'],
    ],
  ])('the table: %s', (_title, fields, cells) => {
    expect(node.table?.cells({ ...sample(node), ...fields }, 0).slice(1, 3)).toEqual(cells);
  });
});

describe('PersistentVolumeClaim', () => {
  const claim = (fields: object = {}) => ({
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...fields },
  });
  creations(persistentVolumeClaim, [
    ['what it needs', claim(), []],
    ['no modes', claim({ accessModes: [] }), ['spec.accessModes Required']],
    ['an unknown mode', claim({ accessModes: ['ReadSometimes'] }), ['spec.accessModes NotSupported']],
    ['no size', claim({ resources: {} }), ['spec.resources[storage] Required']],
    ['no size to speak of', claim({ resources: { requests: { storage: '0' } } }), ['spec.resources[storage] Invalid']],
    ['an unknown form', claim({ volumeMode: 'Tape' }), ['spec.volumeMode NotSupported']],
    ['a bad class', claim({ storageClassName: 'A b' }), ['spec.storageClassName Invalid']],
  ]);
  const resize = (storage: string) => (next: Reached) => Object.assign(next.spec.resources.requests, { storage });
  updates(persistentVolumeClaim, [
    ['bound to its volume', claim(), (next) => Object.assign(next.spec, { volumeName: 'v' }), []],
    ['other modes', claim(), (next) => Object.assign(next.spec, { accessModes: ['ReadOnlyMany'] }), ['spec Forbidden']],
    ['more, before it is bound', claim(), resize('2Gi'), ['spec Forbidden']],
    ['more, once bound', { ...claim(), status: { phase: 'Bound' } }, resize('2Gi'), []],
    [
      'less, once bound',
      { ...claim(), status: { phase: 'Bound' } },
      resize('1Mi'),
      ['spec.resources.requests.storage Forbidden'],
    ],
  ]);
});

describe('PersistentVolume', () => {
  const volume = (fields: object = {}) => ({
    spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/data' }, ...fields },
  });
  creations(persistentVolume, [
    ['what it needs', volume(), []],
    ['no capacity', volume({ capacity: {} }), ['spec.capacity Required']],
    ['two sources', volume({ nfs: { server: 's', path: '/p' } }), ['spec.nfs Forbidden']],
    ['a local disk of no node', volume({ hostPath: undefined, local: { path: '/d' } }), ['spec.nodeAffinity Required']],
    [
      'an unknown policy',
      volume({ persistentVolumeReclaimPolicy: 'Burn' }),
      ['spec.persistentVolumeReclaimPolicy NotSupported'],
    ],
    [
      'the whole disk to be recycled',
      volume({ hostPath: { path: '/' }, persistentVolumeReclaimPolicy: 'Recycle' }),
      ['spec.persistentVolumeReclaimPolicy Forbidden'],
    ],
  ]);
  updates(persistentVolume, [
    ['another policy', volume(), (next) => Object.assign(next.spec, { persistentVolumeReclaimPolicy: 'Delete' }), []],
    [
      'another source',
      volume(),
      (next) => Object.assign(next.spec, { hostPath: { path: '/other' } }),
      ['spec.persistentvolumesource Forbidden'],
    ],
    [
      'another form',
      volume(),
      (next) => Object.assign(next.spec, { volumeMode: 'Block' }),
      ['spec.volumeMode Invalid'],
    ],
  ]);
});

describe('ReplicationController', () => {
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  creations(replicationController, [
    ['a template alone', { spec: { template } }, []],
    ['nothing', {}, ['spec.selector Required', 'spec.template Required']],
    [
      'a selector of other pods',
      { spec: { template, selector: { a: 'z' } } },
      ['spec.template.metadata.labels Invalid'],
    ],
    [
      'pods that end',
      { spec: { template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } } } },
      ['spec.template.spec.restartPolicy NotSupported'],
    ],
  ]);

  test('selector and labels follow from the template', async () => {
    const { object } = await tryCreate(replicationController, sample(replicationController, { spec: { template } }));
    expect(object).toMatchObject({
      metadata: { labels: { a: 'b' } },
      spec: { replicas: 1, selector: { a: 'b' } },
      status: { replicas: 0 },
    });
  });
});

describe('PodTemplate', () => {
  creations(podTemplate, [['no containers', {}, ['template.spec.containers Required']]]);
});

test('a service account is counted by its secrets', () => {
  expect(serviceAccount.table?.cells(sample(serviceAccount, { secrets: [{ name: 's' }] }), 0)[1]).toBe(1);
});
