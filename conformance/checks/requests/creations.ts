import type { Answer, Json } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { runLabel } from '../../verbs/guest/permit.ts';
import { merged } from '../../verbs/merged.ts';
import { said } from '../../verbs/said.ts';
import { lasting, nameOf, wanted } from '../../verbs/states.ts';
import { marking, type Subject } from '../../verbs/subjects.ts';
import { entryOf } from '../apply/managed-fields.ts';

/** A way in which an object comes to be, beside a POST to its collection. */
export interface Creation {
  readonly name: string;
  /** As managed fields call it. */
  readonly operation: 'Update' | 'Apply';
  readonly fits: (kind: Subject) => boolean;
  readonly send: (objects: Collection, body: Json, fieldManager: string) => Promise<Answer>;
}

/** Kinds whose objects can be made by a PUT, as far as the documents' kinds go. */
const createdByPut = ['roles', 'clusterroles', 'leases', 'services', 'events'];

export const byUpdate: Creation = {
  name: 'an update',
  operation: 'Update',
  fits: ({ name }) => createdByPut.includes(name),
  send: (objects, body, fieldManager) => objects.put(body, { fieldManager }),
};

export const byApply: Creation = {
  name: 'an apply',
  operation: 'Apply',
  fits: () => true,
  send: (objects, body, fieldManager) => objects.tryApply(nameOf(body), body, fieldManager),
};

const long = '2001-02-03T04:05:06Z';
const old = { metadata: { creationTimestamp: long } };

/** What two objects of other names have in common that were made alike; the label of the run is put on what is posted. */
function alike(object: Json, kind: Subject): Json {
  const plain = JSON.parse(JSON.stringify(wanted(lasting(object), kind)).replaceAll(nameOf(object), 'name'));
  delete plain.metadata.labels?.[runLabel];
  return plain;
}

/** What is made another way is what a POST makes of it, and belongs to whoever made it. */
export async function makesTheSame(
  { objects, expect }: { readonly objects: Collection; readonly expect: RuleContext['expect'] },
  kind: Subject,
  { name, operation, send }: Creation,
): Promise<void> {
  const [first, second] = [await objects.draft(marking('made')), await objects.draft(marking('made'))];
  const posted = await objects.post(first, { fieldManager: 'maker' });
  // Whoever sends what was read somewhere else sends when that was made.
  const made = await send(objects, merged(second, old), 'maker');
  expect([posted.status, made.status], `${name}: ${said(made)}`).toEqual([201, 201]);
  const { metadata } = made.body;
  // The volume of a pod's token has a name that is made up.
  if (kind.name !== 'pods') expect(alike(made.body, kind), `what ${name} makes`).toEqual(alike(posted.body, kind));
  expect(metadata.generation, `the generation of what ${name} makes`).toBe(posted.body.metadata.generation);
  for (const field of ['uid', 'creationTimestamp', 'resourceVersion'])
    expect(metadata[field], `${field} of what ${name} makes`).toBeTypeOf('string');
  expect(Date.parse(metadata.creationTimestamp), `when ${name} made it`).toBeGreaterThan(Date.parse(long));
  expect(entryOf(made.body, 'maker'), `the manager of what ${name} makes`).toMatchObject({ operation });
  expect((await objects.read(metadata.name)).metadata.uid, `what ${name} makes, as stored`).toBe(metadata.uid);
}
