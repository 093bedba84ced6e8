import { describe, expect, it } from 'vitest';
import { configMapResource, mapOf, refusal } from './call.fixture.ts';
import { includeObjectOf, makeTable, partial, tableFrame, tableOf, tableSource } from './table.ts';

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
    const table = makeTable(tableOf(configMapResource), await tableSource(configMapResource, object), {
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
    const table = tableFrame(tableOf(configMapResource), { ...options, include: 'None', columns: false });
    expect(table).toMatchObject({ columnDefinitions: null });
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
