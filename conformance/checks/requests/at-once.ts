import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { nameOf } from '../../verbs/states.ts';

/** Of those who make an object of one name at a time one does, and what he made is there. */
export async function oneMakesIt(objects: Collection, expect: RuleContext['expect']): Promise<void> {
  const body = await objects.draft();
  const answers = await Promise.all(Array.from({ length: 4 }, () => objects.post(body)));
  expect(answers.map(({ status }) => status).sort(), 'several creates at a time').toEqual([201, 409, 409, 409]);
  const made = answers.find(({ status }) => status === 201);
  expect((await objects.read(nameOf(body))).metadata.uid, 'what is there').toBe(made?.body.metadata.uid);
}
