import type { History, Sighting, Told, Violation, Watching } from './history.ts';

const versionOf = ({ name, version }: Sighting): string => `${name} ${version}`;
const keyOf = ({ type, object }: Told): string => `${type} ${versionOf(object)}`;

/** A watcher is told each change once: nothing twice, nothing that cannot follow what it was told before. */
export function repeatedOrLostEvents({ watchings }: History): readonly Violation[] {
  return watchings.flatMap((watching) => [...repeated(watching), ...impossible(watching)]);
}

function repeated({ name, told }: Watching): readonly Violation[] {
  const seen = new Set<string>();
  for (const event of told) {
    const change = versionOf(event.object);
    if (seen.has(change))
      return [{ promise: 'each change is told once', what: `${name} was told ${keyOf(event)} twice` }];
    seen.add(change);
  }
  return [];
}

/** Something is added when it is not there, and changed or taken away when it is: that one, and no namesake. */
function impossible({ name, from, told }: Watching): readonly Violation[] {
  const there = new Map(from.items.map((item) => [item.name, item]));
  for (const event of told) {
    const known = there.get(event.object.name);
    if (event.type === 'ADDED' ? known : known?.uid !== event.object.uid) {
      const state = known ? `it knew ${known.uid} at version ${known.version}` : 'it had not heard of it';
      return [{ promise: 'each change is told in order', what: `${name} was told ${keyOf(event)} while ${state}` }];
    }
    if (event.type === 'DELETED') there.delete(event.object.name);
    else there.set(event.object.name, event.object);
  }
  return [];
}

/** Watchers that begin at different moments are told the same from there on, and nobody misses what another hears. */
export function disagreeingWatchers({ watchings, writes }: History): readonly Violation[] {
  const complete = watchings.filter(({ toTheEnd }) => toTheEnd);
  const [longest] = [...complete].sort((one, other) => other.told.length - one.told.length);
  if (!longest) return [];
  const story = longest.told.map(keyOf);
  const others = complete.flatMap(({ name, told }) => {
    const own = told.map(keyOf);
    const tail = story.slice(story.length - own.length);
    const at = own.findIndex((key, place) => key !== tail[place]);
    return at < 0
      ? []
      : [
          {
            promise: 'all watchers are told the same',
            what: `${name} was told ${own[at]} where ${longest.name} was told ${tail[at]}`,
          },
        ];
  });
  return [...others, ...complete.flatMap((watching) => untold(watching, writes))];
}

/**
 * Each write that was begun after a watcher had its list is told to it. That the list was empty says nothing of what was
 * done before: what had been made may have gone again.
 */
function untold({ name, from, began: listed, told }: Watching, writes: History['writes']): readonly Violation[] {
  const known = new Set([...from.items, ...told.map(({ object }) => object)].map(versionOf));
  const isLater = (began: number) => listed !== undefined && began > listed;
  const missing = writes.find(
    ({ outcome, kind, seen, began }) =>
      outcome === 'done' && kind !== 'delete' && seen !== undefined && isLater(began) && !known.has(versionOf(seen)),
  );
  return missing
    ? [{ promise: 'each change is told', what: `${name} was never told of ${missing.write} of ${missing.name}` }]
    : [];
}

/** The list that a watcher began from and all it was told make the final state. */
export function finalStates({ watchings, final }: History): readonly Violation[] {
  return watchings
    .filter(({ toTheEnd }) => toTheEnd)
    .flatMap(({ name, from, told }) => {
      const state = new Map(from.items.map((item) => [item.name, item]));
      for (const { type, object } of told) {
        if (type === 'DELETED') state.delete(object.name);
        else state.set(object.name, object);
      }
      const [seen, expected] = [textOf([...state.values()]), textOf(final.items)];
      return seen === expected
        ? []
        : [
            {
              promise: 'a list and a watch make the final state',
              what: `${name} ends with [${seen}], the server with [${expected}]`,
            },
          ];
    });
}

const textOf = (items: readonly Sighting[]): string => items.map(versionOf).sort().join(', ');
