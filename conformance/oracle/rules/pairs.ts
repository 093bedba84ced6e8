import type { Heard } from './heard.ts';

/** The same request in two plays of a rule. */
export type HeardTwice = readonly [Heard, Heard];

/** What a server chooses, as it stands in requests that follow. */
const chosen =
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z|:\d{4,5}\b|"resourceVersion":\s*"[^"]*"/g;

/** What tells requests of a rule apart: all that the rule says of its own accord. */
function keyOf({ method, path, query, headers, body }: Heard): string {
  const asked = [...new URLSearchParams(query)]
    .map(([name, value]) =>
      /^(continue|resourceVersion)$/.test(name) ? `${name}=${value === ''}` : `${name}=${value}`,
    )
    .join('&');
  const sent = body.includes(0) ? String(body.length) : body.toString();
  return [method, path, asked, JSON.stringify(headers), sent].join('\n').replaceAll(chosen, '*');
}

const isRead = ({ method, isWatch }: Heard): boolean => method === 'GET' && !isWatch;

interface Keyed {
  readonly key: string;
  readonly one: Heard;
}

/**
 * What was answered, without what was asked again and again until it was otherwise, by itself or in turn with others: of
 * reads between two writes the last answer counts.
 */
function settled(heard: readonly Heard[]): readonly Keyed[] {
  const later = new Set<string>();
  const isLast = ({ key, one }: Keyed): boolean => {
    if (!isRead(one)) {
      if (!one.isWatch && one.method !== 'HEAD') later.clear();
      return true;
    }
    if (later.has(key)) return false;
    later.add(key);
    return true;
  };
  const all = heard.map((one): Keyed => ({ key: keyOf(one), one }));
  return all
    .toReversed()
    .filter(isLast)
    .toReversed()
    .filter(({ one }) => one.at > 0);
}

/** Requests that stand in both plays, in the order of the first. What only one of them has says nothing of the other. */
export function pairsOf(judged: readonly Heard[], other: readonly Heard[]): readonly HeardTwice[] {
  const [seen, all] = [settled(judged), settled(other)];
  const expected = Map.groupBy(all, ({ key }) => key);
  const partners = new Map(
    [...Map.groupBy(seen, ({ key }) => key)].flatMap(([key, group]) => partnersIn(group, expected.get(key) ?? [])),
  );
  const strayed = new Set([...strayedIn(seen, all), ...strayedIn(all, seen)]);
  return seen.flatMap(({ one }): HeardTwice[] => {
    const partner = partners.get(one);
    return partner && !strayed.has(one) && !strayed.has(partner) ? [[one, partner]] : [];
  });
}

const isChange = ({ method }: Heard): boolean => method === 'PUT' || method === 'PATCH';

/**
 * What is said of an object that one play has changed more often than the other: it waited in vain, and went another way.
 * From there on the two have it in different states.
 */
function strayedIn(play: readonly Keyed[], other: readonly Keyed[]): readonly Heard[] {
  const changes = Map.groupBy(
    other.filter(({ one }) => isChange(one)),
    ({ one }) => one.path,
  );
  const counts = new Map<string, number>();
  return play.flatMap(({ one }): Heard[] => {
    const { path } = one;
    if (isChange(one)) counts.set(path, (counts.get(path) ?? 0) + 1);
    return (counts.get(path) ?? 0) > (changes.get(path)?.length ?? 0) ? [one] : [];
  });
}

/** The first stands for the first. How often something was read may be of timing: then the last stand for each other. */
function partnersIn(seen: readonly Keyed[], expected: readonly Keyed[]): readonly HeardTwice[] {
  const isOfTiming = seen.length !== expected.length && seen.every(({ one }) => isRead(one));
  const [ones, others] = isOfTiming ? [seen.slice(-1), expected.slice(-1)] : [seen, expected];
  return ones.flatMap(({ one }, at): HeardTwice[] => {
    const other = others[at];
    return other ? [[one, other.one]] : [];
  });
}
