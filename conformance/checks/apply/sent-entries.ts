import { heldFrom } from '../../holds-for.ts';
import type { Answer } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { merged } from '../../verbs/merged.ts';
import { said } from '../../verbs/said.ts';
import { nameOf } from '../../verbs/states.ts';
import { marking, type Subject } from '../../verbs/subjects.ts';
import { appliedStatus, saying, unversioned, type Write } from '../requests/writes.ts';

/** Lists of entries that say nothing that could be understood: what is stored counts. */
const unreadable = ({ fieldsType, ...entry }: Json): Readonly<Record<string, Json>> => ({
  'two empty entries': [{}, {}],
  'an entry of an unknown operation': [{ ...entry, fieldsType, operation: 'Create' }],
  'an entry of unknown fields': [{ ...entry, fieldsType: 'FieldsV0' }],
  'an entry that does not say of what type its fields are': [entry],
});

/** An update of what is there that says who owns what. */
type Owning = (current: Json, managedFields: Json) => Promise<Answer>;

/** Entries that nobody understands leave those that are stored. */
async function passesOver(
  expect: RuleContext['expect'],
  lists: Readonly<Record<string, Json>>,
  stored: Json,
  owning: Owning,
): Promise<void> {
  for (const [what, list] of Object.entries(lists)) {
    const answer = await owning(stored, list);
    expect(answer.status, `${what}: ${said(answer)}`).toBe(200);
    expect(answer.body.metadata.managedFields, `after ${what}`).toEqual(stored.metadata.managedFields);
  }
}

/** An update may say who owns what, and may take that from everybody. */
export async function takesEntries(
  { version, expect }: Pick<RuleContext, 'version' | 'expect'>,
  objects: Collection,
  kind: Subject,
  object: Json,
): Promise<void> {
  const owning: Owning = (current, managedFields) =>
    objects.put(merged(unversioned(kind, current), { metadata: { managedFields } }));
  const [entry] = object.metadata.managedFields;
  const renamed = (await owning(object, [{ ...entry, manager: 'renamed' }])).body.metadata.managedFields;
  expect(renamed, 'an entry of another name alone').toEqual([{ ...entry, manager: 'renamed' }]);
  const stored = await objects.read(nameOf(object));
  expect(stored.metadata.managedFields, 'as stored').toEqual(renamed);
  // What servers before made of them is not known.
  if (!heldFrom({ from: 25 }, version)) await passesOver(expect, unreadable(entry), stored, owning);
  const emptied = await owning(stored, [{}]);
  expect(emptied.status, `an empty entry: ${said(emptied)}`).toBe(200);
  expect(emptied.body.metadata.managedFields ?? [], 'after an empty entry').toEqual([]);
}

/** Every list that clears the entries; of a custom type an empty list may be as good as none. */
const clearing = ({ custom }: Subject): readonly Json[] => (custom ? [[{}]] : [[{}], []]);

/** A write that brings a list of no entries takes them from everybody. */
async function clearsEntries(
  { objects, expect }: Pick<RuleContext, 'expect'> & { readonly objects: Collection },
  kind: Subject,
  write: Write,
  name: string,
): Promise<void> {
  for (const managedFields of clearing(kind)) {
    await objects.apply(name, { metadata: { annotations: { 'example.com/owned': 'yes' } } }, 'applier');
    const object = await objects.read(name);
    const answer = await write.send({ objects, object, kind: saying(kind, { managedFields }) });
    const what = `a ${write.name} with the entries ${JSON.stringify(managedFields)}`;
    expect(answer.status, `${what}: ${said(answer)}`).toBe(200);
    expect(answer.body.metadata.managedFields ?? [], `after ${what}`).toEqual([]);
  }
}

/** Through a part of an object nobody says who owns it: entries that are sent along there are passed over. */
async function keepsEntries(
  { objects, expect }: Pick<RuleContext, 'expect'> & { readonly objects: Collection },
  kind: Subject,
  write: Write,
  name: string,
): Promise<void> {
  const before = await objects.read(name);
  const named = ({ metadata }: Json): string[] => (metadata.managedFields ?? []).map((entry: Json) => entry.manager);
  const [entry] = before.metadata.managedFields;
  for (const managedFields of [[{}], [{ ...entry, manager: 'renamed' }]]) {
    const object = await objects.read(name);
    const answered = await write.send({ objects, object, kind: saying(kind, { managedFields }) });
    const what = `a ${write.name} with the entries ${JSON.stringify(managedFields)}`;
    expect(answered.status, `${what}: ${said(answered)}`).toBe(200);
    const after = named(await objects.read(name));
    expect(after, `after ${what}`).toEqual(expect.arrayContaining(named(before)));
    expect(after, `after ${what}`).not.toContain('renamed');
  }
}

/**
 * What a write says of who owns what: one of a whole object may take that from everybody, one of a part says nothing of it.
 * @param isBooked whether the write itself is an entry
 */
export async function heedsEntries(
  { objects, version, expect }: Pick<RuleContext, 'version' | 'expect'> & { readonly objects: Collection },
  kind: Subject,
  write: Write,
  { name, isBooked, clears }: { readonly name: string; readonly isBooked: boolean; readonly clears: boolean },
): Promise<void> {
  const isPart = write.sub === 'status' && !write.name.startsWith('apply') && !heldFrom({ from: 22 }, version);
  if (isPart && isBooked && !kind.busy) await keepsEntries({ objects, expect }, kind, write, name);
  const mayClear = write.sub === '' && write.name !== 'apply';
  if (mayClear && clears) await clearsEntries({ objects, expect }, kind, write, name);
}

/** A status that is applied with this as well. */
const appliesStatus = (objects: Collection, kind: Subject, name: string, more: Json): Promise<Answer> =>
  appliedStatus.send({
    objects,
    object: { metadata: { name } },
    kind: { ...kind, status: (round) => merged(kind.status?.(round) ?? {}, more) },
  });

/** Entries in what is applied to an object that is there, to a new one, and to a status. */
export async function refusesEntries(
  { objects, expect }: Pick<RuleContext, 'expect'> & { readonly objects: Collection },
  kind: Subject,
  body: Json,
  listed: Json,
): Promise<void> {
  const other = merged(await objects.draft(), listed);
  const apply = (object: Json) => objects.tryApply(nameOf(object), merged(object, listed), 'applier');
  const refused = {
    'an object that is there': await apply(merged(body, marking('two'))),
    'a new object': await apply(other),
    ...(appliedStatus.fits(kind) && { 'a status': await appliesStatus(objects, kind, nameOf(body), listed) }),
  };
  for (const [of, { status }] of Object.entries(refused)) {
    const what = `${JSON.stringify(listed.metadata.managedFields).slice(0, 9)} of ${of}`;
    expect(status, what).toBeGreaterThanOrEqual(400);
    expect(status, what).toBeLessThan(500);
  }
  expect((await objects.get(nameOf(other))).status, 'the new object').toBe(404);
}
