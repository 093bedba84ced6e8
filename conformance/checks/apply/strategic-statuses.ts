import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { said } from '../../verbs/said.ts';

/** The conditions in a status are told apart by their type, whatever path leads to them. */
export async function strategicStatusMeans(
  services: Collection,
  expect: RuleContext['expect'],
  name: string,
): Promise<void> {
  const lasting = { status: 'True', reason: 'Judged', message: '', lastTransitionTime: '2024-05-06T07:08:09Z' };
  const send = async (...conditions: readonly Json[]): Promise<Json> => {
    const answer = await services.patch(name, { status: { conditions } }, { type: 'strategic', sub: 'status' });
    expect(answer.status, `a status: ${said(answer)}`).toBe(200);
    return Object.fromEntries(answer.body.status.conditions.map((one: Json) => [one.type, one.status]));
  };
  const [one, two] = ['example.com/One', 'example.com/Two'];
  await send({ type: one, ...lasting }, { type: two, ...lasting });
  const changed = await send({ type: two, status: 'False' });
  expect(changed, 'a condition of a status').toEqual({ [one]: 'True', [two]: 'False' });
  const fewer = await send({ type: two, $patch: 'delete' });
  expect(fewer, 'a condition of a status that is deleted').toEqual({ [one]: 'True' });
}
