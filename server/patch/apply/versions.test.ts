import { beforeEach, describe, expect, test } from 'vitest';
import type { KubeObject } from '../../base/kube-object.ts';
import type { OtherVersion } from './other-versions.ts';
import { builtIn, Story, type StoryKind } from './story.fixture.ts';

/** autoscaling/v1 has a field of its own for what autoscaling/v2 keeps in a list of metrics. */
interface Scaler extends KubeObject {
  spec?: {
    targetCPUUtilizationPercentage?: number;
    metrics?: { type: string; resource: object }[];
    maxReplicas?: number;
  };
}

const cpu = (averageUtilization: number) => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
});

const toV1 = ({ spec, ...rest }: Scaler): KubeObject => {
  const { metrics, ...others } = spec ?? {};
  const target = (metrics?.[0]?.resource as { target?: { averageUtilization?: number } } | undefined)?.target
    ?.averageUtilization;
  return {
    ...rest,
    apiVersion: 'autoscaling/v1',
    spec: { ...others, ...(target !== undefined && { targetCPUUtilizationPercentage: target }) },
  } as unknown as KubeObject;
};

const toV2 = ({ spec, ...rest }: Scaler): KubeObject => {
  const { targetCPUUtilizationPercentage, ...others } = spec ?? {};
  const metrics =
    targetCPUUtilizationPercentage === undefined ? {} : { metrics: [cpu(targetCPUUtilizationPercentage)] };
  return { ...rest, apiVersion: 'autoscaling/v2', spec: { ...others, ...metrics } } as unknown as KubeObject;
};

const kind = 'HorizontalPodAutoscaler';
const version1: StoryKind = {
  ...builtIn('autoscaling/v1', kind),
  otherVersion: (apiVersion) => (apiVersion === 'autoscaling/v2' ? view(apiVersion, toV2, toV1) : undefined),
};
const version2: StoryKind = {
  ...builtIn('autoscaling/v2', kind),
  otherVersion: (apiVersion) => (apiVersion === 'autoscaling/v1' ? view(apiVersion, toV1, toV2) : undefined),
};

const view = (apiVersion: string, from: OtherVersion['from'], to: OtherVersion['to']): OtherVersion => ({
  structure: builtIn(apiVersion, kind).structure,
  from: async (object) => from(object),
  to,
});

/** Two ways to the same object. */
class TwoVersions {
  readonly v1 = new Story(version1);
  readonly v2 = new Story(version2);
  seenAsV1() {
    this.v1.live = this.v2.live && toV1(this.v2.live);
    return this.v1;
  }
  seenAsV2() {
    this.v2.live = this.v1.live && toV2(this.v1.live);
    return this.v2;
  }
}

let both: TwoVersions;
beforeEach(async () => {
  both = new TwoVersions();
  await both.v1.apply('alpha', { spec: { maxReplicas: 5, targetCPUUtilizationPercentage: 50 } });
});

describe('managers of two versions of a kind', () => {
  test('conflict with each other, in terms of the fields of the owner', async () => {
    const second = both.seenAsV2();
    expect(await second.conflicts('beta', { spec: { metrics: [cpu(80)] } })).toEqual([
      ['.spec.targetCPUUtilizationPercentage', '"alpha"'],
    ]);
    await second.apply('beta', { spec: { metrics: [cpu(80)] } }, { force: true });
    expect(second.owners).toEqual({
      'alpha Apply': { 'f:spec': { 'f:maxReplicas': {} } },
      'beta Apply': { 'f:spec': { 'f:metrics': {} } },
    });
  });

  test('share what is the same in both', async () => {
    const second = both.seenAsV2();
    await second.apply('beta', { spec: { metrics: [cpu(50)] } });
    await both.seenAsV1().apply('alpha', { spec: { maxReplicas: 5 } });
    expect(both.v1.content['spec']).toMatchObject({ targetCPUUtilizationPercentage: 50 });
    await both.seenAsV2().apply('beta', { spec: {} });
    expect(both.v2.content['spec']).not.toHaveProperty('metrics');
  });

  test('an update through one takes fields of the other', async () => {
    const second = both.seenAsV2();
    await second.patch('up', { spec: { metrics: [cpu(60)] } });
    expect(second.owners).toEqual({
      'alpha Apply': { 'f:spec': { 'f:maxReplicas': {} } },
      'up Update': { 'f:spec': { 'f:metrics': {} } },
    });
  });

  test('a manager that goes on in another version has one entry, and drops what it leaves out', async () => {
    const second = both.seenAsV2();
    await second.apply('alpha', { spec: { maxReplicas: 5 } });
    expect(second.content['spec']).not.toHaveProperty('metrics');
    expect(second.entries).toMatchObject([{ manager: 'alpha', apiVersion: 'autoscaling/v2' }]);
  });

  test('of its metadata nothing goes but what it applied', async () => {
    await both.v1.apply('alpha', { metadata: { finalizers: ['example.com/f'] }, spec: { maxReplicas: 5 } });
    const creationTimestamp = '2026-01-01T00:00:00Z';
    Object.assign(both.v1.live?.metadata ?? {}, { creationTimestamp });
    const second = both.seenAsV2();
    await second.apply('alpha', { spec: { maxReplicas: 5 } });
    expect(second.live?.metadata).toMatchObject({ name: 'one', uid: 'u', creationTimestamp });
    expect(second.live?.metadata.finalizers ?? []).toEqual([]);
  });
});

