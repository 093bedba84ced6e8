import { beforeEach, describe, expect, it } from 'vitest';
import type { LimitRangeItem } from '../../../kinds/core/limit-range.ts';
import type { Pod, ResourceRequirements } from '../../../kinds/core/pod/shape.ts';
import type { AdmissionAttributes } from '../../admission.ts';
import { admitted, attributesFor, type PluginWorld, pluginWorld } from '../plugins.fixture.ts';
import { limitRanger } from './limit-ranger.ts';

let world: PluginWorld;
beforeEach(async () => {
  world = await pluginWorld();
});

const range = (name: string, ...limits: LimitRangeItem[]) =>
  world.put('limitranges', { metadata: { name, namespace: 'ns' }, spec: { limits } });

const container = (name: string, resources?: ResourceRequirements) => ({ name, ...(resources && { resources }) });
const podWith = (spec: object) => ({ metadata: { name: 'p', namespace: 'ns' }, spec });
const pod = (...resources: (ResourceRequirements | undefined)[]) =>
  podWith({ containers: resources.map((each, index) => container(`c${index}`, each)) });

const write = (object: object, resource = 'pods', more: Partial<AdmissionAttributes> = {}) =>
  admitted(limitRanger(world), attributesFor(resource, object as never, more));
const refusal = async (object: object, resource = 'pods') => (await write(object, resource)).refusal?.message;

describe('defaults', () => {
  const fillers = { type: 'Container', default: { cpu: '500m', memory: '64Mi' }, defaultRequest: { cpu: '100m' } };

  it('fill what containers leave open, and an annotation tells', async () => {
    await range('r', fillers);
    const { object } = await write(
      podWith({
        containers: [container('a'), container('b', { limits: { cpu: '1' }, requests: { cpu: '1' } })],
        initContainers: [container('i', { requests: { cpu: '1m' } })],
      }),
    );
    const { spec, metadata } = object as Pod;
    expect(spec?.containers?.map(({ resources }) => resources)).toEqual([
      { limits: { cpu: '500m', memory: '64Mi' }, requests: { cpu: '100m' } },
      { limits: { cpu: '1', memory: '64Mi' }, requests: { cpu: '1' } },
    ]);
    expect(metadata.annotations?.['kubernetes.io/limit-ranger']).toBe(
      'LimitRanger plugin set: cpu request for container a; cpu, memory limit for container a; ' +
        'memory limit for container b; cpu, memory limit for init container i',
    );
  });

  it('leave a pod alone that states everything, or that nobody limits', async () => {
    await range('r', fillers);
    const full = pod({ limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '1' } });
    expect((await write(full)).object).toMatchObject({ metadata: { name: 'p' }, spec: full.spec });
    const elsewhere = await write(pod(undefined), 'pods', { namespace: 'other' });
    expect((elsewhere.object as Pod).spec?.containers).toEqual([{ name: 'c0' }]);
  });

  it('come from each range in order of names, the first that has one', async () => {
    await range('b', { type: 'Container', default: { cpu: '2' } });
    await range('a', { type: 'Container', default: { cpu: '1' } });
    const { object } = await write(pod(undefined));
    expect((object as Pod).spec?.containers?.[0]?.resources?.limits).toEqual({ cpu: '1' });
  });
});

