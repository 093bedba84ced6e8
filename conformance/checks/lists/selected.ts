import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { nameOf } from '../../verbs/states.ts';
import type { Subject } from '../../verbs/subjects.ts';
import type { WatchEvent } from '../../verbs/watch.ts';
import { inForms } from './selecting-forms.ts';
import { listed, type Selection, selectionText } from './selections.ts';

/** The names that a watch shows of what is there already, as many as are expected. */
export async function watched(objects: Collection, { query, left }: Selection): Promise<string[]> {
  const watch = await objects.watch(query);
  const names: string[] = [];
  // Controllers may change one of them meanwhile.
  const isNew = ({ type }: WatchEvent): boolean => type !== 'MODIFIED';
  for (const _ of left) names.push(nameOf((await watch.next(`an object by ${JSON.stringify(query)}`, isNew)).object));
  watch.close();
  return names.sort();
}

/** Each of them, the first and those of some kinds also of a list that may be of any age: what is old goes away. */
export async function listsSelected(
  { objects, waitUntil, expect }: RuleContext & { readonly objects: Collection },
  kind: Subject,
  selections: readonly Selection[],
  names: readonly string[],
): Promise<void> {
  for (const [index, selection] of selections.entries()) {
    const [what, left] = [selectionText(selection), selection.left.map((at) => names[at])];
    expect(await listed(objects, selection.query), what).toEqual(left);
    if (index > 0 && !inForms.includes(kind)) continue;
    const ofAnyAge = async () => (await listed(objects, { ...selection.query, resourceVersion: '0' })).sort();
    await waitUntil(`${what}, of any age`, ofAnyAge, (seen) => `${seen}` === `${left}`);
  }
}

/** What a watch is to select is selected by it, over whatever it is sent. */
export async function watchesSelected(
  { objects, expect }: RuleContext & { readonly objects: Collection },
  kind: Subject,
  selections: readonly Selection[],
  names: readonly string[],
): Promise<void> {
  for (const selection of selections)
    for (const view of inForms.includes(kind) ? (['namespace', 'WebSocket'] as const) : (['namespace'] as const))
      expect(
        await watched(objects.viewed(view), selection),
        `a watch by ${selectionText(selection)}, as ${view}`,
      ).toEqual(selection.left.map((index) => names[index]));
}

/** Of removals that come at once all who watch hear those that they select, whatever others select. */
export async function hearTheirOwn(
  { objects, expect }: RuleContext & { readonly objects: Collection },
  names: readonly string[],
): Promise<void> {
  const viewed = objects.viewed('labels');
  const { resourceVersion } = (await viewed.list()).metadata;
  const watches = [];
  // What they have in common comes first.
  for (const other of names.slice(1)) {
    const left = names.filter((name) => name !== other);
    watches.push({ left, watch: await viewed.watch({ resourceVersion, fieldSelector: `metadata.name!=${other}` }) });
  }
  await viewed.deleteAll({ query: { propagationPolicy: 'Background' } });
  for (const { left, watch } of watches) {
    const events = await watch.take(left.length, ({ type }) => type === 'DELETED');
    expect(events.map(({ object }) => nameOf(object)).sort(), 'removals that are heard').toEqual(left);
  }
}

/** Two that leave out something before the last object: what a watch shows first tells whether it selects. */
export const forWatches = (selections: readonly Selection[]): readonly Selection[] =>
  selections.filter(({ left }) => left.includes(2) && left.length < 3).slice(0, 2);

/** Of all objects that have one name, in whichever namespace they are. */
export async function uidsOf(send: RuleContext['send'], objects: Collection, name: string): Promise<string[]> {
  const { body } = await send('GET', objects.everywhere, { query: { fieldSelector: `metadata.name=${name}` } });
  return (body?.items ?? []).map(({ metadata }: Json) => metadata.uid).sort();
}
