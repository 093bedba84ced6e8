import { describe, expect, it } from 'vitest';
import { differs, seen, step } from './two-answers.fixture.ts';

describe('what may come from a cache', () => {
  const item = (name: string) => ({ metadata: { name, namespace: 'tabc00001-1' } });
  const list = (query: Record<string, string>, ...names: string[]) => [
    seen(step('s1', undefined, { query }), { kind: 'SecretList', items: names.map(item) }),
  ];

  it.each([
    [{ resourceVersion: '0' }, true],
    [{ resourceVersion: '7', resourceVersionMatch: 'NotOlderThan' }, true],
    [{ resourceVersion: '7', resourceVersionMatch: 'Exact' }, false],
    [{}, false],
  ])('a list by %j comes in any order: %s', (query, isAlike) => {
    const differences = differs(list(query, 'a', 'b'), list(query, 'b', 'a'));
    expect(differences.length === 0).toBe(isAlike);
  });

  const watch = (resourceVersion: string, ...names: string[]) => {
    const lines = names.map((name, at) => {
      const object = { metadata: { ...item(name).metadata, labels: { at: `${name}${names.indexOf(name) === at}` } } };
      return JSON.stringify({ type: 'ADDED', object });
    });
    return [seen(step('s1', undefined, { watch: {}, query: { resourceVersion } }), lines.join('\n'))];
  };

  it('shows what is there in any order, but each object in its own', () => {
    expect(differs(watch('0', 'a', 'b', 'a'), watch('0', 'b', 'a', 'a'))).toEqual([]);
    expect(differs(watch('7', 'a', 'b'), watch('7', 'b', 'a'))).not.toEqual([]);
    expect(differs(watch('0', 'a', 'a', 'b'), watch('0', 'a', 'b', 'b'))).not.toEqual([]);
  });

  it('shows the rows of a Table in any order too', () => {
    const tables = (...names: string[]) => {
      const row = (name: string) => ({ cells: [name], object: item(name) });
      const events = names.map((name) => ({
        type: 'ADDED',
        object: { kind: 'Table', metadata: {}, rows: [row(name)] },
      }));
      const begin = step('s1', undefined, { watch: {}, query: { resourceVersion: '0' } });
      return [seen(begin, events.map((event) => JSON.stringify(event)).join('\n'))];
    };
    expect(differs(tables('a', 'b'), tables('b', 'a'))).toEqual([]);
    expect(differs(tables('a', 'b'), tables('a', 'c'))).not.toEqual([]);
  });
});
