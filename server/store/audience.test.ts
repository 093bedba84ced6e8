import { expect, it } from 'vitest';
import { Audience } from './audience.ts';
import { object } from './store.fixture.ts';
import type { Concern, Stored, StoreEvent } from './store.ts';
import { StoredValue } from './stored-value.ts';

interface Member {
  readonly name: string;
  readonly concern?: Concern;
}

const labelled = (app: string | undefined, revision = 1): Stored => {
  const value = object('x');
  return new StoredValue('a/x', revision, {
    ...value,
    metadata: { ...value.metadata, ...(app && { labels: { app } }) },
  });
};
const change = (previous: Stored | undefined, current: Stored | undefined): StoreEvent => ({
  key: 'a/x',
  revision: 2,
  previous,
  current,
  removed: undefined,
});
const caring = (name: string, value: string): Member => ({
  name,
  concern: { about: 'app', textOf: ({ labels }) => labels['app'], value },
});

function toldOf(members: Iterable<Member>, event: StoreEvent): string[] {
  const audience = new Audience<Member>();
  for (const member of members) audience.add(member);
  const told: string[] = [];
  audience.tell(event, ({ name }) => told.push(name));
  return told;
}

it.each<[what: string, event: StoreEvent, told: string[]]>([
  ['is there now', change(undefined, labelled('one')), ['all', 'one', 'one too']],
  ['was there', change(labelled('one'), undefined), ['all', 'one', 'one too']],
  ['stays what it is', change(labelled('one'), labelled('one')), ['all', 'one', 'one too']],
  ['becomes another', change(labelled('one'), labelled('two')), ['all', 'one', 'one too', 'two']],
  ['says nothing of it', change(undefined, labelled(undefined)), ['all']],
])('those hear of an object who care about all, and who care about what %s', (_, event, told) => {
  const members = [caring('one', 'one'), { name: 'all' }, caring('two', 'two'), caring('one too', 'one')];
  expect(toldOf(members, event)).toEqual(told);
});

it('reads a change twice, however many wait for others', () => {
  let read = 0;
  const textOf = ({ labels }: Stored) => {
    read++;
    return labels['app'];
  };
  const many = Array.from({ length: 1000 }, (_, n) => ({ name: '', concern: { about: 'app', textOf, value: `${n}` } }));
  expect(toldOf(many, change(labelled('7'), labelled('8')))).toHaveLength(2);
  expect(read).toBe(2);
});

it('tells all who care about a text that cannot be read, and goes on', () => {
  const textOf = (): string => {
    throw new Error('it is broken');
  };
  const members = ['one', 'two'].map((value) => ({ name: value, concern: { about: 'broken', textOf, value } }));
  const event = change(undefined, labelled('three'));
  expect(toldOf([...members, caring('three', 'three')], event)).toEqual(['one', 'two', 'three']);
});

it('is empty once all have left, and forgets what they cared about', () => {
  const audience = new Audience<Member>();
  const members = [{ name: 'all' }, caring('one', 'one'), caring('two', 'two')];
  for (const member of members) audience.add(member);
  expect([...audience.all()]).toHaveLength(3);
  for (const member of members) {
    expect(audience.isEmpty).toBe(false);
    expect(audience.delete(member)).toBe(true);
    expect(audience.delete(member)).toBe(false);
  }
  expect(audience.isEmpty).toBe(true);
  expect([...audience.all()]).toEqual([]);
});
