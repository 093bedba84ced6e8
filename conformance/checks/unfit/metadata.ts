import type { Answer } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { merged } from '../../verbs/merged.ts';
import { said } from '../../verbs/said.ts';
import { nameOf } from '../../verbs/states.ts';
import type { Subject } from '../../verbs/subjects.ts';

const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'none', uid: 'none' };
/** Keys and values of all annotations of an object have as many bytes at most. */
const mostAnnotations = 262_144;

const unfit: Readonly<Record<string, Json>> = {
  'a key with a blank': { labels: { 'a b': 'c' } },
  'a domain in capitals': { labels: { 'Example.com/a': 'b' } },
  'a domain of 254 letters': { labels: { [`${'d'.repeat(254)}/a`]: 'b' } },
  'a key of 64 letters': { labels: { ['k'.repeat(64)]: 'a' } },
  'a label with a blank': { labels: { a: 'b c' } },
  'a second label with a blank': { labels: { a: 'b', c: 'd e' } },
  'a label of 64 letters': { labels: { a: 'x'.repeat(64) } },
  'an annotation of a bad key': { annotations: { 'a b': 'c' } },
  'a second annotation of a bad key': { annotations: { a: 'b', 'c d': 'e' } },
  // Neither of them is too large, both keys count, and a letter may take two bytes.
  'annotations of more than 256 KiB': {
    annotations: { a: 'ä'.repeat(mostAnnotations / 4), b: 'x'.repeat(mostAnnotations / 2 - 1) },
  },
  'a finalizer that is no name': { finalizers: ['not good/'] },
  'finalizers that exclude each other': { finalizers: ['orphan', 'foregroundDeletion'] },
  'an owner without a uid': { ownerReferences: [{ ...owner, uid: '' }] },
  'a second owner without a uid': { ownerReferences: [owner, { ...owner, uid: '' }] },
  'an owner without a name': { ownerReferences: [{ ...owner, name: '' }] },
  'an owner of no kind': { ownerReferences: [{ ...owner, kind: '' }] },
  'an owner of no version': { ownerReferences: [{ ...owner, apiVersion: '' }] },
  'an owner of two groups': { ownerReferences: [{ ...owner, apiVersion: 'apps/example.com/v1' }] },
  'an Event as owner': { ownerReferences: [{ ...owner, kind: 'Event' }] },
  // Nor do they where a third does not.
  'two owners that control it': {
    ownerReferences: ['first', 'plain', 'other'].map((uid) => ({ ...owner, uid, controller: uid !== 'plain' })),
  },
};

/** Refused of new objects of built-in kinds; what of those that are there is not said. */
const plainFinalizer: Json = { finalizers: ['example.com/one', 'plain'] };

const fitting: Readonly<Record<string, Json>> = {
  'a key and a label of 63 letters': { labels: { ['k'.repeat(63)]: 'x'.repeat(63) } },
  'a domain of 253 letters': { annotations: { [`${'d'.repeat(253)}/a`]: 'b' } },
  'a label without a value': { labels: { 'a.b/c.d_e-F': '' } },
  'annotations of 256 KiB': { annotations: { a: 'x'.repeat(mostAnnotations - 1) } },
  'two owners, of which one controls it': { ownerReferences: [owner, { ...owner, uid: 'other', controller: true }] },
};

/** Metadata in place of what is there, by every way of changing it. */
const changes = (objects: Collection, object: Json, metadata: Json) => {
  const name = nameOf(object);
  const [[member, value] = ['', undefined]] = Object.entries(metadata);
  const whole = Array.isArray(value) ? value : { ...object.metadata[member], ...(value as Json) };
  return {
    update: () =>
      objects.put(merged(object, { metadata: { ...metadata, resourceVersion: object.metadata.resourceVersion } })),
    'merge patch': () => objects.patch(name, { metadata }),
    'JSON patch': () =>
      objects.patch(name, [{ op: 'add', path: `/metadata/${member}`, value: whole }], { type: 'json' }),
    apply: () => objects.tryApply(name, { metadata }, 'applier', { force: 'true' }),
  } satisfies Readonly<Record<string, () => Promise<Answer>>>;
};

/** A text that is null is an empty one. */
async function takesNulls(objects: Collection, expect: RuleContext['expect']): Promise<void> {
  const nulls = { labels: { none: null }, annotations: { none: null } };
  const answer = await objects.post(await objects.draft({ metadata: nulls }), { dryRun: 'All' });
  expect(answer.status, `null for texts: ${said(answer)}`).toBe(201);
  expect(answer.body.metadata, 'null for texts').toMatchObject({ labels: { none: '' }, annotations: { none: '' } });
}

/** Metadata that is none is refused of new objects and of those that are there, and so are more finalizers of what goes. */
export async function judgesMetadata(context: RuleContext, kind: Subject): Promise<void> {
  const { expect } = context;
  const objects = await kind.open(context);
  for (const [what, metadata] of Object.entries(fitting)) {
    const answered = await objects.post(await objects.draft({ metadata }), { dryRun: 'All' });
    expect(answered.status, `${what}: ${said(answered)}`).toBe(201);
  }
  if (!kind.custom) await takesNulls(objects, expect);
  const object = await objects.create();
  for (const [what, metadata] of Object.entries(unfit)) {
    const { status, body } = await objects.post(await objects.draft({ metadata }));
    expect(status, what).toBe(422);
    expect(body, what).toMatchObject({ kind: 'Status', status: 'Failure', reason: 'Invalid' });
    // How finalizers of custom objects that are there may be called is not known.
    if (kind.custom && 'finalizers' in metadata) continue;
    await refusesMetadata(context, objects, await objects.read(nameOf(object)), [what, metadata]);
  }
  if (!kind.custom) {
    const { status } = await objects.post(await objects.draft({ metadata: plainFinalizer }));
    expect(status, 'a finalizer without a domain').toBe(422);
  }
  const [hold, more] = ['example.com/hold', 'example.com/more'];
  const going = await objects.create({ metadata: { finalizers: [hold] } });
  await objects.delete(nameOf(going), { query: { propagationPolicy: 'Background' } });
  const added = { finalizers: [...(await objects.read(nameOf(going))).metadata.finalizers, more] };
  await refusesMetadata(context, objects, await objects.read(nameOf(going)), ['more finalizers of what goes', added]);
  const other = { finalizers: [more, ...added.finalizers.filter((one: string) => one !== hold && one !== more)] };
  for (const write of ['update', 'merge patch', 'JSON patch'] as const) {
    const { status } = await changes(objects, await objects.read(nameOf(going)), other)[write]();
    expect(status, `another finalizer of what goes, by ${write}`).toBe(422);
  }
  expect((await objects.read(nameOf(going))).metadata.finalizers, 'of what goes').toContain(hold);
}

async function refusesMetadata(
  { expect }: RuleContext,
  objects: Collection,
  object: Json,
  [what, metadata]: readonly [string, Json],
): Promise<void> {
  for (const [write, send] of Object.entries(changes(objects, object, metadata)))
    expect((await send()).status, `${what}, by ${write}`).toBe(422);
  const { finalizers = [], ownerReferences, labels, annotations } = (await objects.read(nameOf(object))).metadata;
  const before = object.metadata;
  expect({ finalizers, ownerReferences, labels, annotations }, `stored after ${what}`).toEqual({
    ...{ finalizers: before.finalizers ?? [], ownerReferences: before.ownerReferences },
    ...{ labels: before.labels, annotations: before.annotations },
  });
}
