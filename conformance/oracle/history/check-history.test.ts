import { describe, expect, it } from 'vitest';
import { checkHistory } from './check-history.ts';
import type { History, Reading, Sighting, Told, Watching, Write } from './history.ts';

const at = (version: string, write: string, name = 'a', uid = 'u1'): Sighting => ({ name, uid, version, write });

let clock = 0;
const write = (kind: Write['kind'], name: string, more: Partial<Write> = {}): Write => {
  clock += 10;
  return { kind, began: clock, ended: clock + 5, name: 'a', write: name, outcome: 'done', ...more };
};

const reading = (items: readonly Sighting[], more: Partial<Reading> = {}): Reading => {
  clock += 10;
  return { began: clock, ended: clock + 5, version: `list ${clock}`, items, ...more };
};

const watching = (told: readonly Told[], more: Partial<Watching> = {}): Watching => ({
  name: 'a watcher',
  from: { version: '0', items: [] },
  began: 0,
  told,
  toTheEnd: true,
  ...more,
});

const [one, two, three] = [at('1', 'w1'), at('2', 'w2'), at('3', 'w3')];
const created = write('create', 'w1', { seen: one });
const updated = write('update', 'w2', { seen: two, onVersion: '1' });
const again = write('update', 'w3', { seen: three, onVersion: '2' });
const story: readonly Told[] = [
  { type: 'ADDED', object: one },
  { type: 'MODIFIED', object: two },
  { type: 'MODIFIED', object: three },
];

const sound: History = {
  writes: [created, updated, again],
  readings: [],
  watchings: [watching(story)],
  final: { version: '3', items: [three] },
};

const broken = (more: Partial<History>): string[] => [
  ...new Set(checkHistory({ ...sound, ...more }).map(({ promise }) => promise)),
];