describe('bounds of containers', () => {
  const cases: [string, LimitRangeItem, ResourceRequirements | undefined, string | undefined][] = [
    ['a request at the minimum', { min: { cpu: '100m' } }, { requests: { cpu: '0.1' } }, undefined],
    ['no request', { min: { cpu: '100m' } }, {}, 'minimum cpu usage per Container is 100m.  No request is specified'],
    [
      'a low request',
      { min: { cpu: '100m' } },
      { requests: { cpu: '99m' } },
      'minimum cpu usage per Container is 100m, but request is 99m',
    ],
    [
      'a low limit',
      { min: { cpu: '1' } },
      { requests: { cpu: '1' }, limits: { cpu: '500m' } },
      'minimum cpu usage per Container is 1, but limit is 500m',
    ],
    ['a limit at the maximum', { max: { memory: '1Gi' } }, { limits: { memory: '1024Mi' } }, undefined],
    [
      'no limit',
      { max: { memory: '1Gi' } },
      undefined,
      'maximum memory usage per Container is 1Gi.  No limit is specified',
    ],
    [
      'a high limit',
      { max: { memory: '1Gi' } },
      { limits: { memory: '2Gi' } },
      'maximum memory usage per Container is 1Gi, but limit is 2Gi',
    ],
    [
      'a high request',
      { max: { cpu: '1' } },
      { limits: { cpu: '1' }, requests: { cpu: '2' } },
      'maximum cpu usage per Container is 1, but request is 2',
    ],
    [
      'a fair ratio',
      { maxLimitRequestRatio: { cpu: '2' } },
      { limits: { cpu: '2' }, requests: { cpu: '1' } },
      undefined,
    ],
    [
      'a high ratio',
      { maxLimitRequestRatio: { cpu: '2' } },
      { limits: { cpu: '500m' }, requests: { cpu: '200m' } },
      'cpu max limit to request ratio per Container is 2, but provided ratio is 2.500000',
    ],
    [
      'a request of nothing',
      { maxLimitRequestRatio: { cpu: '2' } },
      { limits: { cpu: '1' }, requests: { cpu: '0' } },
      'cpu max limit to request ratio per Container is 2, but no request is specified or request is 0',
    ],
    [
      'a limit of nothing',
      { maxLimitRequestRatio: { cpu: '2' } },
      { requests: { cpu: '1' } },
      'cpu max limit to request ratio per Container is 2, but no limit is specified or limit is 0',
    ],
    [
      'a ratio beyond any number',
      { maxLimitRequestRatio: { cpu: '2' } },
      { limits: { cpu: '9E' }, requests: { cpu: '1n' } },
      'cpu max limit to request ratio per Container is 2, but provided ratio is 9000000000000000000000000000.000000',
    ],
  ];
  it.each(cases)('%s', async (_, item, resources, expected) => {
    await range('r', { type: 'Container', ...item });
    expect(await refusal(pod(resources))).toBe(expected && `pods "p" is forbidden: ${expected}`);
  });

  it('are told of all together, each once', async () => {
    await range('r', { type: 'Container', min: { cpu: '1' }, max: { memory: '1Gi' } });
    const both = { requests: { cpu: '1m', memory: '2Gi' }, limits: { memory: '2Gi' } };
    expect(await refusal(pod(both, both))).toBe(
      'pods "p" is forbidden: [minimum cpu usage per Container is 1, but request is 1m, maximum memory usage per Container is 1Gi, but limit is 2Gi]',
    );
  });

  it('hold for init containers too', async () => {
    await range('r', { type: 'Container', min: { cpu: '1' } });
    const spec = { containers: [container('c', { requests: { cpu: '1' } })], initContainers: [container('i')] };
    expect(await refusal(podWith(spec))).toContain('No request is specified');
  });
});

describe('bounds of pods', () => {
  const sums = (first: string, second: string, init: string) =>
    podWith({
      containers: [first, second].map((cpu) => container('c', { requests: { cpu }, limits: { cpu } })),
      initContainers: [container('i', { requests: { cpu: init }, limits: { cpu: init } })],
    });

  it.each([
    ['containers together', sums('500m', '500m', '1m'), undefined],
    ['containers together, too much', sums('600m', '600m', '1m'), 'maximum cpu usage per Pod is 1, but limit is 1200m'],
    ['an init container alone, too much', sums('1m', '1m', '3'), 'maximum cpu usage per Pod is 1, but limit is 3'],
  ])('count %s', async (_, object, expected) => {
    await range('r', { type: 'Pod', max: { cpu: '1' } });
    expect(await refusal(object)).toBe(expected && `pods "p" is forbidden: ${expected}`);
  });

  it.each([
    [
      'is the bound of a pod with a silent container broken',
      {},
      'maximum cpu usage per Pod is 1.  No limit is specified',
    ],
    [
      'counts what an init container says',
      { initContainers: [container('i', { limits: { cpu: '500m' } })] },
      undefined,
    ],
  ])('%s', async (_, more, expected) => {
    await range('r', { type: 'Pod', max: { cpu: '1' } });
    const containers = [container('c', { limits: { cpu: '100m' } }), container('d', { limits: { memory: '1Gi' } })];
    expect(await refusal(podWith({ containers, ...more }))).toBe(expected && `pods "p" is forbidden: ${expected}`);
  });
});

describe('bounds of claims', () => {
  const claim = (storage?: string, more = {}) => ({
    metadata: { name: 'c', namespace: 'ns', ...more },
    spec: { resources: storage ? { requests: { storage } } : {} },
  });

  it.each([
    ['2Gi', undefined],
    ['500Mi', 'minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 500Mi'],
    ['6Gi', 'maximum storage usage per PersistentVolumeClaim is 5Gi, but request is 6Gi'],
  ])('judge %s', async (storage, expected) => {
    await range('r', { type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '5Gi' } });
    expect(await refusal(claim(storage), 'persistentvolumeclaims')).toBe(
      expected && `persistentvolumeclaims "c" is forbidden: ${expected}`,
    );
  });

  it('hold for updates, but not of a claim that is being deleted', async () => {
    await range('r', { type: 'PersistentVolumeClaim', max: { storage: '1Gi' } });
    const grown = (more = {}) =>
      write(claim('2Gi', more), 'persistentvolumeclaims', { oldObject: claim('1Gi') as never });
    expect((await grown()).refusal?.code).toBe(403);
    expect((await grown({ deletionTimestamp: '2022-08-23T00:00:00Z' })).refusal).toBeUndefined();
  });
});

it('lets pods that exist change after the range shrank', async () => {
  await range('r', { type: 'Container', max: { cpu: '1m' } });
  const old = pod({ limits: { cpu: '1' } });
  expect((await write(old, 'pods', { oldObject: old as never })).refusal).toBeUndefined();
  expect((await write(old, 'pods', { subresource: 'status' })).refusal).toBeUndefined();
});