test('what became atomic since is owned whole by those who owned a part', async () => {
  const text = { type: 'scalar', scalar: 'string' } as const;
  const settings = (atomic: boolean): StoryKind => {
    const fields = new Map([['map', { type: { type: 'map', values: text, atomic } as const }]]);
    const spec = {
      type: 'struct',
      name: '',
      fields,
      required: [],
      atomic: false,
      preserveUnknown: false,
      embedded: false,
    };
    const root = { ...spec, fields: new Map(['apiVersion', 'kind'].map((name) => [name, { type: text }])) };
    root.fields.set('spec', { type: spec } as never);
    return { apiVersion: 'v1', kind: 'Thing', structure: root as never, settle: (object) => object };
  };
  const before = new Story(settings(false));
  await before.apply('alpha', { spec: { map: { a: '1' } } });
  await before.apply('beta', { spec: { map: { b: '1' } } });
  const after = new Story(settings(true));
  after.live = before.live;
  expect((await after.conflicts('gamma', { spec: { map: { c: '1' } } })).map(([field]) => field)).toEqual([
    '.spec.map',
    '.spec.map',
  ]);
  await after.patch('up', { spec: { map: { a: '2' } } });
  expect(after.owners).toEqual({ 'up Update': { 'f:spec': { 'f:map': {} } } });
});

test('managers of a version that is no more are dropped when something changes', async () => {
  const story = new Story({ ...version2, otherVersion: () => undefined });
  story.live = both.seenAsV2().live;
  await story.patch('up', { spec: { maxReplicas: 6 } });
  expect(Object.keys(story.owners)).toEqual(['up Update']);
});

describe('a field of one version that is two of another', () => {
  const halves = ({ spec, ...rest }: Scaler & { spec?: { whole?: string } }): KubeObject => {
    const [host, port] = (spec?.whole ?? '').split(':');
    return { ...rest, apiVersion: 'v1', spec: { ...(host && { host }), ...(port && { port }) } } as never;
  };
  const whole = ({ spec = {}, ...rest }: KubeObject & { spec?: { host?: string; port?: string } }): KubeObject =>
    ({
      ...rest,
      apiVersion: 'v2',
      spec: 'host' in spec || 'port' in spec ? { whole: `${spec.host ?? ''}:${spec.port ?? ''}` } : {},
    }) as never;
  const structureWith = (...names: string[]) => {
    const text = { type: 'scalar', scalar: 'string' } as const;
    const fields = (of: object) => new Map(Object.entries(of).map(([name, type]) => [name, { type }]));
    const struct = (of: object) =>
      ({
        type: 'struct',
        name: '',
        fields: fields(of),
        required: [],
        atomic: false,
        preserveUnknown: false,
        embedded: false,
      }) as never;
    const metadata = { type: 'any' };
    return struct({
      apiVersion: text,
      kind: text,
      metadata,
      spec: struct(Object.fromEntries(names.map((name) => [name, text]))),
    });
  };
  const structures = { v1: structureWith('host', 'port'), v2: structureWith('whole') };
  const one: StoryKind = {
    ...{ apiVersion: 'v1', kind: 'Place', structure: structures.v1, settle: (object) => object },
    otherVersion: () => ({ structure: structures.v2, from: whole, to: halves }),
  };
  const two: StoryKind = {
    ...{ apiVersion: 'v2', kind: 'Place', structure: structures.v2, settle: (object) => object },
    otherVersion: () => ({ structure: structures.v1, from: halves, to: whole }),
  };

  test('keeps both while one is held by somebody in either version', async () => {
    const first = new Story(one);
    const second = new Story(two);
    await first.apply('alpha', { spec: { host: 'n', port: '1' } });
    second.live = first.live && whole(first.live);
    await second.apply('beta', { spec: { whole: 'n:1' } });
    first.live = second.live && halves(second.live);
    await first.apply('alpha', { spec: { host: 'n' } });
    expect(first.content['spec']).toEqual({ host: 'n', port: '1' });
    second.live = first.live && whole(first.live);
    await second.apply('beta', { spec: {} });
    expect(second.content['spec']).toEqual({ whole: 'n:1' });
  });

  test('is out of reach where the other version cannot be had', async () => {
    const story = new Story(one);
    await story.apply('alpha', { spec: { host: 'n' } });
    const failing = () => Promise.reject(new Error('out of order'));
    const broken = new Story({ ...two, otherVersion: () => ({ structure: structures.v1, from: failing, to: whole }) });
    broken.live = story.live && whole(story.live);
    const failure = await broken.failure(() => broken.apply('beta', { spec: { whole: 'n:1' } }));
    expect([failure.constructor.name, failure.message]).toEqual(['UnmergeableObjectError', 'out of order']);
    await broken.patch('up', { spec: { whole: 'n:2' } });
    expect(broken.entries).toEqual([]);
  });
});
