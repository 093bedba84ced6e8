import type { Expect } from '../../assertions.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { merged } from '../../verbs/merged.ts';
import { protobufType, readEnvelope, renamed, writeEnvelope } from '../../verbs/protobuf.ts';
import { said } from '../../verbs/said.ts';
import { changeOf, type Subject } from '../../verbs/subjects.ts';
import { otherWriteForms } from '../lists/selecting-forms.ts';
import { bindingOf } from '../pods/pod-requests.ts';
import type { Write } from './writes.ts';

const dry = { dryRun: 'All' };

/** Ways to tell a delete more than that it is a rehearsal. */
const deleteBodies = ({ metadata: { uid, resourceVersion } }: Json): readonly Json[] => [
  { preconditions: { uid } },
  { preconditions: { resourceVersion } },
  { propagationPolicy: 'Foreground' },
  { propagationPolicy: 'Orphan' },
  { gracePeriodSeconds: 0 },
];
const deleteOptions = { apiVersion: 'v1', kind: 'DeleteOptions', dryRun: ['All'] };

/** Deletes that say more are tried all the same: they answer as they would in earnest, and that is all. */
export async function triesDeletes(
  objects: Collection,
  expect: Expect,
  object: Json,
  { name: write }: Write,
): Promise<void> {
  const { name } = object.metadata;
  if (write === 'deletecollection') return triesDeletesOfAll(objects, expect, name);
  for (const more of deleteBodies(await objects.read(name))) {
    const answer = await objects.delete(name, { body: { ...deleteOptions, ...more } });
    // A version may be old by then.
    expect([200, 202, 409], `${JSON.stringify(more)}: ${said(answer)}`).toContain(answer.status);
  }
}

async function triesDeletesOfAll(objects: Collection, expect: Expect, name: string): Promise<void> {
  const fieldSelector = `metadata.name=${name}`;
  const answered = await objects.viewed('labels').deleteAll({ query: { ...dry, fieldSelector } });
  expect(answered.status, `by fields: ${said(answered)}`).toBe(200);
  for (const more of [{}, { propagationPolicy: 'Background' }, { gracePeriodSeconds: 0 }]) {
    const answer = await objects.viewed('labels').deleteAll({ body: { ...deleteOptions, ...more } });
    expect(answer.status, `all, by ${JSON.stringify(more)} and its options: ${said(answer)}`).toBe(200);
  }
}

/** By its options a delete is tried in that one word as well. */
export async function refusesOptions(
  objects: Collection,
  expect: Expect,
  name: string,
  { verb }: Write,
): Promise<void> {
  for (const dryRun of [['None'], ['All', 'None']]) {
    const body = { ...deleteOptions, dryRun };
    const { status } =
      verb === 'deletecollection'
        ? await objects.viewed('labels').deleteAll({ body })
        : await objects.delete(name, { body });
    expect(status, `${dryRun} among its options`).toBe(422);
  }
}

/** A create is tried in whatever form its body comes; nobody has to take YAML. */
export async function triesInYaml(objects: Collection, expect: Expect): Promise<void> {
  const headers = { 'content-type': 'application/yaml' };
  const answer = await objects.post(JSON.stringify(await objects.draft()), dry, { headers });
  expect([201, 415], `in YAML: ${said(answer)}`).toContain(answer.status);
}

/** Of a copy in protobuf nothing is made either. */
export async function triesInProtobuf(
  { unique, expect }: RuleContext,
  objects: Collection,
  name: string,
): Promise<void> {
  const { raw, ...envelope } = readEnvelope((await objects.get(name, '', { headers: { accept: protobufType } })).bytes);
  const headers = { 'content-type': protobufType };
  const copy = writeEnvelope({ ...envelope, raw: renamed(raw, unique()) });
  const answer = await objects.post(copy, dry, { headers });
  expect(answer.status, `in protobuf: ${said(answer)}`).toBe(201);
}

const bindings = { group: '', version: 'v1', resource: 'bindings', kind: 'Binding', namespaced: true };

/** A pod can be bound by way of the collection of bindings as well. */
export async function triesBindings({ kind, expect }: RuleContext, name: string): Promise<void> {
  const answered = await kind(bindings).post(bindingOf(name), dry);
  expect(answered.status, `by way of the bindings: ${said(answered)}`).toBe(201);
}

/** What is not there is tried to be made, or said not to be there. */
export async function triesMissing(objects: Collection, expect: Expect, kind: Subject, write: Write): Promise<void> {
  const object = await objects.draft();
  const whole = { ...kind, change: (round: number) => merged(object, changeOf(kind, round)) };
  const answer = await write.send({ objects, object, kind: whole, query: dry });
  expect([201, 404, 422], `of what is not there: ${said(answer)}`).toContain(answer.status);
}

/** What else a write may say of itself. */
const beside = { fieldManager: 'touchstone-writer', fieldValidation: 'Strict' };

/** Writes are tried in whatever form they are to be answered, and whatever else they say. */
export async function triesInForms(
  context: RuleContext,
  objects: Collection,
  { kind, write }: { readonly kind: Subject; readonly write: Write },
  name: string,
): Promise<void> {
  if (write.sub !== '' && write.sub !== 'status') return;
  for (const accept of otherWriteForms(context, kind, write)) {
    const query = { ...dry, ...beside };
    const parts = { objects, object: await objects.read(name), kind, query, headers: { accept }, round: 2 };
    const answer = await write.send(parts);
    context.expect(answer.status, `to be answered as ${accept}: ${said(answer)}`).toBeLessThan(300);
  }
}
