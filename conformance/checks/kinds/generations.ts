import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { customType } from '../../verbs/custom-types.ts';
import { said } from '../../verbs/said.ts';
import { nameOf } from '../../verbs/states.ts';
import { named, type Subject, subjects } from '../../verbs/subjects.ts';
import { objectOf, whole } from '../custom/schema-parts.ts';
import { changingWrites } from '../requests/writes.ts';

/** Kinds of which each change of what is wanted is a new generation. */
export const countingKinds = named('deployments', 'jobs', 'ingresses', 'endpointslices', 'widgets', 'gadgets');

/** So does something that is taken away, and another order of a list. */
async function countsParts({ expect }: RuleContext, objects: Collection, name: string, first: number): Promise<number> {
  const parts = [{ note: 'some', marks: ['a', 'b'] }, { note: null }, { marks: ['b', 'a'] }];
  for (const [index, spec] of parts.entries()) {
    const { metadata } = await objects.merge(name, { spec });
    expect(metadata.generation, `after ${JSON.stringify(spec)}`).toBe(first + index + 1);
  }
  return parts.length;
}

/**
 * A status that has no path of its own is a part like any other: whoever changes it makes a new generation, and below the
 * object there is none.
 */
export async function countsWhole(context: RuleContext): Promise<void> {
  const { expect } = context;
  const things = await customType(context, { spec: objectOf({ size: whole }), status: objectOf({ ready: whole }) });
  const made = await things.create({ spec: { size: 1 }, status: { ready: 1 } });
  expect([made.metadata.generation, made.status], 'of a new object').toEqual([1, { ready: 1 }]);
  let wanted = 1;
  const writes = changingWrites.filter(({ sub, fits }) => sub === '' && fits(subjects.widgets));
  for (const [index, write] of writes.entries()) {
    const kind = { ...subjects.widgets, change: () => ({ status: { ready: index + 2 } }) };
    const answer = await write.send({ objects: things, object: await things.read(nameOf(made)), kind });
    wanted += 1;
    expect(answer.status, `${write.name}: ${said(answer)}`).toBe(200);
    expect([answer.body.metadata.generation, answer.body.status.ready], `a status by ${write.name}`).toEqual([
      wanted,
      index + 2,
    ]);
    expect((await things.read(nameOf(made))).status, `what is stored by ${write.name}`).toEqual(answer.body.status);
  }
  await countsNothingElse(context, things, nameOf(made), wanted);
}

async function countsNothingElse({ expect }: RuleContext, things: Collection, name: string, wanted: number) {
  const labelled = await things.merge(name, { metadata: { labels: { a: 'b' } } });
  expect(labelled.metadata.generation, 'after a label').toBe(wanted);
  const below = await things.patch(name, { status: { ready: 0 } }, { sub: 'status' });
  expect(below.status, 'what is below it').toBe(404);
}

/** Whichever of its versions a custom object is written in, what says the same in another one is no new generation. */
export async function countsInVersions(context: RuleContext): Promise<void> {
  const { kind, expect } = context;
  const stored = await customType(context, { spec: objectOf({ size: whole }), others: ['v2'] });
  const other = kind({ ...stored.at, version: 'v2' });
  const name = nameOf(await other.create({ spec: { size: 1 } }));
  let wanted = 1;
  for (const objects of [other, stored, other]) {
    const { version } = objects.at;
    const answered = await objects.put(await objects.read(name));
    expect(answered.status, `an update by ${version} that changes nothing: ${said(answered)}`).toBe(200);
    expect(answered.body.metadata.generation, `after an update by ${version} that changes nothing`).toBe(wanted);
    const labelled = await objects.merge(name, { metadata: { labels: { round: `${wanted}` } } });
    expect(labelled.metadata.generation, `after a label by ${version}`).toBe(wanted);
    wanted += 1;
    const changed = await objects.merge(name, { spec: { size: wanted } });
    expect(changed.metadata.generation, `after a change by ${version}`).toBe(wanted);
  }
}

/** What is wanted counts, whichever way it was changed; what is told of it, and what is about it, do not. */
export async function countsGenerations(context: RuleContext, kind: Subject): Promise<void> {
  const { expect } = context;
  const objects = await kind.open(context);
  const { name, generation: first } = (await objects.create()).metadata;
  expect(first, 'of a new object').toBe(1);
  const generation = async (): Promise<number> => (await objects.read(name)).metadata.generation;
  let wanted = first;
  for (const [index, write] of changingWrites.filter(({ fits }) => fits(kind)).entries()) {
    if (write.sub !== 'status') wanted += 1;
    for (const what of [write.name, `the same ${write.name} again`]) {
      const answer = await write.send({ objects, object: await objects.read(name), kind, round: index + 2 });
      expect(answer.status, `${what}: ${said(answer)}`).toBe(200);
      expect(await generation(), `after ${what}`).toBe(wanted);
    }
  }
  if (kind.custom) wanted += await countsParts(context, objects, name, wanted);
  const labelled = await objects.merge(name, { metadata: { labels: { counted: 'yes' } } });
  // Whose slice it is, and who cares for it, its labels say.
  if (kind.name === 'endpointslices') wanted += 1;
  expect(labelled.metadata.generation, 'after a label').toBe(wanted);
  const noted = await objects.merge(name, { metadata: { annotations: { counted: 'no' } } });
  // Those of a deployment are of its rollout, and others may note more of it.
  if (kind.name === 'deployments') {
    expect(noted.metadata.generation, 'after an annotation').toBeGreaterThan(wanted);
    wanted = noted.metadata.generation;
  } else expect(noted.metadata.generation, 'after an annotation').toBe(wanted);
  const held = await objects.merge(name, { metadata: { finalizers: ['example.com/one'] } });
  expect(held.metadata.generation, 'after a finalizer').toBe(wanted);
  await objects.delete(name, { query: { propagationPolicy: 'Background' } });
  expect(await generation(), 'after a delete').toBe(wanted + 1);
  await objects.patch(name, { metadata: { finalizers: null } });
}
