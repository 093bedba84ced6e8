import { expect, test } from 'vitest';
import { cellsOf, combinations, judgeCells } from './matrix.ts';
import { Skipped } from './verbs/breach.ts';
import type { RuleContext } from './verbs/context.ts';

const nothing = async () => undefined;

/** Enough of a context for cells that send nothing. */
const bare = (capabilities: RuleContext['capabilities'] = [], version = ''): RuleContext =>
  ({
    ...{ capabilities, version },
    fork: (lane: number, cell: string) => ({
      context: { lane, cell },
      exchanges: [],
      verbose: false,
      close: () => undefined,
    }),
  }) as unknown as RuleContext;

test('cells are all combinations, in order, that make sense', () => {
  const axes = { verb: ['get', 'list'], form: ['JSON', 'YAML'] } as const;
  const sensible = combinations(axes, ({ verb, form }) => verb === 'get' || form === 'JSON');
  expect(sensible).toEqual([
    { verb: 'get', form: 'JSON' },
    { verb: 'get', form: 'YAML' },
    { verb: 'list', form: 'JSON' },
  ]);
});

test('a cell is named by its values and needs what they need', () => {
  const axes = {
    type: [{ name: 'widgets', needs: ['crd'] }, 'secrets'],
    form: [{ name: 'protobuf', needs: ['protobuf'] }],
  } as const;
  expect(cellsOf(axes, nothing).map(({ name, needs }) => [name, needs])).toEqual([
    ['widgets, protobuf', ['crd', 'protobuf']],
    ['secrets, protobuf', ['protobuf']],
  ]);
});

test('a matrix without cells, or with two of one name, is refused', () => {
  expect(() => cellsOf({ verb: ['get'] }, nothing, () => false)).toThrow('no cells');
  expect(() => cellsOf({ verb: ['get', 'get'] }, nothing)).toThrow('same name');
});

test('each cell has its outcome: what is thrown stays its own', async () => {
  const cells = cellsOf({ verb: ['get', 'list', 'watch'] }, async (_, { verb }) => {
    if (verb === 'list') throw new Error('broken');
    if (verb === 'watch') throw new Skipped('not here');
  });
  expect(await judgeCells(cells, bare())).toEqual([
    { cell: 'get', exchanges: [] },
    { cell: 'list', error: new Error('broken'), exchanges: [] },
    { cell: 'watch', skipped: 'not here', exchanges: [] },
  ]);
});

test('a cell whose needs are missing is not judged', async () => {
  const cells = cellsOf({ form: [{ name: 'protobuf', needs: ['protobuf'] }] }, async () => {
    throw new Error('must not run');
  });
  expect((await judgeCells(cells, bare()))[0]?.skipped).toContain('protobuf');
  expect((await judgeCells(cells, bare(['protobuf'])))[0]?.error).toBeInstanceOf(Error);
});

test('a cell is judged by the versions that keep it, and where the version is not told', async () => {
  const field = [
    { name: 'a later field', holds: { from: 25 } },
    'a field',
    { name: 'an old field', holds: { to: 24 } },
  ];
  const cells = cellsOf({ field }, nothing);
  const judged = async (version: string) =>
    (await judgeCells(cells, bare([], version))).filter(({ skipped }) => !skipped).map(({ cell }) => cell);
  expect(await judged('v1.24.9')).toEqual(['a field', 'an old field']);
  expect(await judged('v1.25.16')).toEqual(['a later field', 'a field']);
  expect(await judged('')).toEqual(['a later field', 'a field', 'an old field']);
  expect((await judgeCells(cells, bare([], 'v1.24.9')))[0]?.skipped).toContain('from v1.25 on');
});

test('cells run several at once, and the others go on when one waits', async () => {
  let running = 0;
  let most = 0;
  const rest: (() => void)[] = [];
  const check = async (): Promise<void> => {
    most = Math.max(most, ++running);
    await new Promise<void>((resolve) => rest.push(resolve));
    running -= 1;
  };
  const done = judgeCells(cellsOf({ n: Array.from({ length: 20 }, (_, index) => `n${index}`) }, check), bare());
  while (rest.length > 0 || running > 0) {
    rest.pop()?.();
    await Promise.resolve();
  }
  expect(await done).toHaveLength(20);
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThan(20);
});
