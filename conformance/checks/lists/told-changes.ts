import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { nameOf, versionOf } from '../../verbs/states.ts';
import { labelSelections, makeChosen, type Selection } from './selections.ts';

/** One of each operator, and of some that a server may look up by one of their terms. */
const told = [
  ...['colour=red', 'colour!=red', 'colour in (red,blue)', 'colour notin (red,blue)', 'colour', '!colour'],
  ...['size>1', 'size<2', 'colour in (blue)', 'size in (1,2),colour!=red'],
];

/**
 * What a watch by a selection is told of three objects that come, of the first when it becomes as the third is, and of
 * all of them when they go.
 */
function eventsOf({ left }: Selection, names: readonly string[]): readonly string[] {
  const [was, is] = [left.includes(0), left.includes(2)];
  const change = was ? (is ? 'MODIFIED' : 'DELETED') : is && 'ADDED';
  const goes = [is, left.includes(1), left.includes(2)];
  return [
    ...left.map((index) => `ADDED ${names[index]}`),
    ...(change ? [`${change} ${names[0]}`] : []),
    ...names.filter((_, index) => goes[index]).map((name) => `DELETED ${name}`),
  ];
}

/** Watches by each form of a selector are told what comes into their selection and what leaves it, and nothing else. */
export async function tellsSelected({
  objects,
  expect,
}: RuleContext & { readonly objects: Collection }): Promise<void> {
  const resourceVersion = versionOf(await objects.list());
  const selections = labelSelections.filter(({ query }) => told.includes(query['labelSelector'] ?? ''));
  expect(selections, 'the selections of which a watch is told').toHaveLength(told.length);
  const watches = await Promise.all(selections.map(({ query }) => objects.watch({ ...query, resourceVersion })));
  const { names } = await makeChosen(objects, ['x', 'y', 'z']);
  const [first, third] = await Promise.all([names[0], names[2]].map((name) => objects.read(name as string)));
  const changed = await objects.put({ ...first, metadata: { ...first.metadata, labels: third.metadata.labels } });
  expect(changed.status, 'other labels').toBe(200);
  for (const name of names) await objects.remove(name);
  for (const [index, selection] of selections.entries()) {
    const expected = eventsOf(selection, names);
    // Others may write what is theirs into the namespace meanwhile.
    const events = await watches[index]?.take(expected.length, ({ object }) => names.includes(nameOf(object)));
    const seen = events?.map(({ type, object }) => `${type} ${nameOf(object)}`);
    expect(seen, `a watch by ${selection.query['labelSelector']}`).toEqual(expected);
    watches[index]?.close();
  }
}
