import { heldFrom } from '../../holds-for.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { merged } from '../../verbs/merged.ts';
import { said } from '../../verbs/said.ts';
import { nameOf } from '../../verbs/states.ts';
import { named, type Subject } from '../../verbs/subjects.ts';

/** What kubectl notes when it applies on its own side. */
const note = 'kubectl.kubernetes.io/last-applied-configuration';

const annotated = (annotations: Json): Json => ({ metadata: { annotations } });

/** Kinds of both scopes, and custom ones. */
const kinds = named('secrets', 'ingresses', 'clusterroles', 'widgets', 'gadgets');

/** What is applied where `a` and `b` were noted, and `b` is another one since; the last one passes. */
const tries: readonly (readonly [what: string, manager: string, annotations: Json, status: number])[] = [
  ['what is as it was noted, by somebody else', 'second', { a: 'two' }, 409],
  ['what is another one since', 'kubectl', { b: 'three' }, 409],
  ['both of them', 'kubectl', { a: 'two', b: 'three' }, 409],
  ['what is as it was noted', 'kubectl', { a: 'two' }, 200],
];

/**
 * Who noted what it applied on its own side, as kubectl does, may go on on that of the server: with what is still as it
 * was noted, and with no more. The note goes along.
 */
export async function goesOnFromClientSide(
  { objects, version, expect }: Pick<RuleContext, 'expect' | 'version'> & { readonly objects: Collection },
  kind: Subject,
): Promise<void> {
  if (!kinds.includes(kind) || heldFrom({ from: 21 }, version)) return;
  const draft = await objects.draft();
  const { apiVersion } = draft;
  const config = { apiVersion, kind: objects.at.kind, ...annotated({ a: 'one', b: 'one' }) };
  const noted = merged(draft, merged(config, annotated({ [note]: JSON.stringify(config) })));
  const made = await objects.post(noted, { fieldManager: 'kubectl-client-side-apply' });
  expect(made.status, `with a note: ${said(made)}`).toBe(201);
  await objects.merge(nameOf(draft), annotated({ b: 'two' }));
  for (const [what, manager, annotations, status] of tries) {
    const answer = await objects.tryApply(nameOf(draft), annotated(annotations), manager);
    expect(answer.status, `${what}: ${said(answer)}`).toBe(status);
  }
  const { annotations } = (await objects.read(nameOf(draft))).metadata;
  expect(annotations, 'what was applied').toMatchObject({ a: 'two', b: 'two' });
  expect(JSON.parse(annotations[note]).metadata.annotations, 'the note').toEqual({ a: 'two' });
}
