import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { isMap, type Json } from '../../verbs/json.ts';
import { said } from '../../verbs/said.ts';

/** What is stored beside what was sent, as a patch takes it away: no more than members of maps. */
export function takingAway(sent: Json, stored: Json): Json {
  const parts = Object.entries(stored).flatMap(([key, value]): [string, Json][] => {
    if (sent[key] === undefined) return [[key, null]];
    const within = isMap(value) && isMap(sent[key]) ? takingAway(sent[key], value) : {};
    return Object.keys(within).length > 0 ? [[key, within]] : [];
  });
  return Object.fromEntries(parts);
}

/** What is filled in is there again as soon as a patch has taken it away: the answer shows it. */
export async function fillsAgain(
  { expect }: RuleContext,
  objects: Collection,
  name: string,
  patch: Json,
  stored: Json,
): Promise<void> {
  if (Object.keys(patch).length === 0) return;
  for (const type of ['merge', 'strategic'] as const) {
    const answer = await objects.patch(name, patch, { type });
    const what = `${JSON.stringify(patch)} by a ${type} patch`;
    expect(answer.status, `${what}: ${said(answer)}`).toBe(200);
    expect(answer.body, `the answer to ${what}`).toMatchObject(stored);
  }
}
