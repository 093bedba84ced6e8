import type { Answer } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { merged } from '../../verbs/merged.ts';
import { nameOf } from '../../verbs/states.ts';
import { marking, type Subject } from '../../verbs/subjects.ts';

/** Kinds that servers hold under another group than that by which they are served: what is invalid is told of that. */
const heldElsewhere = ['events', 'ingresses'];

const unfit: Json = { metadata: { labels: { colour: 'not a value!' } } };

/** A refusal says in fields what was refused, for programs to go by; the words are for people. */
export async function tellsWhatIsRefused(
  objects: Collection,
  { busy }: Subject,
  expect: RuleContext['expect'],
): Promise<void> {
  const object = await objects.create();
  const name = nameOf(object);
  const { kind, resource, group } = objects.at;
  const ofGroup = group ? { group } : {};
  const tell = ({ status, body }: Answer, reason: string, code: number, details: Json): void => {
    const what = `${reason}: ${body?.message ?? ''}`;
    expect(status, what).toBe(code);
    expect(body, what).toMatchObject({ kind: 'Status', status: 'Failure', reason, code, details });
    if (!group) expect(body.details.group ?? '', what).toBe('');
  };
  const named = { name, kind: resource, ...ofGroup };
  tell(await objects.get('touchstone-missing'), 'NotFound', 404, { ...named, name: 'touchstone-missing' });
  tell(await objects.post(await objects.draft({ metadata: { name } })), 'AlreadyExists', 409, named);
  const refused = { name, kind, ...(heldElsewhere.includes(resource) ? {} : ofGroup) };
  const causes = { field: 'metadata.labels', reason: 'FieldValueInvalid' };
  for (const type of ['merge', 'json'] as const) {
    const change = type === 'merge' ? unfit : [{ op: 'add', path: '/metadata/labels', value: unfit.metadata.labels }];
    const answer = await objects.patch(name, change, { type });
    tell(answer, 'Invalid', 422, refused);
    expect(answer.body?.details?.causes ?? [], `${type} patch`).toContainEqual(expect.objectContaining(causes));
  }
  if (busy) return;
  await objects.merge(name, marking('changed'));
  tell(await objects.put(merged(object, marking('late'))), 'Conflict', 409, named);
}
