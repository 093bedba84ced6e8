import type { Answer } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { merged } from '../../verbs/merged.ts';
import { said } from '../../verbs/said.ts';
import { nameOf } from '../../verbs/states.ts';
import { changeOf, type Subject } from '../../verbs/subjects.ts';
import { unversioned } from '../requests/writes.ts';
import { hookOnWrites } from './reviewed-writes.ts';

const words = ['labels', 'annotations'] as const;
const changeIn = (round: number): Json =>
  Object.fromEntries(words.map((part) => [part, { before: `r${round}`, [`r${round}`]: 'yes' }]));

type Change = (objects: Collection, object: Json, change: Json) => Promise<Answer>;

const changes: Readonly<Record<string, (kind: Subject) => Change>> = {
  update: (kind) => (objects, object, change) => objects.put(unversioned(kind, merged(object, change))),
  'merge patch': () => (objects, object, change) => objects.patch(nameOf(object), change),
  'JSON patch': () => (objects, object, change) =>
    objects.patch(
      nameOf(object),
      words.map((part) => ({
        ...{ op: 'add', path: `/metadata/${part}` },
        value: { ...object.metadata[part], ...change.metadata[part] },
      })),
      { type: 'json' },
    ),
  apply: () => (objects, object, change) => objects.tryApply(nameOf(object), change, 'applier', { force: 'true' }),
};

type Shown = RuleContext & { readonly objects: Collection };

const atOnce = { propagationPolicy: 'Background', gracePeriodSeconds: 0 };

/** The old object is the one that was there, with all that is about it, and the new one is what will be there. */
export async function showsBoth(context: Shown, kind: Subject): Promise<void> {
  const { objects, expect } = context;
  const received = await hookOnWrites(context, kind, 'validating');
  let object = await objects.create({ metadata: changeIn(0) });
  const isAsIn = (told: Json, wanted: Json, what: string): void => {
    for (const part of words) expect(told?.metadata?.[part], `${part}, ${what}`).toEqual(wanted.metadata[part]);
  };
  for (const [index, [what, change]] of Object.entries(changes).entries()) {
    const round = index + 1;
    const answer = await change(kind)(objects, object, merged(changeOf(kind, round), { metadata: changeIn(round) }));
    expect(answer.status, `${what}: ${said(answer)}`).toBe(200);
    const request = received().at(-1);
    isAsIn(request?.oldObject, object, `the old object of ${what}`);
    isAsIn(request?.object, answer.body, `the new object of ${what}`);
    object = answer.body;
  }
  await objects.delete(nameOf(object), { query: atOnce });
  isAsIn(received().at(-1)?.oldObject, object, 'the old object of delete');
  await showsEach(context, received);
}

/** Of all that a deletecollection takes away each is asked about by itself. */
async function showsEach({ objects, expect }: Shown, received: () => readonly Json[]): Promise<void> {
  const made = await objects.createMany(3);
  const since = received().length;
  const answer = await objects.viewed('labels').deleteAll({ query: atOnce });
  expect(answer.status, `deletecollection: ${said(answer)}`).toBe(200);
  const asked = new Set(
    received()
      .slice(since)
      .map(({ oldObject }) => oldObject?.metadata?.name),
  );
  expect([...asked].sort(), 'the old objects of deletecollection').toEqual(made.map(nameOf).sort());
}
