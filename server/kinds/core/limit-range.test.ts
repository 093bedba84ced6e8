import { describe, expect, test } from 'vitest';
import { sample, tryCreate } from '../kind-write.fixture.ts';
import { creations } from '../write-tables.fixture.ts';
import { limitRange } from './limit-range.ts';

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
    [
      'defaults of pods, which are not compared with anything',
      limits({ type: 'Pod', max: { cpu: '1' }, default: { cpu: '2' }, defaultRequest: { cpu: '3' } }),
      ['spec.limits[0].default Forbidden', 'spec.limits[0].defaultRequest Forbidden'],
    ],
    ['defaults of pods', limits({ type: 'Pod', default: { cpu: '1' } }), ['spec.limits[0].default Forbidden']],
    [
      'a claim without storage',
      limits({ type: 'PersistentVolumeClaim', min: { cpu: '1' } }),
      ['spec.limits[0].limits Required'],
    ],
    [
      'a claim with storage by default alone',
      limits({ type: 'PersistentVolumeClaim', default: { storage: '1' }, maxLimitRequestRatio: { storage: '2' } }),
      ['spec.limits[0].limits Required'],
    ],
    ['a claim with a least storage', limits({ type: 'PersistentVolumeClaim', min: { storage: '1' } }), []],
    [
      'a ratio below one',
      limits({ type: 'Container', maxLimitRequestRatio: { cpu: '500m' } }),
      ['spec.limits[0].maxLimitRequestRatio[cpu] Invalid'],
    ],
    [
      'a ratio beside a least amount that does not fit into 64 bits',
      limits({
        ...{ type: 'Container', min: { cpu: '9223372036854775808' }, max: { cpu: '2' } },
        maxLimitRequestRatio: { cpu: '3' },
      }),
      [
        'spec.limits[0].min[cpu] Invalid',
        'spec.limits[0].defaultRequest[cpu] Invalid',
        'spec.limits[0].default[cpu] Invalid',
      ],
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
