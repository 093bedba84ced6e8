import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Quantities } from '../../../kinds/core/pod/shape.ts';
import type { ResourceQuota } from '../../../kinds/core/resource-quota.ts';
import type { AdmissionAttributes } from '../../admission.ts';
import { admitted, attributesFor, type PluginWorld, pluginWorld, type Sketch } from '../plugins.fixture.ts';
import { resourceQuota } from './resource-quota.ts';

let world: PluginWorld;
beforeEach(async () => {
  world = await pluginWorld();
});

const zeros = (hard: Quantities): Quantities => Object.fromEntries(Object.keys(hard).map((name) => [name, '0']));
const quota = (name: string, hard: Quantities, spec: object = {}, used = zeros(hard)) =>
  world.put('resourcequotas', { metadata: { name, namespace: 'ns' }, spec, status: { hard, used } });
const used = (name: string) => (world.followed.resourceQuotas.get('ns', name) as ResourceQuota).status?.used;

const write = (resource: string, sketch: Sketch, more: Partial<AdmissionAttributes> = {}) =>
  admitted(
    resourceQuota(world),
    attributesFor(resource, { ...sketch, metadata: { name: 'x', namespace: 'ns', ...sketch.metadata } }, more),
  );
const refusal = async (...given: Parameters<typeof write>) => (await write(...given)).refusal?.message;

const containers = (...all: [name: string, requests?: Quantities, limits?: Quantities][]) =>
  all.map(([name, requests, limits]) => ({
    name,
    resources: { ...(requests && { requests }), ...(limits && { limits }) },
  }));
const pod = (spec: object) => ({ spec });

describe('counts of objects', () => {
  it.each([
    ['secrets', 'secrets', { secrets: '1' }],
    ['secrets', 'count/secrets', { 'count/secrets': '1' }],
    ['leases.coordination.k8s.io', 'count/leases.coordination.k8s.io', { 'count/leases.coordination.k8s.io': '1' }],
    ['things.example.com', 'count/things.example.com', { 'count/things.example.com': '1' }],
    ['pods', 'pods', { pods: '1' }],
    ['services', 'services', { services: '1' }],
    ['persistentvolumeclaims', 'count/persistentvolumeclaims', { 'count/persistentvolumeclaims': '1' }],
  ])('of %s by %s', async (resource, name, hard) => {
    await quota('q', hard);
    expect(await refusal(resource, {})).toBeUndefined();
    expect(used('q')).toEqual({ [name]: '1' });
    expect((await write(resource, {})).refusal).toMatchObject({ code: 403, details: { name: 'x' } });
    expect(await refusal(resource, {})).toContain(
      `exceeded quota: q, requested: ${name}=1, used: ${name}=1, limited: ${name}=1`,
    );
    expect(used('q')).toEqual({ [name]: '1' });
  });

  it.each([
    ['another kind', 'configmaps', {}],
    ['a kind of the same name in another group', 'secrets.example.com', {}],
    ['an update', 'secrets', { oldObject: { metadata: {} } as never }],
    ['a subresource', 'secrets', { subresource: 'status' }],
    ['another namespace', 'secrets', { namespace: 'other' }],
    ['a delete', 'secrets', { operation: 'DELETE' as const, object: undefined }],
  ])('let %s pass and count nothing', async (_, resource, more) => {
    await quota('q', { secrets: '0' });
    expect(await refusal(resource, {}, more)).toBeUndefined();
    expect(used('q')).toEqual({ secrets: '0' });
  });

  it('check a dry run without counting it', async () => {
    await quota('q', { secrets: '1' });
    expect(await refusal('secrets', {}, { dryRun: true })).toBeUndefined();
    expect(used('q')).toEqual({ secrets: '0' });
    await write('secrets', {});
    expect((await write('secrets', {}, { dryRun: true })).refusal?.code).toBe(403);
  });

  it('never count events, which tell of what happens anyway', async () => {
    await quota('q', { 'count/events': '0', 'count/events.events.k8s.io': '0' });
    expect(await refusal('events', {})).toBeUndefined();
    expect(await refusal('events.events.k8s.io', {})).toBeUndefined();
  });

  it('enforce what stands in the status, not what the spec wishes', async () => {
    await world.put('resourcequotas', {
      metadata: { name: 'wish', namespace: 'ns' },
      spec: { hard: { secrets: '0' } },
    });
    expect(await refusal('secrets', {})).toBeUndefined();
  });

  it('refuse as long as the use is not known', async () => {
    await quota('q', { secrets: '5', 'count/secrets': '5' }, {}, {});
    expect(await refusal('secrets', {})).toBe(
      'secrets "x" is forbidden: status unknown for quota: q, resources: count/secrets,secrets',
    );
    expect(await refusal('configmaps', {})).toBeUndefined();
  });
});

