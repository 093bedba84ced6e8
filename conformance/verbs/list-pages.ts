import type { Collection } from './collection.ts';
import type { RuleContext } from './context.ts';
import type { Json } from './json.ts';

/** All pages of a list, at most twenty. `first`: what is asked of the first alone; the tokens hold the rest of it. */
export async function pages(objects: Collection, limit: number, query: Json = {}, first: Json = {}): Promise<Json[]> {
  const all = [await objects.list({ ...query, ...first, limit })];
  while (all.at(-1).metadata.continue && all.length < 20)
    all.push(await objects.list({ ...query, limit, continue: all.at(-1).metadata.continue }));
  return all;
}

const placeOf = ({ metadata }: Json): string => `${metadata.namespace}/${metadata.name}`;

/** The pages of a list over several namespaces show what is in each of them, wherever a page ends. */
export async function expectPagesOfAll(
  { extraNamespace, later, expect }: RuleContext,
  objects: Collection,
  limit: number,
): Promise<void> {
  const elsewhere = objects.in(await extraNamespace());
  const there = await elsewhere.createMany(3);
  later(() => elsewhere.deleteAll());
  const { items } = await objects.list();
  const shown = (await pages(objects.viewed('everywhere'), limit)).flatMap((page) => page.items.map(placeOf));
  expect(shown.sort(), 'over two namespaces').toEqual([...items, ...there].map(placeOf).sort());
}
