import type { Answer } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { merged } from '../../verbs/merged.ts';
import { said } from '../../verbs/said.ts';
import { nameOf } from '../../verbs/states.ts';
import { marking, type Subject } from '../../verbs/subjects.ts';

/** Kinds that servers hold under another group than that by which they are served: what is invalid is told of that. */
const heldElsewhere = ['events', 'ingresses'];

const unfit: Json = { metadata: { labels: { colour: 'not a value!' } } };

interface Told {
  readonly reason: string;
  readonly code: number;
  readonly details: Json;
}

const tells = (expect: RuleContext['expect'], answer: Answer, { reason, code, details }: Told): void => {
  const what = `${reason}: ${said(answer)}`;
  expect(answer.status, what).toBe(code);
  expect(answer.body, what).toMatchObject({ kind: 'Status', status: 'Failure', reason, code, details });
  if (details.group === undefined) expect(answer.body.details.group ?? '', what).toBe('');
};

/** What is invalid is told by its kind, and with what is wrong. */
async function tellsCauses(objects: Collection, expect: RuleContext['expect'], name: string, of: Json): Promise<void> {
  const { resource, kind } = objects.at;
  const details = { name, kind, ...(heldElsewhere.includes(resource) ? {} : of) };
  const causes = { field: 'metadata.labels', reason: 'FieldValueInvalid' };
  for (const type of ['merge', 'json'] as const) {
    const change = type === 'merge' ? unfit : [{ op: 'add', path: '/metadata/labels', value: unfit.metadata.labels }];
    const { status, body } = await objects.patch(name, change, { type });
    expect(status, `${type} patch`).toBe(422);
    expect(body, `${type} patch`).toMatchObject({ kind: 'Status', status: 'Failure', reason: 'Invalid', details });
    expect(body.details.causes ?? [], `${type} patch`).toContainEqual(expect.objectContaining(causes));
  }
}

/** A refusal says in fields what was refused, for programs to go by; the words are for people. */
export async function tellsWhatIsRefused(
  objects: Collection,
  { busy }: Subject,
  expect: RuleContext['expect'],
): Promise<void> {
  const object = await objects.create();
  const name = nameOf(object);
  const of = objects.at.group ? { group: objects.at.group } : {};
  const details = { name, kind: objects.at.resource, ...of };
  const missing = { ...details, name: 'touchstone-missing' };
  tells(expect, await objects.get(missing.name), { reason: 'NotFound', code: 404, details: missing });
  const again = await objects.post(await objects.draft({ metadata: { name } }));
  tells(expect, again, { reason: 'AlreadyExists', code: 409, details });
  await tellsCauses(objects, expect, name, of);
  if (busy) return;
  await objects.merge(name, marking('changed'));
  const late = await objects.put(merged(object, marking('late')));
  tells(expect, late, { reason: 'Conflict', code: 409, details });
}