describe('requests and limits of pods', () => {
  const hard = { pods: '3', 'requests.cpu': '1', 'limits.memory': '1Gi' };
  const asks = (cpu: string, memory: string) => pod({ containers: containers(['c', { cpu }, { memory }]) });

  it('must be stated where they are limited', async () => {
    await quota('q', hard);
    expect(
      await refusal(
        'pods',
        pod({ containers: containers(['c'], ['b']), initContainers: containers(['i', { cpu: '1m' }]) }),
      ),
    ).toBe('pods "x" is forbidden: failed quota: q: must specify limits.memory for: b,c,i; requests.cpu for: b,c');
    await quota('storage', { 'requests.ephemeral-storage': '1Gi' });
    await world.remove('resourcequotas', 'ns', 'q');
    expect(await refusal('pods', pod({ containers: containers(['c']) }))).toBeUndefined();
  });

  it('add up, are written canonically, and only what is short is told', async () => {
    await quota('q', hard);
    expect(await refusal('pods', asks('600m', '512Mi'))).toBeUndefined();
    expect(used('q')).toEqual({ pods: '1', 'requests.cpu': '600m', 'limits.memory': '512Mi' });
    expect(await refusal('pods', asks('600m', '256Mi'))).toBe(
      'pods "x" is forbidden: exceeded quota: q, requested: requests.cpu=600m, used: requests.cpu=600m, limited: requests.cpu=1',
    );
    expect(await refusal('pods', asks('600m', '1Gi'))).toBe(
      'pods "x" is forbidden: exceeded quota: q, requested: limits.memory=1Gi,requests.cpu=600m, used: limits.memory=512Mi,requests.cpu=600m, limited: limits.memory=1Gi,requests.cpu=1',
    );
    expect(await refusal('pods', asks('0.4', '512Mi'))).toBeUndefined();
    expect(used('q')).toEqual({ pods: '2', 'requests.cpu': '1', 'limits.memory': '1Gi' });
    expect(await refusal('pods', asks('0', '0'))).toBeUndefined();
  });

  it.each<[string, object, Quantities]>([
    ['both names of a request', { containers: containers(['c', { cpu: '1' }]) }, { cpu: '1', 'requests.cpu': '1' }],
    ['containers together', { containers: containers(['a', { cpu: '1' }], ['b', { cpu: '2' }]) }, { cpu: '3' }],
    [
      'a larger init container',
      { containers: containers(['a', { cpu: '1' }]), initContainers: containers(['i', { cpu: '5' }]) },
      { cpu: '5' },
    ],
    [
      'smaller init containers',
      {
        containers: containers(['a', { cpu: '3' }]),
        initContainers: containers(['i', { cpu: '2' }], ['j', { cpu: '2' }]),
      },
      { cpu: '3' },
    ],
    [
      'the overhead besides',
      { containers: containers(['a', { cpu: '1' }, { cpu: '2' }]), overhead: { cpu: '250m' } },
      { 'requests.cpu': '1250m', 'limits.cpu': '2250m' },
    ],
    [
      'devices',
      { containers: containers(['a', { 'example.com/gpu': '2' }, { 'example.com/gpu': '2' }]) },
      { 'requests.example.com/gpu': '2' },
    ],
    [
      'large pages',
      { containers: containers(['a', { 'hugepages-2Mi': '4Mi', cpu: '1' }]) },
      { 'hugepages-2Mi': '4Mi', 'requests.hugepages-2Mi': '4Mi' },
    ],
    [
      'storage of its own',
      { containers: containers(['a', { 'ephemeral-storage': '1Gi' }, { 'ephemeral-storage': '2Gi' }]) },
      { 'ephemeral-storage': '1Gi', 'limits.ephemeral-storage': '2Gi' },
    ],
  ])('count %s', async (_, spec, expected) => {
    await quota('q', Object.fromEntries(Object.keys(expected).map((name) => [name, '100Gi'])));
    expect(await refusal('pods', pod(spec))).toBeUndefined();
    expect(used('q')).toEqual(expected);
  });

  it('cannot be used to get something back', async () => {
    await quota('q', { 'requests.cpu': '1' });
    expect(await refusal('pods', pod({ containers: containers(['c', { cpu: '-1' }]) }))).toContain(
      'quota usage is negative for resource(s): cpu',
    );
  });
});

