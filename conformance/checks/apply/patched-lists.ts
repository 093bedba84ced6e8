import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { said } from '../../verbs/said.ts';

const moved = '/metadata/annotations/moved';
const path = '/metadata/finalizers';
const [one, two, three, four] = ['one', 'two', 'three', 'four'].map((word) => `example.com/${word}`);

/** What is done to a list, one after the other, and what is left of it each time. */
const steps: readonly (readonly [what: string, operations: readonly Json[], left: readonly Json[]])[] = [
  ['a list in place of a list', [{ op: 'add', path, value: [one, two] }], [one, two]],
  ['one at the end', [{ op: 'add', path: `${path}/-`, value: three }], [one, two, three]],
  ['one between', [{ op: 'add', path: `${path}/1`, value: four }], [one, four, two, three]],
  ['the last one first', [{ op: 'move', from: `${path}/3`, path: `${path}/0` }], [three, one, four, two]],
  ['the first one two further', [{ op: 'move', from: `${path}/0`, path: `${path}/2` }], [one, four, three, two]],
  ['the second one last', [{ op: 'move', from: `${path}/1`, path: `${path}/-` }], [one, three, two, four]],
  [
    'a copy of the first one further on, and without it',
    [
      { op: 'copy', from: `${path}/0`, path: `${path}/3` },
      { op: 'remove', path: `${path}/0` },
    ],
    [three, two, one, four],
  ],
  [
    'a copy of one further on first, and without that',
    [
      { op: 'copy', from: `${path}/2`, path: `${path}/0` },
      { op: 'remove', path: `${path}/3` },
    ],
    [one, three, two, four],
  ],
  [
    'one that is there, and all',
    [
      { op: 'test', path: `${path}/1`, value: three },
      { op: 'test', path, value: [one, three, two, four] },
      { op: 'move', from: `${path}/0`, path: `${path}/1` },
      { op: 'move', from: `${path}/2`, path: `${path}/3` },
    ],
    [three, one, four, two],
  ],
  ['one less', [{ op: 'remove', path: `${path}/1` }], [three, four, two]],
  [
    'places that are counted from the end',
    [
      { op: 'test', path: `${path}/-1`, value: two },
      { op: 'replace', path: `${path}/-1`, value: one },
      { op: 'remove', path: `${path}/-2` },
      { op: 'copy', from: `${path}/-2`, path: `${path}/-` },
      { op: 'replace', path: `${path}/-3`, value: four },
      { op: 'move', from: `${path}/-1`, path: `${path}/0` },
      { op: 'replace', path: `${path}/-1`, value: two },
    ],
    [three, four, two],
  ],
  [
    'one that becomes a label',
    [
      { op: 'replace', path: `${path}/0`, value: one },
      { op: 'move', from: `${path}/1`, path: moved },
    ],
    [one, two],
  ],
];

/** Places that a list of two does not have: behind its end, before its beginning, and none at all. */
const astray = (['add', 'replace', 'remove'] as const).flatMap((op) =>
  ['3', '-4', 'first'].map((place) => [op, place] as const),
);

/** An element of a list has a place, which others move into when it goes. */
export async function jsonListsMean(objects: Collection, expect: RuleContext['expect'], name: string): Promise<void> {
  const before = (await objects.read(name)).metadata.finalizers ?? [];
  for (const [what, operations, left] of steps) {
    const answer = await objects.patch(name, operations, { type: 'json' });
    expect(answer.status, `${what}: ${said(answer)}`).toBe(200);
    expect(answer.body.metadata.finalizers, what).toEqual(left);
  }
  for (const [op, place] of astray) {
    const beyond = { op, path: `${path}/${place}`, ...(op === 'remove' ? {} : { value: three }) };
    expect((await objects.patch(name, [beyond], { type: 'json' })).status, `${op} at ${place} of two`).toBe(422);
  }
  expect((await objects.read(name)).metadata.annotations?.moved, 'what was moved').toBe(four);
  const after = [
    { op: 'add', path, value: before },
    { op: 'remove', path: moved },
  ];
  expect((await objects.patch(name, after, { type: 'json' })).status, 'a list as it was').toBe(200);
}
