import type { Collection, View } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { nameOf, namesOf, versionOf } from '../../verbs/states.ts';
import type { Subject } from '../../verbs/subjects.ts';

/** All pages of a list, at most twenty. `first`: what is asked of the first alone; the tokens hold the rest of it. */
export async function pages(objects: Collection, limit: number, query: Json = {}, first: Json = {}): Promise<Json[]> {
  const all = [await objects.list({ ...query, ...first, limit })];
  while (all.at(-1).metadata.continue && all.length < 20)
    all.push(await objects.list({ ...query, limit, continue: all.at(-1).metadata.continue }));
  return all;
}

const placeOf = ({ metadata }: Json): string => `${metadata.namespace}/${metadata.name}`;

/** The pages of a list over several namespaces show what is in each of them, wherever a page ends and whatever the names. */
async function expectPagesOfAll(
  { extraNamespace, later, expect }: RuleContext,
  objects: Collection,
  limit: number,
): Promise<void> {
  const elsewhere = objects.in(await extraNamespace());
  const { items } = await objects.list();
  const there: Json[] = [];
  later(() => elsewhere.deleteAll());
  // Before all names that are here, one of them, and behind them all: either namespace may come first.
  for (const name of ['a', nameOf(items.at(-1)), 'z']) there.push(await elsewhere.create({ metadata: { name } }));
  const shown = (await pages(objects.viewed('everywhere'), limit)).flatMap((page) => page.items.map(placeOf));
  expect(shown.sort(), 'over two namespaces').toEqual([...items, ...there].map(placeOf).sort());
}

/** The pages of a list that is no older than a version are of one state as well. */
export async function isOfOneVersion(
  { objects, expect }: Pick<RuleContext, 'expect'> & { readonly objects: Collection },
  view: View,
  resourceVersion: string,
): Promise<void> {
  const viewed = objects.viewed(view);
  const first = await viewed.list({ limit: 2, resourceVersion, resourceVersionMatch: 'NotOlderThan' });
  await objects.create();
  const { continue: token } = first.metadata;
  // It may come whole, as from a cache.
  if (token) expect(versionOf(await viewed.list({ limit: 2, continue: token })), 'not older').toBe(versionOf(first));
}

const unmarked = { metadata: { labels: null } };

/** In the order of their letters, among which a hyphen is one like any other. */
const prefixes = ['item-9', 'item-a-z', 'item-ab', 'item0', 'itema'];

/** Objects that the view sees, where it goes by labels with others between and behind them that it does not see. */
export async function crowd(objects: Collection, view: View): Promise<string[]> {
  const made: string[] = [];
  for (const prefix of prefixes) {
    const [object] = await objects.createMany(1, {}, `${prefix}-a`);
    made.push(nameOf(object));
    if (view === 'labels' && objects.at.namespaced) await objects.createMany(1, unmarked, `${prefix}-b`);
  }
  return made;
}

/** What a page may hold: with a mark as the only difference, all else is somebody else's. */
export const own = (made: readonly string[], list: Json): string[] =>
  namesOf(list).filter((name) => made.includes(name));

/** How many objects that a selection leaves out stand before each that it has. */
const apart = [9, 0, 14, 5];

/** The pages of a selection show all of it, however far apart that stands, and no page is over for what lies between. */
async function findsWhatIsFarApart(objects: Collection, expect: RuleContext['expect']): Promise<void> {
  const selected: string[] = [];
  const make = async (prefix: string, rarity: string): Promise<string> => {
    const [object] = await objects.createMany(1, { metadata: { labels: { rarity } } }, prefix);
    return nameOf(object);
  };
  for (const [index, between] of apart.entries()) {
    for (let other = 10; other < 10 + between; other++) await make(`far-${index}-${other}`, 'common');
    selected.push(await make(`far-${index}-z`, 'rare'));
  }
  for (const limit of [1, 3]) {
    const all = await pages(objects, limit, { labelSelector: 'rarity=rare' });
    expect(all.flatMap(namesOf), `in pages of ${limit}`).toEqual(selected);
    for (const { items } of all) expect(items.length, `of ${limit}`).toBeLessThanOrEqual(limit);
  }
}

/** What pages have to put together: objects of several namespaces, and a selection of few among many. */
export async function showsWhatIsApart(
  context: RuleContext,
  objects: Collection,
  { kind, view, limit }: { readonly kind: Subject; readonly view: View; readonly limit: number },
): Promise<void> {
  if (view === 'everywhere') await expectPagesOfAll(context, objects, limit);
  const isSearched = ['secrets', 'widgets'].includes(kind.name) && view === 'namespace' && limit === 2;
  if (isSearched) await findsWhatIsFarApart(objects, context.expect);
}