describe('scopes', () => {
  const bestEffort = { containers: containers(['c']) };
  const burstable = { containers: containers(['c', { cpu: '1' }]) };
  const high = { ...bestEffort, priorityClassName: 'high' };
  const classes = (operator: string, ...values: string[]) => ({
    scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator, values }] },
  });
  const near = (term: object) => ({
    ...bestEffort,
    affinity: {
      podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: term }] },
    },
  });

  it.each<[string, object, object, boolean]>([
    ['BestEffort', { scopes: ['BestEffort'] }, bestEffort, true],
    ['BestEffort', { scopes: ['BestEffort'] }, burstable, false],
    ['NotBestEffort', { scopes: ['NotBestEffort'] }, burstable, true],
    ['NotBestEffort', { scopes: ['NotBestEffort'] }, bestEffort, false],
    ['Terminating', { scopes: ['Terminating'] }, { ...bestEffort, activeDeadlineSeconds: 5 }, true],
    ['Terminating', { scopes: ['Terminating'] }, bestEffort, false],
    ['NotTerminating', { scopes: ['NotTerminating'] }, bestEffort, true],
    ['two scopes', { scopes: ['NotTerminating', 'BestEffort'] }, burstable, false],
    ['any class', { scopes: ['PriorityClass'] }, high, true],
    ['any class', { scopes: ['PriorityClass'] }, bestEffort, false],
    ['a class of a list', classes('In', 'high', 'low'), high, true],
    ['a class of a list', classes('In', 'low'), high, false],
    ['a class of a list', classes('In', 'low'), bestEffort, false],
    ['a class not of a list', classes('NotIn', 'high'), high, false],
    ['a class not of a list', classes('NotIn', 'high'), bestEffort, true],
    ['no class', classes('DoesNotExist'), bestEffort, true],
    ['no class', classes('DoesNotExist'), high, false],
    ['looking elsewhere', { scopes: ['CrossNamespacePodAffinity'] }, near({ namespaces: ['other'] }), true],
    ['looking elsewhere', { scopes: ['CrossNamespacePodAffinity'] }, near({ namespaceSelector: {} }), true],
    ['looking elsewhere', { scopes: ['CrossNamespacePodAffinity'] }, near({}), false],
    ['a scope that nobody knows', { scopes: ['Other'] }, bestEffort, false],
  ])('%s: %j is about %j: %s', async (_, spec, given, expected) => {
    await quota('q', { pods: '0' }, spec);
    expect((await write('pods', pod(given))).refusal !== undefined).toBe(expected);
  });

  it('are about pods alone', async () => {
    await quota('q', { secrets: '0' }, { scopes: ['NotTerminating'] });
    expect(await refusal('secrets', {})).toBeUndefined();
  });
});

