import type { Expect } from '../../assertions.ts';
import type { Answer } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { apiVersionOf, type KindPath } from '../../verbs/kinds.ts';
import { nameOf } from '../../verbs/states.ts';

const headers = { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' };

/** A Table has the same rows whatever of their objects it is to include: nothing, their metadata or all of them. */
export async function includesAsAsked(
  { expect }: RuleContext,
  objects: Collection,
  made: readonly string[],
): Promise<void> {
  const [first = ''] = made;
  for (const includeObject of ['None', 'Metadata', 'Object']) {
    const query = { includeObject };
    const one = rowsOf(await objects.get(first, query, { headers }), `${includeObject} of one`, expect);
    const all = rowsOf(await objects.viewed('labels').getAll(query, { headers }), `${includeObject} of all`, expect);
    expect([one.length, all.length], `rows with ${includeObject}`).toEqual([1, made.length]);
    for (const { object } of [...one, ...all]) isAsAsked(object, includeObject, objects.at, expect);
    if (includeObject === 'None') continue;
    expect(all.map(({ object }) => nameOf(object)).sort(), includeObject).toEqual(made);
    expect(nameOf(one[0]?.object), includeObject).toBe(first);
  }
  const { status } = await objects.get(first, { includeObject: 'Everything' }, { headers });
  expect(status, 'a word for none of these').toBe(400);
}

function rowsOf({ body }: Answer, what: string, expect: Expect): readonly Json[] {
  expect(body, what).toMatchObject({ kind: 'Table' });
  for (const { cells } of body.rows) expect(cells, what).toHaveLength(body.columnDefinitions.length);
  return body.rows;
}

function isAsAsked(object: Json, includeObject: string, at: KindPath, expect: Expect): void {
  if (includeObject === 'None') expect(object ?? null, 'of an object that is not asked for').toBeNull();
  if (includeObject === 'Object')
    expect(object, 'Object').toMatchObject({ kind: at.kind, apiVersion: apiVersionOf(at) });
  if (includeObject !== 'Metadata') return;
  expect(object, 'Metadata').toMatchObject({ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' });
  expect(object.spec ?? object.status ?? object.data, 'what is no metadata').toBeUndefined();
}
