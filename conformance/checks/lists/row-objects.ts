import type { Answer } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { apiVersionOf } from '../../verbs/kinds.ts';
import { nameOf } from '../../verbs/states.ts';

const headers = { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' };

/** A Table has the same rows whatever of their objects it is to include: nothing, their metadata or all of them. */
export async function includesAsAsked(
  { expect }: RuleContext,
  objects: Collection,
  made: readonly string[],
): Promise<void> {
  const whole = { kind: objects.at.kind, apiVersion: apiVersionOf(objects.at) };
  const partial = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' };
  const rowsOf = ({ body }: Answer, what: string): Json[] => {
    expect(body, what).toMatchObject({ kind: 'Table' });
    for (const { cells } of body.rows) expect(cells, what).toHaveLength(body.columnDefinitions.length);
    return body.rows;
  };
  for (const includeObject of ['None', 'Metadata', 'Object']) {
    const query = { includeObject };
    const one = rowsOf(await objects.get(made[0] ?? '', query, { headers }), `${includeObject} of one`);
    const all = rowsOf(await objects.viewed('labels').getAll(query, { headers }), `${includeObject} of all`);
    expect([one.length, all.length], `rows with ${includeObject}`).toEqual([1, made.length]);
    for (const { object } of [...one, ...all])
      if (includeObject === 'None') expect(object ?? null, 'of an object that is not asked for').toBeNull();
      else expect(object, includeObject).toMatchObject(includeObject === 'Object' ? whole : partial);
    if (includeObject === 'None') continue;
    expect(all.map(({ object }) => nameOf(object)).sort(), includeObject).toEqual(made);
    expect(nameOf(one[0].object), includeObject).toBe(made[0]);
    for (const { object } of includeObject === 'Metadata' ? [...one, ...all] : [])
      expect(object.spec ?? object.status ?? object.data, 'what is no metadata').toBeUndefined();
  }
  const { status } = await objects.get(made[0] ?? '', { includeObject: 'Everything' }, { headers });
  expect(status, 'a word for none of these').toBe(400);
}
