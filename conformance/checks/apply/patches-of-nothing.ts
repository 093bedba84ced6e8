import type { Answer } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import type { PatchType } from '../../verbs/patch-types.ts';
import { said } from '../../verbs/said.ts';

/** Takes away a label that is not there, beside others that are. */
const absent = { metadata: { labels: { 'example.com/absent': null } } };

/** Patches that ask for nothing, or for what is so already, by the writes that send them. */
const nothings: Readonly<Record<string, readonly [type: PatchType, ...bodies: Json[]]>> = {
  'JSON patch': ['json', []],
  'merge patch': ['merge', {}, absent],
  'strategic merge patch': ['strategic', {}, absent],
};

/** The answers to patches that change nothing, one by one. */
export async function sendNothings(objects: Collection, name: string, write: string): Promise<readonly Answer[]> {
  const [type, ...bodies] = nothings[write] ?? [];
  const answers: Answer[] = [];
  if (type) for (const body of bodies) answers.push(await objects.patch(name, body, { type }));
  return answers;
}

/** A patch that asks for nothing is answered with what is there. */
export async function changesNothing(
  objects: Collection,
  expect: RuleContext['expect'],
  name: string,
  write: string,
): Promise<void> {
  const { uid } = (await objects.read(name)).metadata;
  for (const answer of await sendNothings(objects, name, write)) {
    expect(answer.status, `a patch of nothing: ${said(answer)}`).toBe(200);
    expect(answer.body.metadata.uid, 'of a patch of nothing').toBe(uid);
  }
}
