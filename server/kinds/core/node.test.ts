import { describe, expect, test } from 'vitest';
import { sample, tryCreate } from '../kind-write.fixture.ts';
import { creations, updates } from '../write-tables.fixture.ts';
import { node } from './node.ts';

describe('Node', () => {
  const taint = { key: 'k', effect: 'NoSchedule' };
  creations(node, [
    ['nothing', {}, []],
    ['a taint twice', { spec: { taints: [taint, { ...taint, value: 'v' }] } }, ['metadata.taints[1] Duplicate']],
    [
      'a taint without key',
      { spec: { taints: [{ effect: 'NoExecute' }] } },
      ['metadata.taints[0].key Invalid', 'metadata.taints[0].key Invalid'],
    ],
    ['a range that is told twice', { spec: { podCIDR: '10.1.0.0/24', podCIDRs: ['10.2.0.0/24'] } }, []],
    [
      'a range that is none beside another',
      { spec: { podCIDRs: ['10.9.0.0/24', 'x'] } },
      ['spec.podCIDRs[1] Invalid', 'spec.podCIDRs ror', 'spec.podCIDRs Invalid'],
    ],
    ['a bad range', { spec: { podCIDR: '10.9.0.0' } }, ['spec.podCIDRs[0] Invalid']],
    [
      'amounts that can be none',
      { status: { capacity: { cpu: '-1', pods: '1.5' }, allocatable: { memory: '-1Gi' } } },
      ['status.capacity.cpu Invalid', 'status.capacity.pods Invalid', 'status.allocatable.memory Invalid'],
    ],
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
    [
      'an amount below nothing',
      stored,
      (next) => Object.assign(next, { status: { capacity: { cpu: '-1' }, allocatable: {} } }),
      ['status.capacity.cpu Invalid'],
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
