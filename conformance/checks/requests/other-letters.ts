import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { said } from '../../verbs/said.ts';
import { nameOf } from '../../verbs/states.ts';

/** A name in other letters is another name, of kinds whose names may have any. */
export async function tellsLettersApart(
  objects: Collection,
  expect: RuleContext['expect'],
  object: Json,
): Promise<void> {
  const name = nameOf(object).toUpperCase();
  const answer = await objects.post(await objects.draft({ metadata: { name } }));
  expect(answer.status, `the name in capitals: ${said(answer)}`).toBe(201);
  expect(answer.body.metadata.name, 'the name in capitals').toBe(name);
  for (const { metadata } of [object, answer.body])
    expect((await objects.read(metadata.name)).metadata.uid, metadata.name).toBe(metadata.uid);
}