describe('a history of clients at work', () => {
  it('keeps all promises when nothing was lost, torn or told twice', () => {
    expect(checkHistory({ ...sound, readings: [reading([three])] })).toEqual([]);
  });

  it('shows a lost update: two writes bound to one version both succeeded', () => {
    const rival = write('update', 'w9', { seen: at('9', 'w9'), onVersion: '2' });
    expect(broken({ writes: [...sound.writes, rival], watchings: [], final: { version: '9', items: [] } })).toContain(
      'optimistic locking loses no update',
    );
  });

  it('shows a version with two faces', () => {
    expect(broken({ readings: [reading([at('3', 'another')])] })).toContain('a version names one state');
  });

  it('shows an answer from before what had been seen', () => {
    const [newer, older] = [reading([three], { version: 'x' }), reading([two], { version: 'y' })];
    expect(broken({ readings: [newer, older] })).toContain('versions of an object only grow');
  });

  it('shows a list that misses what was done, or shows what was gone', () => {
    expect(broken({ readings: [reading([])] })).toEqual(['a list is a snapshot']);
    const gone = write('delete', 'w4');
    const end = { version: '4', items: [] };
    const told = [...story, { type: 'DELETED', object: at('4', 'w3') } as const];
    const deleted = { writes: [...sound.writes, gone], watchings: [watching(told)], final: end };
    expect(broken(deleted)).toEqual([]);
    expect(broken({ ...deleted, readings: [reading([three])] })).toContain('a list is a snapshot');
  });

  it('lets a list show either side of a write that was under way', () => {
    const during = { began: again.began - 1, ended: again.ended + 1 };
    expect(broken({ readings: [reading([two], during)] })).toEqual([]);
    expect(broken({ readings: [reading([three], during)] })).toEqual([]);
  });

  it('lets a write without an answer have happened or not', () => {
    const lost = write('update', 'w8', { onVersion: '3', outcome: 'lost' });
    const happened = at('8', 'w8');
    const told = [...story, { type: 'MODIFIED', object: happened } as const];
    const after = {
      writes: [...sound.writes, lost],
      watchings: [watching(told)],
      final: { version: '8', items: [happened] },
    };
    expect(broken({ ...after, readings: [reading([happened])] })).toEqual([]);
    expect(broken({ writes: [...sound.writes, lost], readings: [reading([three])] })).toEqual([]);
  });

  it('shows two lists of one version that are not the same', () => {
    const other = at('7', 'w7', 'b', 'u2');
    const readings = [reading([three], { version: 'v' }), reading([three, other], { version: 'v' })];
    expect(broken({ readings })).toEqual(['a list is a snapshot']);
  });

  it('shows an event told twice, out of order, and one kept back', () => {
    expect(broken({ watchings: [watching([...story, story[2] as Told])] })).toContain('each change is told once');
    expect(broken({ watchings: [watching(story.slice(1))] })).toContain('each change is told in order');
    expect(broken({ watchings: [watching([story[0] as Told, story[2] as Told])] })).toEqual(['each change is told']);
  });

  it('shows watchers that disagree, wherever they began', () => {
    const list = { version: '1', items: [one] };
    const { began: _, ...resumed } = watching(story.slice(1), { name: 'who resumed', from: list });
    expect(broken({ watchings: [watching(story), resumed] })).toEqual([]);
    const deaf = { ...resumed, told: story.slice(2) };
    expect(broken({ watchings: [watching(story), deaf] })).toEqual([]);
    const wrong = { ...resumed, told: [story[2] as Told, story[1] as Told] };
    expect(broken({ watchings: [watching(story), wrong] })).toContain('all watchers are told the same');
  });

  it('shows a watcher whose list and events do not make the final state', () => {
    expect(broken({ watchings: [watching(story.slice(0, 2))], writes: [created, updated] })).toEqual([
      'a list and a watch make the final state',
    ]);
    expect(broken({ watchings: [watching(story.slice(0, 2), { toTheEnd: false })] })).toEqual([]);
  });

  it('shows what was done and is not there at last, or there again', () => {
    const nobody = { watchings: [], final: { version: '3', items: [] } };
    expect(broken(nobody)).toEqual(['what was done is there at last']);
    expect(broken({ watchings: [], final: { version: '2', items: [two] } })).toEqual([
      'what was done is there at last',
    ]);
    const gone = [...sound.writes, write('delete', 'w4', { onVersion: '3' })];
    expect(broken({ ...nobody, writes: gone })).toEqual([]);
    expect(broken({ watchings: [], writes: gone })).toEqual(['what was done is there at last']);
    expect(broken({ watchings: [], final: { version: '9', items: [at('9', 'of somebody else')] } })).toEqual([]);
  });

  it('shows a read of one object that misses what was done, or shows what was gone', () => {
    const of = (items: readonly Sighting[]): Reading => {
      const { version: _version, ...single } = reading(items, { name: 'a' });
      return single;
    };
    expect(broken({ readings: [of([three])] })).toEqual([]);
    expect(broken({ readings: [of([])] })).toEqual(['a read shows what was done']);
    const ended = { version: '4', items: [] };
    const told = [...story, { type: 'DELETED', object: at('4', 'w3') } as const];
    const deleted = { watchings: [watching(told)], final: ended, writes: [...sound.writes, write('delete', 'w4')] };
    expect(broken({ ...deleted, readings: [of([])] })).toEqual([]);
    expect(broken({ ...deleted, readings: [of([three])] })).toEqual(['a read shows what was done']);
    expect(broken({ readings: [reading([three], { name: 'b' })] })).toEqual([]);
  });

  it('shows a change that is told again as one of another type, and a namesake that was never said to be new', () => {
    const again = { type: 'MODIFIED', object: one } as const;
    expect(broken({ watchings: [watching([...story.slice(0, 1), again, ...story.slice(1)])] })).toEqual([
      'each change is told once',
    ]);
    const namesake = { type: 'MODIFIED', object: at('2', 'w2', 'a', 'u2') } as const;
    expect(broken({ watchings: [watching([story[0] as Told, namesake, story[2] as Told])] })).toContain(
      'each change is told in order',
    );
  });

  it('shows an event that all watchers miss who began in the middle', () => {
    const late = { from: { version: '1', items: [one] }, began: created.ended };
    expect(broken({ watchings: [watching(story.slice(1), late)] })).toEqual([]);
    expect(broken({ watchings: [watching(story.slice(2), late)] })).toEqual(['each change is told']);
  });

  it('does not ask that a watcher is told what had gone again before its list', () => {
    const gone = write('delete', 'w4');
    const afterwards = { from: { version: '4', items: [] }, began: gone.ended };
    const history = { writes: [...sound.writes, gone], final: { version: '4', items: [] } };
    expect(broken({ ...history, watchings: [watching([], afterwards)] })).toEqual([]);
    expect(broken({ ...history, watchings: [watching([], { ...afterwards, began: 0 })] })).toEqual([
      'each change is told',
    ]);
  });
});
