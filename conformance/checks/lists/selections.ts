import type { Expect } from '../../assertions.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { Json } from '../../verbs/json.ts';
import { said } from '../../verbs/said.ts';
import { nameOf, namesOf } from '../../verbs/states.ts';

/** What selections choose among: three objects in order of their names. */
export interface Chosen {
  readonly names: readonly string[];
  /** Where they are. */
  readonly place: string | undefined;
}

export interface Selection {
  readonly query: Readonly<Record<string, string>>;
  /** Which of the three it leaves. */
  readonly left: readonly number[];
}

const labels: readonly Json[] = [
  { colour: 'red', size: '1', Tone: 'Deep', count: '9', big: '9007199254740993' },
  { colour: 'blue', empty: '', Tone: 'deep', big: '9007199254740992' },
  { size: '2', 'example.com/colour': 'red', tone: 'Deep', 'made.in': 'x_Y.z-1', count: '10' },
];

/** Makes what selections choose among; others may be beside it. */
export async function makeChosen(
  objects: Collection,
  prefixes: readonly [string, string, string] = ['a', 'b', 'c'],
): Promise<Chosen> {
  const names: string[] = [];
  for (const [index, prefix] of prefixes.entries()) {
    const [made] = await objects.createMany(1, { metadata: { labels: labels[index] } }, prefix);
    names.push(nameOf(made));
  }
  return { names, place: await objects.place() };
}

const byLabels = (labelSelector: string, ...left: readonly number[]): Selection => ({ query: { labelSelector }, left });

/** Each form that a label selector has. */
export const labelSelections: readonly Selection[] = [
  byLabels('colour=red', 0),
  byLabels('colour==blue', 1),
  byLabels('colour!=red', 1, 2),
  byLabels('colour in (red,blue)', 0, 1),
  byLabels('colour in (blue)', 1),
  byLabels('colour notin (red)', 1, 2),
  byLabels('colour notin (red,blue)', 2),
  byLabels('colour', 0, 1),
  byLabels('!colour', 2),
  byLabels('empty', 1),
  byLabels('!empty', 0, 2),
  byLabels('empty=', 1),
  // Nothing before or behind a comma is a value too: the empty one.
  byLabels('empty in (,full)', 1),
  byLabels('empty notin (full,)', 0, 2),
  byLabels('colour=red,size=1', 0),
  byLabels('colour=blue,size=1'),
  byLabels('size,!colour', 2),
  byLabels('size in (1,2),colour!=red', 2),
  byLabels('example.com/colour=red', 2),
  byLabels('size>1', 2),
  // No double tells them apart.
  byLabels('big>9007199254740992', 0),
  byLabels('size<2', 0),
  byLabels('size > 0, size < 2', 0),
  // Each of several terms about one key counts.
  byLabels('colour!=red,colour!=blue', 2),
  byLabels('size>1,size<3', 2),
  byLabels('colour,colour!=red', 1),
  byLabels('size>2'),
  // Of numbers the longer one is larger.
  byLabels('count>9', 2),
  byLabels('count<10', 0),
  // Words in other letters are other words.
  byLabels('Tone=Deep', 0),
  byLabels('Tone in (deep)', 1),
  byLabels('Tone!=Deep', 1, 2),
  byLabels('tone', 2),
  byLabels('made.in=x_Y.z-1', 2),
  // Blanks between the words mean nothing.
  byLabels('colour = red', 0),
  byLabels(' colour in ( green, blue ) , ! size', 1),
  byLabels('size notin (1, 2), colour', 1),
];

/** One may be chosen out of hundreds of words. */
export const longSelector = `colour in (red,${Array.from({ length: 400 }, (_, at) => `none-of-the-colours-${at}`)})`;

/** No label has such a key or value, and what is compared by size has to be a number. */
export const unfitLabels: readonly string[] = [
  'colour=red-',
  `colour notin (${'x'.repeat(64)})`,
  'a/b/colour=red',
  'colour>red',
  'colour<red',
  'colour in (red',
];
export const unfitFields: readonly string[] = ['metadata.name', 'metadata.name=a=b', 'metadata.name=a\\b'];

/** Selectors that make no sense select neither nothing nor everything. */
export async function refusesUnfit(
  objects: Collection,
  expect: Expect,
  selector: 'labelSelector' | 'fieldSelector',
  unfit: readonly string[],
): Promise<void> {
  for (const text of unfit) {
    expect((await objects.getAll({ [selector]: text })).status, text).toBe(400);
    const watch = { watch: true, timeoutSeconds: 1, [selector]: text };
    expect((await objects.getAll(watch)).status, `a watch by ${text}`).toBe(400);
  }
}

const byFields = (fieldSelector: string, ...left: readonly number[]): Selection => ({ query: { fieldSelector }, left });

/** Each form that a field selector has, on the fields that every kind has; with labels beside it as well. */
export const fieldSelections = ({ names: [a, b, c], place }: Chosen): readonly Selection[] => [
  byFields(`metadata.name=${a}`, 0),
  byFields(`metadata.name==${c}`, 2),
  byFields(`metadata.name!=${a}`, 1, 2),
  byFields(`metadata.name!=${a},metadata.name!=${c}`, 1),
  byFields(`metadata.name=${a},metadata.name=${b}`),
  { query: { fieldSelector: `metadata.name=${a}`, labelSelector: 'colour=red' }, left: [0] },
  { query: { fieldSelector: `metadata.name=${a}`, labelSelector: 'colour=blue' }, left: [] },
  { query: { fieldSelector: `metadata.name!=${a}`, labelSelector: 'size' }, left: [2] },
  ...(place === undefined
    ? []
    : [
        byFields(`metadata.namespace=${place}`, 0, 1, 2),
        byFields(`metadata.namespace!=${place}`),
        byFields('metadata.namespace=default'),
        byFields(`metadata.namespace=${place},metadata.name=${b}`, 1),
      ]),
];

export const selectionText = ({ query }: Selection): string => Object.values(query).join(' and ');

/** The names that a list shows, asked for in pages of this size where one is given. */
export async function listed(objects: Collection, query: Selection['query'], limit?: number): Promise<string[]> {
  const names: string[] = [];
  let token = '';
  for (let page = 0; page < 9; page++) {
    const part = limit === undefined ? {} : { limit, ...(token ? { continue: token } : {}) };
    const list = await objects.list({ ...query, ...part });
    names.push(...namesOf(list));
    token = list.metadata.continue ?? '';
    if (token === '') break;
  }
  return names;
}

/** A text that is empty asks for nothing. */
export async function takesNothing(
  objects: Collection,
  expect: Expect,
  parameter: string,
  names: readonly string[],
): Promise<void> {
  const answer = await objects.getAll({ [parameter]: '' });
  expect(answer.status, `an empty ${parameter}: ${said(answer)}`).toBe(200);
  expect(namesOf(answer.body), `an empty ${parameter}`).toEqual(names);
}

/** What has no labels is beside what is chosen from here on: a watch may show for a while what is gone. */
export async function selectsUnlabelled(objects: Collection, expect: Expect, names: readonly string[]): Promise<void> {
  await takesNothing(objects, expect, 'labelSelector', names);
  const [bare] = await objects.createMany(1, { metadata: { labels: null } }, 'd');
  for (const labelSelector of ['!colour', 'colour notin (red,blue)'])
    expect(await listed(objects, { labelSelector }), `${labelSelector}, of what has no labels`).toEqual([
      names[2],
      nameOf(bare),
    ]);
}
