import type { History, Reading, Sighting, Violation, Write } from './history.ts';

const isDone = ({ outcome }: Write): boolean => outcome === 'done';

function grouped<T>(list: readonly T[], key: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of list) groups.set(key(one), [...(groups.get(key(one)) ?? []), one]);
  return groups;
}

/** Of all updates bound to one version of an object one succeeds at most, and so does one creation of a name at a time. */
export function lostUpdates({ writes }: History): readonly Violation[] {
  const bound = writes.filter((write) => isDone(write) && write.onVersion !== undefined);
  return [...grouped(bound, ({ name, onVersion }) => `${name} at version ${onVersion}`)].flatMap(([what, rivals]) =>
    rivals.length < 2
      ? []
      : [
          {
            promise: 'optimistic locking loses no update',
            what: `${rivals.length} writes were all bound to ${what} and all succeeded: ${rivals.map(({ write }) => write).join(', ')}`,
          },
        ],
  );
}

/** Everything that showed an object, with when it was seen. */
function sightings({
  writes,
  readings,
}: History): readonly { readonly at: Sighting; readonly began: number; readonly ended: number }[] {
  return [
    ...writes.flatMap(({ seen, began, ended, kind, outcome }) =>
      seen && kind !== 'delete' && outcome === 'done' ? [{ at: seen, began, ended }] : [],
    ),
    ...readings.flatMap(({ items, began, ended }) => items.map((at) => ({ at, began, ended }))),
  ];
}

/**
 * A version names one state of an object, and a later answer shows no earlier version: what was seen after another
 * answer had come back is that one or a newer one. Which is newer is known from the writes that are bound to versions.
 */
export function unsteadyVersions(history: History): readonly Violation[] {
  return [...twoFaces(history), ...backwards(history)];
}

function twoFaces(history: History): readonly Violation[] {
  const groups = grouped(sightings(history), ({ at }) => `${at.name} at version ${at.version}`);
  return [...groups].flatMap(([what, seen]) => {
    const faces = [...new Set(seen.map(({ at }) => `${at.uid} ${at.write}`))];
    return faces.length < 2
      ? []
      : [{ promise: 'a version names one state', what: `${what} was seen as ${faces.join(' and as ')}` }];
  });
}

/** The version each version was made from, by the writes that say so. */
function parents({ writes }: History): ReadonlyMap<string, string> {
  const known = new Map<string, string>();
  for (const { name, seen, onVersion, kind, outcome } of writes)
    if (kind === 'update' && outcome === 'done' && seen && onVersion !== undefined && onVersion !== seen.version)
      known.set(`${name} ${seen.version}`, onVersion);
  return known;
}

interface Rank {
  /** The first version that this one is known to come of. */
  readonly root: string;
  /** How many updates lie between. */
  readonly steps: number;
}

/** How far each version is from where its line begins. */
function rankOf(known: ReadonlyMap<string, string>, ranks: Map<string, Rank>, name: string, version: string): Rank {
  const line: string[] = [];
  let at = version;
  for (
    let above = known.get(`${name} ${at}`);
    above !== undefined && !line.includes(at);
    above = known.get(`${name} ${at}`)
  ) {
    if (ranks.has(`${name} ${at}`)) break;
    line.push(at);
    at = above;
  }
  let rank = ranks.get(`${name} ${at}`) ?? { root: at, steps: 0 };
  ranks.set(`${name} ${at}`, rank);
  for (const one of line.reverse()) {
    rank = { root: rank.root, steps: rank.steps + 1 };
    ranks.set(`${name} ${one}`, rank);
  }
  return rank;
}

function backwards(history: History): readonly Violation[] {
  const known = parents(history);
  const ranks = new Map<string, Rank>();
  const ranked = sightings(history).map((seen) => ({
    ...seen,
    rank: rankOf(known, ranks, seen.at.name, seen.at.version),
  }));
  return [...grouped(ranked, ({ at, rank }) => `${at.name} ${rank.root}`).values()].flatMap((seen) => {
    const ending = [...seen].sort((one, other) => one.ended - other.ended);
    let [done, newest] = [0, ending[0]];
    for (const later of [...seen].sort((one, other) => one.began - other.began)) {
      for (; done < ending.length && (ending[done]?.ended ?? 0) < later.began; done++)
        if ((ending[done]?.rank.steps ?? 0) > (newest?.rank.steps ?? 0)) newest = ending[done];
      if (newest && newest.ended < later.began && newest.rank.steps > later.rank.steps)
        return [
          {
            promise: 'versions of an object only grow',
            what: `${later.at.name} was seen at version ${later.at.version} after version ${newest.at.version}, which came of it, had been seen`,
          },
        ];
    }
    return [];
  });
}

/** A list shows one moment: nothing that was gone before it was asked for, and all that was done by then. */
export function tornLists({ readings, writes }: History): readonly Violation[] {
  const lists = readings.filter(({ version }) => version !== undefined);
  return [...lists.flatMap((list) => stale(list, writes)), ...sameVersion(lists)];
}

/** What was done is there at last, unless somebody else wrote over it. */
export function lostAtLast({ writes, final }: History): readonly Violation[] {
  const ours = new Set(writes.map(({ write }) => write));
  const others = new Set(final.items.filter(({ write }) => !ours.has(write)).map(({ name }) => name));
  const end = { ...final, began: Number.POSITIVE_INFINITY, ended: Number.POSITIVE_INFINITY };
  return stale(
    end,
    writes.filter(({ name }) => !others.has(name)),
    'what was done is there at last',
  );
}

/** Who reads one object is shown what was done to it by then. */
export const staleReads = ({ readings, writes }: History): readonly Violation[] =>
  readings.flatMap((reading) =>
    reading.name === undefined
      ? []
      : stale(
          reading,
          writes.filter(({ name }) => name === reading.name),
          'a read shows what was done',
        ),
  );

function stale(list: Reading, writes: readonly Write[], promise = 'a list is a snapshot'): readonly Violation[] {
  const settled = writes.filter((write) => isDone(write) && write.ended < list.began);
  return [...grouped(settled, ({ name }) => name)].flatMap(([name, own]) => {
    const last = own.reduce((one, other) => (other.ended > one.ended ? other : one));
    // What overlaps in time with the last write may have come after it.
    const rivals = writes.filter(
      (write) => write !== last && write.name === name && write.ended >= last.began && write.outcome !== 'refused',
    );
    if (rivals.some(({ began }) => began <= list.ended)) return [];
    const item = list.items.find((one) => one.name === name);
    const isThere = item !== undefined;
    if (last.kind === 'delete' ? !isThere : item?.write === last.write) return [];
    const shown = isThere ? `it as ${item.write}` : 'no such object';
    return [
      {
        promise,
        what: `${list.name === undefined ? 'a list' : 'an object'} asked for after ${last.write} of ${name} was done shows ${shown}`,
      },
    ];
  });
}

function sameVersion(lists: readonly Reading[]): readonly Violation[] {
  const textOf = ({ items }: Reading): string =>
    items
      .map(({ name, version }) => `${name} ${version}`)
      .sort()
      .join(', ');
  return [...grouped(lists, ({ version }) => String(version))].flatMap(([version, same]) => {
    const faces = [...new Set(same.map(textOf))];
    return faces.length < 2
      ? []
      : [
          {
            promise: 'a list is a snapshot',
            what: `lists at version ${version} show ${faces.map((face) => `[${face}]`).join(' and ')}`,
          },
        ];
  });
}
