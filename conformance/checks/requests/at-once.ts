import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { said } from '../../verbs/said.ts';
import { nameOf, versionOf } from '../../verbs/states.ts';

/** Of those who make an object of one name at a time one does, and what he made is there. */
export async function oneMakesIt(objects: Collection, expect: RuleContext['expect']): Promise<void> {
  const body = await objects.draft();
  const answers = await Promise.all(Array.from({ length: 4 }, () => objects.post(body)));
  expect(answers.map(({ status }) => status).sort(), 'several creates at a time').toEqual([201, 409, 409, 409]);
  const made = answers.find(({ status }) => status === 201);
  expect((await objects.read(nameOf(body))).metadata.uid, 'what is there').toBe(made?.body.metadata.uid);
}

/** Those who have names made up at a time each get an object of their own. */
export async function allMakeTheirs(objects: Collection, expect: RuleContext['expect']): Promise<void> {
  const body = await objects.draft({ metadata: { name: undefined, generateName: 'at-once-' } });
  const answers = await Promise.all(Array.from({ length: 12 }, () => objects.post(body)));
  for (const answer of answers) expect(answer.status, `several creates at a time: ${said(answer)}`).toBe(201);
  const own = { name: nameOf, uid: ({ metadata }: Json) => metadata.uid, version: versionOf };
  for (const [what, of] of Object.entries(own)) {
    const told = answers.map(({ body: made }) => of(made));
    expect(new Set(told).size, `the ${what} of each of several at a time: ${told.join(', ')}`).toBe(answers.length);
  }
}
