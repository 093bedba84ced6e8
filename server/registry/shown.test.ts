import { describe, expect, it } from 'vitest';
import { configMapResource, deploymentResource, mapOf, refusal } from './call.fixture.ts';
import type { Resource } from './resource.ts';
import { scaleOf, setReplicas } from './scale.ts';
import { includeObjectOf, makeTable, partial, tableOf, tableSource } from './table.ts';

const paths = { specReplicas: '.spec.size', statusReplicas: '.status.size', selector: '.status.selector' };
const custom: Resource = {
  ...configMapResource,
  rules: { ...configMapResource.rules, scale: paths },
  custom: { terminating: false },
};
const scale = (replicas: unknown) => ({
  kind: 'Scale',
  apiVersion: 'autoscaling/v1',
  metadata: { name: 'x', resourceVersion: '7' },
  spec: { replicas },
});

describe('the scale of an object', () => {
  it('shows its number and whom it counts', () => {
    const spec = {
      replicas: 3,
      selector: {
        matchLabels: { b: '2', a: '1' },
        matchExpressions: [
          { key: 'c', operator: 'In', values: ['y', 'x'] },
          { key: 'd', operator: 'DoesNotExist' },
        ],
      },
    };
    const object = {
      kind: 'Deployment',
      apiVersion: 'apps/v1',
      metadata: { name: 'web', uid: 'u' },
      spec,
      status: { replicas: 2 },
    };
    expect(scaleOf(deploymentResource, object)).toMatchObject({
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata: { name: 'web', uid: 'u' },
      spec: { replicas: 3 },
      status: { replicas: 2, selector: 'a=1,b=2,c in (x,y),!d' },
    });
  });

  it('of a custom kind is where its definition says', async () => {
    const object = { ...mapOf('x'), spec: { size: 4 }, status: { size: 1, selector: 'a=b' } };
    expect(scaleOf(custom, object)).toMatchObject({ spec: { replicas: 4 }, status: { replicas: 1, selector: 'a=b' } });
    expect(await refusal(() => scaleOf(custom, mapOf('x')))).toMatchObject({ code: 500 });
  });

  it('is put back where it belongs, and what is missing on the way is made', () => {
    const object = mapOf('x');
    setReplicas(custom, object, scale(5) as never);
    expect(object).toMatchObject({ spec: { size: 5 }, metadata: { resourceVersion: '7' } });
  });

  it('is no negative number', async () => {
    expect(await refusal(() => setReplicas(deploymentResource, mapOf('x'), scale(-1) as never))).toMatchObject({
      code: 422,
    });
  });

  it('does not exist for other kinds', async () => {
    expect(await refusal(() => scaleOf(configMapResource, mapOf('x')))).toMatchObject({ code: 400 });
  });
});

describe('a table', () => {
  const options = {
    version: 'v1',
    metadata: { resourceVersion: '9' },
    now: Date.parse('2024-01-01T00:01:00Z'),
    columns: true,
  } as const;
  const object = mapOf('x', { creationTimestamp: '2024-01-01T00:00:00Z' }, { a: '1', b: '2' });

  it.each([
    ['Metadata', { kind: 'PartialObjectMetadata', metadata: object.metadata }],
    ['Object', object],
    ['None', null],
  ] as const)('with %s of each object', async (include, shown) => {
    const table = makeTable(tableOf(configMapResource), [await tableSource(configMapResource, object)], {
      ...options,
      include,
    });
    expect(table).toMatchObject({ kind: 'Table', apiVersion: 'meta.k8s.io/v1', metadata: { resourceVersion: '9' } });
    expect(table.columnDefinitions?.map(({ name }) => name)).toEqual(['Name', 'Data', 'Age']);
    expect(table.rows[0]?.cells).toEqual(['x', 2, '60s']);
    if (shown === null) expect(table.rows[0]?.object).toBeNull();
    else expect(table.rows[0]?.object).toMatchObject(shown);
  });

  it('has its columns only where they are wanted', async () => {
    const table = makeTable(tableOf(configMapResource), [], { ...options, include: 'None', columns: false });
    expect(table).toMatchObject({ columnDefinitions: null, rows: [] });
  });

  it('knows three ways to include objects', async () => {
    expect([includeObjectOf(undefined), includeObjectOf(''), includeObjectOf('None')]).toEqual([
      'Metadata',
      'Metadata',
      'None',
    ]);
    expect(await refusal(() => includeObjectOf('Everything'))).toMatchObject({ code: 400 });
  });

  it('of an object reduced to metadata has nothing else', () => {
    expect(Object.keys(partial(object, 'v1beta1'))).toEqual(['kind', 'apiVersion', 'metadata']);
  });
});