describe('services', () => {
  const service = (spec: object) => ({ spec });
  const ports = [{ port: 80 }, { port: 81 }];
  const hard = { services: '9', 'services.nodeports': '9', 'services.loadbalancers': '9' };

  it.each<[string, object, string, string]>([
    ['ClusterIP', { type: 'ClusterIP', ports }, '0', '0'],
    ['NodePort', { type: 'NodePort', ports }, '2', '0'],
    ['LoadBalancer', { type: 'LoadBalancer', ports }, '2', '1'],
    [
      'LoadBalancer that asks for one port',
      { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false, ports: [...ports, { port: 82, nodePort: 30_000 }] },
      '1',
      '1',
    ],
  ])('of type %s', async (_, spec, nodePorts, balancers) => {
    await quota('q', hard);
    await write('services', service(spec));
    expect(used('q')).toEqual({ services: '1', 'services.nodeports': nodePorts, 'services.loadbalancers': balancers });
  });

  it('need quota for what an update adds', async () => {
    await quota('q', { 'services.nodeports': '1' });
    const old = service({ type: 'ClusterIP', ports }) as never;
    expect(
      await refusal('services', service({ type: 'NodePort', ports: [{ port: 80 }] }), { oldObject: old }),
    ).toBeUndefined();
    expect(used('q')).toEqual({ 'services.nodeports': '1' });
    expect(await refusal('services', service({ type: 'NodePort', ports }), { oldObject: old })).toContain(
      'requested: services.nodeports=2, used: services.nodeports=1, limited: services.nodeports=1',
    );
    expect(
      await refusal('services', service({ type: 'ClusterIP', ports }), {
        oldObject: service({ type: 'NodePort', ports }) as never,
      }),
    ).toBeUndefined();
  });
});

describe('claims', () => {
  const claim = (storage: string, storageClassName?: string) => ({
    spec: { resources: { requests: { storage } }, ...(storageClassName && { storageClassName }) },
  });
  const gold = 'gold.storageclass.storage.k8s.io';

  it('count in all and by class, and when they grow', async () => {
    const hard = {
      persistentvolumeclaims: '5',
      'requests.storage': '5Gi',
      [`${gold}/requests.storage`]: '2Gi',
      [`${gold}/persistentvolumeclaims`]: '1',
    };
    await quota('q', hard);
    await write('persistentvolumeclaims', claim('1Gi'));
    await write('persistentvolumeclaims', claim('1Gi', 'gold'));
    const now = {
      persistentvolumeclaims: '2',
      'requests.storage': '2Gi',
      [`${gold}/requests.storage`]: '1Gi',
      [`${gold}/persistentvolumeclaims`]: '1',
    };
    expect(used('q')).toEqual(now);
    expect(await refusal('persistentvolumeclaims', claim('512Mi', 'gold'))).toContain(
      `requested: ${gold}/persistentvolumeclaims=1,`,
    );
    await write('persistentvolumeclaims', claim('2Gi', 'gold'), { oldObject: claim('1Gi', 'gold') as never });
    expect(used('q')).toEqual({ ...now, 'requests.storage': '3Gi', [`${gold}/requests.storage`]: '2Gi' });
  });
});

