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

/** What was answered, without what was asked again and again until it was otherwise: the last answer counts. */
function settled(heard: readonly Heard[]): readonly Keyed[] {
  const all = heard.map((one): Keyed => ({ key: keyOf(one), one }));
  return all.filter(({ key, one }, at) => one.at > 0 && !(isRead(one) && key === all[at + 1]?.key));
}

/** Requests that stand in both plays, in the order of the first. What only one of them has says nothing of the other. */
export function pairsOf(judged: readonly Heard[], other: readonly Heard[]): readonly HeardTwice[] {
  const seen = settled(judged);
  const expected = Map.groupBy(settled(other), ({ key }) => key);
  const partners = new Map(
    [...Map.groupBy(seen, ({ key }) => key)].flatMap(([key, group]) => partnersIn(group, expected.get(key) ?? [])),
  );
  return seen.flatMap(({ one }): HeardTwice[] => {
    const partner = partners.get(one);
    return partner ? [[one, partner]] : [];
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
