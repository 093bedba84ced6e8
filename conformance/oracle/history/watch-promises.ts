import type { History, Sighting, Told, Violation, Watching } from './history.ts';

const keyOf = ({ type, object }: Told): string => `${type} ${object.name} ${object.version}`;

/** A watcher is told each change once: nothing twice, nothing that cannot follow what it was told before. */
export function repeatedOrLostEvents({ watchings }: History): readonly Violation[] {
  return watchings.flatMap((watching) => [...repeated(watching), ...impossible(watching)]);
}

function repeated({ name, told }: Watching): readonly Violation[] {
  const seen = new Set<string>();
  for (const event of told) {
    if (seen.has(keyOf(event)))
      return [{ promise: 'each change is told once', what: `${name} was told ${keyOf(event)} twice` }];
    seen.add(keyOf(event));
  }
  return [];
}

/** Something is added when it is not there, and changed or taken away when it is. */
function impossible({ name, from, told }: Watching): readonly Violation[] {
  const there = new Map(from.items.map((item) => [item.name, item]));
  for (const event of told) {
    const known = there.get(event.object.name);
    if ((event.type === 'ADDED') === (known !== undefined)) {
      const state = known === undefined ? 'it had not heard of it' : `it knew it at version ${known.version}`;
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
  return [...others, ...untold(longest, writes)];
}

/** Each write that was done after a watcher began is told to it. */
function untold({ name, from, told }: Watching, writes: History['writes']): readonly Violation[] {
  const heard = new Set(told.map(({ object }) => `${object.name} ${object.version}`));
  const before = new Set(from.items.map((item) => `${item.name} ${item.version}`));
  const isFirst = from.items.length === 0;
  const missing = writes.find(
    ({ outcome, kind, seen }) =>
      isFirst &&
      outcome === 'done' &&
      kind !== 'delete' &&
      seen !== undefined &&
      !heard.has(`${seen.name} ${seen.version}`) &&
      !before.has(`${seen.name} ${seen.version}`),
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

const textOf = (items: readonly Sighting[]): string =>
  items
    .map(({ name, version }) => `${name} ${version}`)
    .sort()
    .join(', ');