describe('several quotas', () => {
  it('are all charged, or none', async () => {
    await quota('a', { secrets: '5' });
    await quota('b', { secrets: '1' });
    await write('secrets', {});
    expect([used('a'), used('b')]).toEqual([{ secrets: '1' }, { secrets: '1' }]);
    expect(await refusal('secrets', {})).toContain('exceeded quota: b');
    expect([used('a'), used('b')]).toEqual([{ secrets: '1' }, { secrets: '1' }]);
  });

  it('give back what a write took that did not come about, once', async () => {
    await quota('q', { secrets: '5' }, {}, { secrets: '2' });
    const undos: (() => void | Promise<void>)[] = [];
    await write('secrets', {}, { onAbandon: (undo) => undos.push(undo) });
    expect(used('q')).toEqual({ secrets: '3' });
    for (const undo of [...undos, ...undos]) await undo();
    expect(used('q')).toEqual({ secrets: '2' });
  });

  it('may vanish at any time', async () => {
    await quota('q', { secrets: '5' });
    const { put, ...services } = world;
    void put;
    const stale = { ...services, followed: { ...world.followed, resourceQuotas: { in: () => [...before] } as never } };
    const before = world.followed.resourceQuotas.in('ns');
    await world.remove('resourcequotas', 'ns', 'q');
    expect((await admitted(resourceQuota(stale), attributesFor('secrets', {}))).refusal).toBeUndefined();
  });
});

describe('many writers', () => {
  it('never get more than the quota together, whatever each asks for', async () => {
    const amount = fc.integer({ min: 1, max: 4 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(amount, { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 0, max: 40 }),
        async (asked, limit) => {
          world = await pluginWorld();
          await quota('q', { 'requests.cpu': String(limit) });
          const outcomes = await Promise.all(
            asked.map((cpu) => write('pods', pod({ containers: containers(['c', { cpu: String(cpu) }]) }))),
          );
          const granted = asked.filter((_, index) => !outcomes[index]?.refusal).reduce((sum, each) => sum + each, 0);
          expect(used('q')).toEqual({ 'requests.cpu': String(granted) });
          expect(granted).toBeLessThanOrEqual(limit);
          // Nobody was refused for whom there is room now.
          const refused = asked.filter((_, index) => outcomes[index]?.refusal);
          expect(refused.every((each) => each + granted > limit)).toBe(true);
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe('resources that need a quota', () => {
  const configuration = (limitedResources: object[], kind = 'ResourceQuotaConfiguration') => ({
    folder: '/',
    configuration: { apiVersion: 'apiserver.config.k8s.io/v1', kind, limitedResources },
  });
  const limiting = async (...limited: object[]) => {
    world = await pluginWorld({ configurations: new Map([['ResourceQuota', configuration(limited)]]) });
  };

  it('are refused until one covers them', async () => {
    await limiting({ resource: 'pods', matchContains: ['gpu'] });
    const gpus = pod({ containers: containers(['c', { 'example.com/gpu': '1' }]) });
    expect(await refusal('pods', gpus)).toBe(
      'pods "x" is forbidden: insufficient quota to consume: requests.example.com/gpu',
    );
    expect(await refusal('pods', pod({ containers: containers(['c']) }))).toBeUndefined();
    await quota('q', { 'requests.example.com/gpu': '1' });
    expect(await refusal('pods', gpus)).toBeUndefined();
  });

  it('may be scopes', async () => {
    await limiting({
      resource: 'pods',
      matchScopes: [{ scopeName: 'PriorityClass', operator: 'In', values: ['top'] }],
    });
    const top = pod({ priorityClassName: 'top', containers: containers(['c']) });
    expect(await refusal('pods', top)).toBe(
      'pods "x" is forbidden: insufficient quota to match these scopes: [{PriorityClass In [top]}]',
    );
    await quota('q', { pods: '5' }, { scopes: ['PriorityClass'] });
    expect(await refusal('pods', top)).toBeUndefined();
  });

  it.each([
    ['another kind', configuration([], 'Other')],
    ['no resource', configuration([{ matchContains: ['x'] }])],
  ])('cannot be configured with %s', async (_, given) => {
    const broken = { ...world, configurations: new Map([['ResourceQuota', given]]) };
    expect(() => resourceQuota(broken)).toThrow('ResourceQuota');
  });
});
